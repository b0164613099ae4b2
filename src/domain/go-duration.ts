const SIZES: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3_600 }

/** Parses a duration such as `1h30m`, the way Go's `time.ParseDuration` does. Returns seconds, or null if it is invalid or negative. */
export function readGoDuration(text: string): number | null {
  if (text === '0') return 0
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return null
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)
  return [...parts].reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (SIZES[unit] ?? 0), 0)
}
