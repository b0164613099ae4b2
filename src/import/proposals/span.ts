/** Parses time spans in the format of systemd.time(7). */

const UNITS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    [
      [1e-6, 'us usec µs μs'],
      [1e-3, 'ms msec'],
      [1, ' s sec second seconds'],
      [60, 'm min minute minutes'],
      [3_600, 'h hr hour hours'],
      [86_400, 'd day days'],
      [604_800, 'w week weeks'],
      [2_629_800, 'M month months'],
      [31_557_600, 'y year years'],
    ] as const
  ).flatMap(([seconds, names]) => names.split(' ').map((name) => [name, seconds])),
)

/** Parses a time span such as `1h 30min` (systemd.time(7)). @returns seconds; null if the text is not a time span */
export function readSpanOfSystemd(text: string): number | null {
  const parts = [...text.matchAll(/\s*(\d+(?:\.\d+)?)\s*([a-zA-Zµμ]*)/gy)]
  const read = parts.reduce((length, [part]) => length + part.length, 0)
  if (parts.length === 0 || text.slice(read).trim() !== '') return null
  let seconds = 0
  for (const [, amount, unit = ''] of parts) {
    const size = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
    if (size === undefined) return null
    seconds += Number(amount) * size
  }
  return seconds
}
