/** Times and durations in words: the server writes them, and the script in the browser keeps them up to date. */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Longer ago, a date says more. */
const DATED_AFTER = 30 * DAY

/** `3 s`, `11 min 52 s`, `6 h 48 min`, `2 d 5 h`: two units at most. @param seconds null when it is unknown */
export function durationWords(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  const whole = Math.round(seconds)
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
 * `12 s ago`, `2 min ago`, `7 h 30 min ago`, `yesterday`, `3 days ago`, then the date; `in 3 min`.
 * @param at @param now milliseconds since the UNIX epoch @param zone IANA name; undefined is the browser's
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
  const span = seconds < HOUR ? shortSpan(Math.floor(seconds)) : durationWords(Math.floor(seconds))
  return isPast ? `${span} ago` : `in ${span}`
}

function shortSpan(seconds: number): string {
  return seconds < MINUTE ? `${seconds} s` : `${Math.floor(seconds / MINUTE)} min`
}

export type TimeKind = 'ago' | 'clock' | 'at' | 'for'

/**
 * A time in the words of its kind, which change as time goes by.
 * @param at @param now milliseconds since the UNIX epoch @param zone IANA name; undefined is the browser's
 */
export function timeWords(kind: TimeKind, at: number, now: number, zone: string | undefined): string {
  if (kind === 'clock') return clockWords(at, now, zone)
  if (kind === 'at') return atWords(at, now, zone)
  return kind === 'for' ? lastingWords(at, now) : relativeWords(at, now, zone)
}

/**
 * The zone to write times in. @param zone of the reader's account
 * @returns undefined, the browser's zone, without an account, and for a zone that the browser does not know
 */
export function knownZone(zone: string | undefined): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return zone
  } catch {
    return undefined
  }
}

/**
 * `04:09`, `yesterday 04:09`, `tomorrow 10:00`, `16 Nov 04:09`, `16 Nov 2025 04:09`.
 * @param at @param now milliseconds since the UNIX epoch @param zone IANA name; undefined is the browser's
 */
function clockWords(at: number, now: number, zone: string | undefined): string {
  const [day, time] = dayAndTime(at, now, zone)
  return day === '' ? time : `${day} ${time}`
}

/** `at 10:00`, `tomorrow at 10:00`, `on 16 Nov at 04:09`: for the middle of a sentence. */
function atWords(at: number, now: number, zone: string | undefined): string {
  const [day, time] = dayAndTime(at, now, zone)
  if (day === '') return `at ${time}`
  return /^\d/.test(day) ? `on ${day} at ${time}` : `${day} at ${time}`
}

/** The day is empty for today. */
function dayAndTime(at: number, now: number, zone: string | undefined): readonly [day: string, time: string] {
  const time = format(at, zone, 'clock')
  const days = dayNumber(at, zone) - dayNumber(now, zone)
  if (days === 0) return ['', time]
  if (Math.abs(days) === 1) return [days < 0 ? 'yesterday' : 'tomorrow', time]
  const date = dateWords(at, zone)
  const thisYear = dateWords(now, zone).slice(-5)
  return [date.endsWith(thisYear) ? date.slice(0, -5) : date, time]
}

/** How long ago, without "ago": `5 h 12 min`. @param at @param now milliseconds since the UNIX epoch */
function lastingWords(at: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  return seconds < HOUR ? shortSpan(seconds) : durationWords(seconds)
}

/** `17 Nov 2026`. */
export function dateWords(at: number, zone: string | undefined): string {
  return format(at, zone, 'date')
}

/** `Tue 17 Nov 2026, 09:40:12 EET (07:40:12 UTC)`. */
export function exactWords(at: number, zone: string | undefined): string {
  const local = format(at, zone, 'exact').replace(',', '')
  const utc = format(at, 'UTC', 'time')
  return local.endsWith(' UTC') ? local : `${local} (${utc} UTC)`
}

/** Days since the UNIX epoch, by the calendar of the zone. */
function dayNumber(at: number, zone: string | undefined): number {
  const part = Object.fromEntries(
    formatter(zone, 'day')
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  return Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day ?? 1) / (DAY * 1000)
}

const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const TIME = { ...CLOCK, second: '2-digit' } as const

const STYLES = {
  day: { year: 'numeric', month: 'numeric', day: 'numeric' },
  date: DATE,
  clock: CLOCK,
  time: TIME,
  exact: { weekday: 'short', ...DATE, ...TIME, timeZoneName: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

type Style = keyof typeof STYLES

/** By zone and style: making one takes far longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>()
const FORMATTERS_KEPT = 100

function formatter(zone: string | undefined, style: Style): Intl.DateTimeFormat {
  const key = `${style} ${zone ?? ''}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', { ...STYLES[style], timeZone: zone })
  if (formatters.size >= FORMATTERS_KEPT) formatters.clear()
  formatters.set(key, made)
  return made
}

function format(at: number, zone: string | undefined, style: Style): string {
  return formatter(zone, style).format(at)
}
