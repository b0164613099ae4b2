/** Durations, as options of the command line name them. */

const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
/** a timer of the runtime takes no more milliseconds than 32 bits hold */
const MAX_SECONDS = 24 * 86_400

/** Milliseconds of `90`, `90s`, `5m`, `1h30m`, `1d 12h`; null for other text, for none, and for more than 24 days. */
export function readDuration(text: string): number | null {
  const compact = text.replaceAll(' ', '')
  if (!/^(?:\d{1,9}|(?:\d{1,9}[smhdw])+)$/.test(compact)) return null
  const seconds = [...compact.matchAll(/(\d+)([smhdw]?)/g)].reduce(
    (sum, [, digits, unit = '']) => sum + Number(digits) * (SECONDS[unit] ?? 0),
    0,
  )
  return seconds > 0 && seconds <= MAX_SECONDS ? seconds * 1000 : null
}
