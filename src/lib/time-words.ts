/** Formats times and durations. The server writes them into pages, and a script in the browser keeps them up to date. */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Age in seconds after which a date is more useful than the elapsed time. */
const DATED_AFTER = 30 * DAY

/**
 * Formats a duration with at most two units, rounded down: `3 s`, `11 min 52 s`, `6 h 48 min` or `2 d 5 h`.
 * @param seconds null if unknown
 */
export function durationWords(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 1) return `${Math.floor(seconds * 1000)} ms`
  const whole = Math.floor(seconds)
  if (whole < MINUTE) return `${whole} s`
  if (whole < HOUR) return pair(whole, MINUTE, 'min', 1, 's')
  if (whole < DAY) return pair(whole, HOUR, 'h', MINUTE, 'min')
  return pair(whole, DAY, 'd', HOUR, 'h')
}

function pair(seconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % large) / small)
  return `${Math.floor(seconds / large)} ${largeUnit}${rest === 0 ? '' : ` ${rest} ${smallUnit}`}`
}

/**
 * Formats a duration with one unit, rounded to the nearest whole number, such as `45 s`, `11 min`, `7 h` or `2 d`. A unit is used if the
 * duration is at least 1.5 of it, so hours are used from 1.5 hours.
 */
export function roundedWords(seconds: number): string {
  const units = [
    [DAY, 'd'],
    [HOUR, 'h'],
    [MINUTE, 'min'],
  ] as const
  for (const [size, unit] of units) if (seconds >= 1.5 * size) return `${Math.round(seconds / size)} ${unit}`
  return durationWords(seconds)
}

/**
 * Returns a phrase such as `12 s ago`, `2 min ago`, `7 h 30 min ago`, `yesterday` or `3 days ago`, or one such as `in 3 min` for a time in
 * the future. If the time is more than 30 days away, returns the date.
 * @param at
 * @param now milliseconds since the UNIX epoch
 * @param zone IANA name; undefined for the browser's time zone
 */
export function relativeWords(at: number, now: number, zone: string | undefined): string {
  const seconds = Math.abs(at - now) / 1000
  if (seconds >= DATED_AFTER) return dateWords(at, zone)
  if (seconds < 1) return 'now'
  const isPast = at <= now
  if (seconds >= DAY) {
    const days = Math.abs(dayNumber(at, zone) - dayNumber(now, zone))
    if (days === 1) return isPast ? 'yesterday' : 'tomorrow'
    return isPast ? `${days} days ago` : `in ${days} days`
  }
  const span = spanOf(seconds)
  return isPast ? `${span} ago` : `in ${span}`
}

/** Like {@link durationWords}, but leaves out seconds if the duration is a minute or more. */
function spanOf(seconds: number): string {
  if (seconds >= HOUR) return durationWords(seconds)
  return seconds < MINUTE ? `${Math.floor(seconds)} s` : `${Math.floor(seconds / MINUTE)} min`
}

/** Shortens a phrase such as `7 h 30 min ago` to one unit for a narrow column: `7 h ago`. */
export function inOneUnit(words: string): string {
  return words.replace(/(\d \w+) \d+ \w+/, '$1')
}

/**
 * The format of a time. `near` and `since` are like `ago` and `for` but use only one unit. `now` is the current time including seconds; the
 * given time is ignored.
 */
export type TimeKind = 'ago' | 'near' | 'since' | 'clock' | 'at' | 'at-second' | 'for' | 'now'

/**
 * Formats a time according to its kind. The result changes as time passes.
 * @param at
 * @param now milliseconds since the UNIX epoch
 * @param zone IANA name; undefined for the browser's time zone
 */
export function timeWords(kind: TimeKind, at: number, now: number, zone: string | undefined): string {
  if (kind === 'clock') return clockWords(at, now, zone)
  if (kind === 'now') return format(now, zone, TIME)
  if (kind === 'at') return atWords(at, now, zone, CLOCK)
  if (kind === 'at-second') return atWords(at, now, zone, TIME)
  const words = kind === 'for' || kind === 'since' ? lastingWords(at, now) : relativeWords(at, now, zone)
  return kind === 'near' || kind === 'since' ? inOneUnit(words) : words
}

/**
 * Returns the time zone in which to show times.
 * @param zone the time zone in the reader's account
 * @returns undefined if there is no account or the browser does not know the zone, in which case the browser's own time zone is used
 */
export function knownZone(zone: string | undefined): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return zone
  } catch {
    return undefined
  }
}

/** Formats a date, such as `17 Nov 2026`. */
export function dateWords(at: number, zone: string | undefined): string {
  return format(at, zone, WHOLE_DATE)
}

/** Formats a time in full, such as `Tue 17 Nov 2026, 09:40:12 EET (07:40:12 UTC)`. */
export function exactWords(at: number, zone: string | undefined): string {
  const local = format(at, zone, EXACT).replace(',', '')
  const utc = format(at, 'UTC', TIME)
  return local.endsWith(' UTC') ? local : `${local} (${utc} UTC)`
}

/** Formats a day, such as `17 Nov`. */
export function dayWords(at: number, zone: string | undefined): string {
  return format(at, zone, SHORT_DATE)
}

/** Formats a weekday and a time of day, such as `Tue 09:40`. */
export function weekdayClockWords(at: number, zone: string | undefined): string {
  return format(at, zone, WEEKDAY_CLOCK).replace(',', '')
}

const WHOLE_DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
const EXACT = { weekday: 'short', ...WHOLE_DATE, ...TIME, timeZoneName: 'short' } as const

/**
 * Formats a time relative to today, such as `11:11`, `yesterday 04:09`, `tomorrow 04:09` or `17 Nov 04:09`. Returns only the date if it is
 * more than half a year away.
 * @param at
 * @param now milliseconds since the UNIX epoch
 * @param zone IANA name; undefined for the browser's time zone
 */
export function clockWords(at: number, now: number, zone: string | undefined): string {
  const { day, clock } = dayAndClock(at, now, zone, CLOCK)
  return [day, clock].filter((words) => words !== '').join(' ')
}

/** Formats a time for use in a sentence, such as `at 11:11`, `tomorrow at 04:09` or `on 17 Nov at 04:09`; with seconds, `at 11:11:07`. */
function atWords(at: number, now: number, zone: string | undefined, precision: Precision): string {
  const { day, clock } = dayAndClock(at, now, zone, precision)
  const onDay = /^\d/.test(day) ? `on ${day}` : day
  return [onDay, clock === '' ? '' : `at ${clock}`].filter((words) => words !== '').join(' ')
}

/**
 * Returns the day and the time of day. The day is empty if it is today, and the time of day is empty if the day is more than half a year
 * away.
 */
function dayAndClock(
  at: number,
  now: number,
  zone: string | undefined,
  precision: Precision,
): { readonly day: string; readonly clock: string } {
  if (Math.abs(at - now) / 1000 > YEAR / 2) return { day: dateWords(at, zone), clock: '' }
  const days = dayNumber(at, zone) - dayNumber(now, zone)
  const clock = format(at, zone, precision)
  if (days === 0) return { day: '', clock }
  if (Math.abs(days) === 1) return { day: days < 0 ? 'yesterday' : 'tomorrow', clock }
  return { day: format(at, zone, SHORT_DATE), clock }
}

/**
 * Returns the time elapsed since `at`, without "ago", such as `5 h 12 min`.
 * @param at
 * @param now milliseconds since the UNIX epoch
 */
function lastingWords(at: number, now: number): string {
  return spanOf(Math.max(0, now - at) / 1000)
}

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const WEEKDAY_CLOCK = { weekday: 'short', ...CLOCK } as const
type Precision = typeof CLOCK | typeof TIME
const SHORT_DATE = { day: 'numeric', month: 'short' } as const
const YEAR = 365 * DAY

/** Returns the number of days since the UNIX epoch according to the zone's calendar. */
function dayNumber(at: number, zone: string | undefined): number {
  return Math.floor((at + offsetAt(at, zone)) / (DAY * 1000))
}

const QUARTER_HOUR_MS = 900_000
/**
 * UTC offsets, keyed by time zone and quarter hour, because no zone changes its clocks within a quarter hour. They are cached because a
 * list contains thousands of times.
 */
const offsets = new Map<string | undefined, Map<number, number>>()
const OFFSETS_KEPT = 10_000

/** Returns how many milliseconds the zone's clocks are ahead of UTC. */
function offsetAt(at: number, zone: string | undefined): number {
  const quarter = Math.floor(at / QUARTER_HOUR_MS)
  if (offsets.size >= ZONES_KEPT) offsets.clear()
  const ofZone = offsets.get(zone) ?? new Map<number, number>()
  offsets.set(zone, ofZone)
  const kept = ofZone.get(quarter)
  if (kept !== undefined) return kept
  if (ofZone.size >= OFFSETS_KEPT) ofZone.clear()
  const start = quarter * QUARTER_HOUR_MS
  const part: Record<string, number> = {}
  for (const { type, value } of formatOf('en', zone, PARTS).formatToParts(start)) part[type] = Number(value)
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0 } = part
  const offset = Date.UTC(year, month - 1, day, hour, minute) - start
  ofZone.set(quarter, offset)
  return offset
}

const PARTS = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
} as const

function format(at: number, zone: string | undefined, options: Intl.DateTimeFormatOptions): string {
  return formatOf('en-GB', zone, options).format(at)
}

/**
 * Formatters, keyed by time zone and options. They are cached because creating one takes as long as using it hundreds of times, and a list
 * uses them thousands of times.
 */
const formats = new Map<string | undefined, Map<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>>()
const ZONES_KEPT = 50

function formatOf(locale: string, zone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  if (formats.size >= ZONES_KEPT) formats.clear()
  const ofZone = formats.get(zone) ?? new Map<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>()
  formats.set(zone, ofZone)
  const kept = ofZone.get(options) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
  ofZone.set(options, kept)
  return kept
}
