/**
 * The time at which a late ping's event happened, given as `at` in the ping URL. A late ping takes effect when it arrives. However, pages
 * show it at the time of its event, and it is paired with its start by that time.
 */
import { fromMicroseconds, type Instant, Temporal } from '../../lib/time.ts'
import type { Ping } from './ping.ts'

/** Maximum delay of a late ping, in hours. Runs that take longer than this have no recorded duration either. */
export const LATEST_HOURS = 72

export type OccurredAt =
  /** `at` is null if the ping is not late or the given time is in the future */
  { readonly at: Instant | null; readonly problem: null } | { readonly at: null; readonly problem: string }

const LIVE: OccurredAt = { at: null, problem: null }
const refused = (problem: string): OccurredAt => ({ at: null, problem })

const FORMS =
  'write milliseconds since 1970, such as 1764299520000, or a time with its zone, such as 2025-11-28T03:12:00Z'

/**
 * @param given all values of the `at` parameter in the URL
 * @param now time at which the ping arrived
 */
export function readOccurredAt(given: readonly string[], now: Instant): OccurredAt {
  const [text] = given
  if (text === undefined) return LIVE
  if (given.length > 1) return refused('at is given more than once: give one time')
  if (text === '') return refused(`at is empty: ${FORMS}, or leave it out`)
  const at = readTime(text)
  if (at === null) return refused(`at is not a time: ${FORMS}`)
  if (Temporal.Instant.compare(at, now) >= 0) return LIVE
  if (Temporal.Instant.compare(at, now.subtract({ hours: LATEST_HOURS })) >= 0) return { at, problem: null }
  return refused(`at is more than ${LATEST_HOURS} hours ago: a ping may arrive at most ${LATEST_HOURS} hours late`)
}

/** Smaller numbers are interpreted as seconds. If they were milliseconds, the time would be before 1973. */
const MILLISECONDS_FROM = 100_000_000_000
const DIGITS = /^\d{1,14}$/
/** Matches an RFC 3339 time. A plus sign that was not encoded arrives as a space. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(?:(Z)|([-+ ])(\d\d:\d\d))$/i

function readTime(text: string): Instant | null {
  if (DIGITS.test(text)) {
    const number = Number(text)
    return fromMicroseconds(number < MILLISECONDS_FROM ? number * 1_000_000 : number * 1_000)
  }
  const [all, time, fraction = '', utc, sign, offset] = TIME.exec(text) ?? []
  if (all === undefined) return null
  // The log stores times with microsecond precision.
  const zone = utc ?? `${sign === ' ' ? '+' : sign}${offset}`
  try {
    return Temporal.Instant.from(`${time}${fraction.slice(0, 7)}${zone}`)
  } catch {
    return null
  }
}

/** Returns the time that is used to show and pair a ping. */
export function happenedAt({ occurredAt, receivedAt }: Pick<Ping, 'occurredAt' | 'receivedAt'>): Instant {
  return occurredAt ?? receivedAt
}

type Timed = Pick<Ping, 'occurredAt' | 'receivedAt'>

/**
 * Sorts log entries by the time at which their events happened. Entries with the same time keep their order. Returns the same array if none
 * of the pings were late.
 */
export function inOrderOfTime<Entry extends Timed>(oldestFirst: readonly Entry[]): readonly Entry[] {
  if (oldestFirst.every(({ occurredAt }) => occurredAt === null)) return oldestFirst
  return oldestFirst.toSorted((a, b) => Temporal.Instant.compare(happenedAt(a), happenedAt(b)))
}
