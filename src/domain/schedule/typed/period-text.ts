/** Recognizes a period that a user typed into the schedule field. */
import { periodInWords } from '../../duration.ts'
import { readGoDuration } from '../../go-duration.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/**
 * Returns a phrase such as ` of 5 minutes` for `@every 5m`, `5m`, `every 5 minutes`, `rate(5 minutes)`, `PT5M` or `@300`. Returns an empty
 * string if the text is a period but its length can't be parsed, and null if it is not a period.
 */
export function periodText(text: string): string | null {
  const seconds = periodSeconds(text)
  if (seconds === null) return null
  return Number.isInteger(seconds) && seconds > 0 ? ` of ${periodInWords(seconds)}` : ''
}

/** Returns the length of a period in seconds; NaN if the length can't be parsed; null if the text is not a period. */
export function periodSeconds(text: string): number | null {
  const every = /^@?every\s+(.*)$/i.exec(text)?.[1]
  const span = every ?? /^rate\((.*)\)$/i.exec(text)?.[1] ?? text
  const seconds = /^@(\d{1,9})$/.exec(span)?.[1]
  if (seconds !== undefined) return Number(seconds)
  const read = readGoDuration(span.trim()) ?? readIsoDuration(span) ?? readSpan(span) ?? readUnit(span)
  return read ?? (text.startsWith('@every') ? Number.NaN : null)
}

/** Parses an ISO 8601 duration, such as `PT1H30M` or `P1D`. */
function readIsoDuration(text: string): number | null {
  const [all, days = '0', hours = '0', minutes = '0', seconds = '0'] =
    /^P(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,9})S)?)?$/.exec(text) ?? []
  if (all === undefined) return null
  return Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
}

/** Parses a unit that follows "every", such as `hour` or `day`. */
function readUnit(text: string): number | null {
  const [, unit] = /^(second|minute|hour|day|week|sec|min)$/i.exec(text) ?? []
  return unit === undefined ? null : sizeOf(unit)
}

const PART = String.raw`(\d{1,9})\s*(seconds?|minutes?|hours?|days?|weeks?|secs?|mins?|[smhdw])`
const PARTS = new RegExp(`^${PART}(?:,?\\s*${PART})*$`, 'i')

/**
 * Parses `2d` and `1h 30m`, and periods as shown on pages: `5 minutes`, `1 hour 30 minutes`, `1 h 30 min`. Returns seconds; null for any
 * other string.
 */
export function readSpan(text: string): number | null {
  if (!PARTS.test(text)) return null
  const parts = text.matchAll(new RegExp(PART, 'gi'))
  return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * sizeOf(unit), 0)
}

function sizeOf(unit: string): number {
  return UNITS[unit.charAt(0).toLowerCase()] ?? 0
}
