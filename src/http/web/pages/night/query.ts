/** The night that an address asks for. */

import { dayFrom, latestDay, type NightWindow, nightOf, presentEvening } from '../../../../domain/night/window.ts'
import { DAY, MINUTE } from '../../../../domain/units.ts'
import { Temporal } from '../../../../lib/time.ts'

export interface NightQuery {
  readonly window: NightWindow
  /** the minute whose runs are marked, in milliseconds since 1970; null for none */
  readonly marked: number | null
  /** true: the address names no night, so that another one is shown tomorrow */
  readonly isPresent: boolean
}

const DATE = /^\d{4}-\d\d-\d\d$/
const UTC_HOUR = /^\d{4}-\d\d-\d\dT\d\d:00Z$/
const CLOCK = /^(\d\d):(\d\d)$/

/** The night that an address names. Values that can't be read, or lie ahead, count as not given. @param tz of the reader */
export function readNightQuery(parameters: URLSearchParams, now: number, tz: string): NightQuery {
  const given = givenWindow(parameters, now, tz)
  const present = parameters.get('view') === '24h' ? latestDay(now, tz) : nightOf(presentEvening(now, tz), tz)
  const window = given ?? present
  return { window, marked: markedMinute(parameters.get('at'), window, tz), isPresent: given === null }
}

function givenWindow(parameters: URLSearchParams, now: number, tz: string): NightWindow | null {
  const [night, from] = [parameters.get('night') ?? '', parameters.get('from') ?? '']
  if (parameters.get('view') === '24h') {
    const at = UTC_HOUR.test(from) ? Date.parse(from) : Number.NaN
    return Number.isNaN(at) || at < 0 || at > now ? null : dayFrom(at, tz)
  }
  const evening = DATE.test(night) ? dateOf(night) : null
  if (evening === null || evening.year < 1970) return null
  const window = nightOf(evening, tz)
  return window.from > now + DAY ? null : window
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

/** The address of a window. @property at `01:41`: marks the rows that ran in that minute */
export function nightHref(window: NightWindow, at?: string): string {
  const parameters = new URLSearchParams()
  if (window.view === 'night') parameters.set('night', window.evening.toString())
  else {
    parameters.set('view', '24h')
    parameters.set('from', `${new Date(window.from).toISOString().slice(0, 16)}Z`)
  }
  if (at !== undefined) parameters.set('at', at)
  return `/night?${parameters}`
}

/** The window before and after; null where the next one lies too far ahead. */
export function neighbours(window: NightWindow, now: number, tz: string) {
  if (window.view === '24h') {
    const length = window.until - window.from
    const next = window.from + length
    return { before: dayFrom(window.from - length, tz), after: next > now ? null : dayFrom(next, tz) }
  }
  const after = nightOf(window.evening.add({ days: 1 }), tz)
  return { before: nightOf(window.evening.subtract({ days: 1 }), tz), after: after.from > now + DAY ? null : after }
}
