/** Parses durations in command-line options. */

const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
/** maximum that the runtime's timers support, because their milliseconds must fit in 32 bits */
const MAX_SECONDS = 24 * 86_400

/**
 * Parses durations such as `90`, `90s`, `5m`, `1h30m` or `1d 12h`.
 * @returns milliseconds; null for any other text, for zero, and for more than 24 days
 */
export function readDuration(text: string): number | null {
  const compact = text.replaceAll(' ', '')
  if (!/^(?:\d{1,9}|(?:\d{1,9}[smhdw])+)$/.test(compact)) return null
  const seconds = [...compact.matchAll(/(\d+)([smhdw]?)/g)].reduce(
    (sum, [, digits, unit = '']) => sum + Number(digits) * (SECONDS[unit] ?? 0),
    0,
  )
  return seconds > 0 && seconds <= MAX_SECONDS ? seconds * 1000 : null
}
