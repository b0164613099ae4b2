/** Parses and builds the URLs of nights. */

import {
  dayFrom,
  latestDay,
  type NightWindow,
  nightFrom,
  nightOf,
  presentEvening,
} from '../../../../domain/night/window.ts'
import { DAY, HOUR, MINUTE } from '../../../../domain/units.ts'
import { Temporal } from '../../../../lib/time.ts'

export interface NightQuery {
  readonly window: NightWindow
  /** minute whose runs should be highlighted, in milliseconds since 1970; null for none */
  readonly marked: number | null
  /** true if the URL does not specify a night; the page then always shows the current one */
  readonly isPresent: boolean
}

const DATE = /^\d{4}-\d\d-\d\d$/
/** Matches a full hour or a quarter hour in UTC. A quarter hour may be a full hour in another time zone. */
const UTC_HOUR = /^\d{4}-\d\d-\d\dT\d\d:(?:00|15|30|45)Z$/
const CLOCK = /^(\d\d):(\d\d)$/

/** Parses the night in a URL. Ignores values that are invalid or in the future. @param tz the reader's time zone */
export function readNightQuery(parameters: URLSearchParams, now: number, tz: string): NightQuery {
  const given = givenWindow(parameters, now, tz)
  const present = parameters.get('view') === '24h' ? latestDay(now, tz) : nightOf(presentEvening(now, tz), tz)
  const window = given ?? present
  return { window, marked: markedMinute(parameters.get('at'), window, tz), isPresent: given === null }
}

function givenWindow(parameters: URLSearchParams, now: number, tz: string): NightWindow | null {
  const [night, from] = [parameters.get('night') ?? '', parameters.get('from') ?? '']
  const isDay = parameters.get('view') === '24h'
  const at = UTC_HOUR.test(from) ? Date.parse(from) : Number.NaN
  if (at >= 0 && at <= lastBegin(isDay ? '24h' : 'night', now)) return isDay ? dayFrom(at, tz) : nightFrom(at, tz)
  if (isDay) return null
  const evening = DATE.test(night) ? dateOf(night) : null
  if (evening === null || evening.year < 1970) return null
  const window = nightOf(evening, tz)
  return window.from > lastBegin('night', now) ? null : window
}

/** Returns the latest possible start of a window. A later window would contain nothing useful. */
function lastBegin(view: NightWindow['view'], now: number): number {
  return view === '24h' ? now : now + DAY
}

function dateOf(text: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return null
  }
}

function markedMinute(text: string | null, { from, until }: NightWindow, tz: string): number | null {
  const [, hour = '', minute = ''] = CLOCK.exec(text ?? '') ?? []
  if (hour === '' || Number(hour) > 23 || Number(minute) > 59) return null
  const begin = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(tz)
  const onFirst = begin.withPlainTime({ hour: Number(hour), minute: Number(minute) }).epochMilliseconds
  const at = onFirst < from ? onFirst + DAY : onFirst
  return at < until ? Math.floor(at / MINUTE) * MINUTE : null
}

/** Returns a window's URL. @param at a minute such as `01:41`; rows with a run in that minute are highlighted */
export function nightHref(window: NightWindow, at?: string): string {
  const parameters = new URLSearchParams()
  if (window.view === 'night' && !window.isMoved) parameters.set('night', window.evening.toString())
  else {
    parameters.set('view', window.view)
    parameters.set('from', `${new Date(window.from).toISOString().slice(0, 16)}Z`)
  }
  if (at !== undefined) parameters.set('at', at)
  return `/night?${parameters}`
}

/** Returns a night's URL. The URL of the current night contains no date, so that it always leads to the current night. */
export function followingHref(window: NightWindow, now: number, tz: string): string {
  const isPresent = window.view === 'night' && window.from === nightOf(presentEvening(now, tz), tz).from
  return isPresent ? '/night' : nightHref(window)
}

/** The previous and the next window. A window that starts too far in the future is null. */
interface Neighbours {
  readonly before: NightWindow
  readonly after: NightWindow | null
}

/** Returns the previous and the next window. */
export function neighbours(window: NightWindow, now: number, tz: string): Neighbours {
  const days = (count: number) =>
    window.view === 'night' && !window.isMoved
      ? nightOf(window.evening.add({ days: count }), tz)
      : movedBy(window, count * DAY, tz)
  return { before: days(-1), after: unlessAhead(days(1), now) }
}

/** Returns the windows that start one hour earlier and one hour later than this one. */
export function hourBeside(window: NightWindow, now: number, tz: string): Neighbours {
  return { before: movedBy(window, -HOUR, tz), after: unlessAhead(movedBy(window, HOUR, tz), now) }
}

function movedBy({ view, from }: NightWindow, by: number, tz: string): NightWindow {
  return view === '24h' ? dayFrom(from + by, tz) : nightFrom(from + by, tz)
}

function unlessAhead(window: NightWindow, now: number): NightWindow | null {
  return window.from > lastBegin(window.view, now) ? null : window
}
