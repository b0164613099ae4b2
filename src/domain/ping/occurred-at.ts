/**
 * The time at which a late ping happened, according to the `at` of its ping URL. Late pings are judged by arrival, and shown and paired by
 * this time.
 */
import { fromMicroseconds, type Instant, Temporal } from '../../lib/time.ts'
import type { Ping } from './ping.ts'

/** Maximum delay of a late ping. Runs that take longer have no duration either. */
export const LATEST_HOURS = 72

export type OccurredAt =
  /** `at` is null for a ping that arrives when it happens, or that gives a time in the future */
  { readonly at: Instant | null; readonly problem: null } | { readonly at: null; readonly problem: string }

const LIVE: OccurredAt = { at: null, problem: null }
const refused = (problem: string): OccurredAt => ({ at: null, problem })

const FORMS =
  'write milliseconds since 1970, such as 1764299520000, or a time with its zone, such as 2025-11-28T03:12:00Z'

/** @param given all values of the parameter @param now when the ping arrives */
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

/** Smaller numbers are seconds: as milliseconds they would be before 1973. */
const MILLISECONDS_FROM = 100_000_000_000
const DIGITS = /^\d{1,14}$/
/** RFC 3339. An unencoded plus sign arrives as a space. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(?:(Z)|([-+ ])(\d\d:\d\d))$/i

function readTime(text: string): Instant | null {
  if (DIGITS.test(text)) {
    const number = Number(text)
    return fromMicroseconds(number < MILLISECONDS_FROM ? number * 1_000_000 : number * 1_000)
  }
  const [all, time, fraction = '', utc, sign, offset] = TIME.exec(text) ?? []
  if (all === undefined) return null
  // The log is exact to a microsecond.
  const zone = utc ?? `${sign === ' ' ? '+' : sign}${offset}`
  try {
    return Temporal.Instant.from(`${time}${fraction.slice(0, 7)}${zone}`)
  } catch {
    return null
  }
}

/** Returns the instant by which a ping is shown and paired. */
export function happenedAt({ occurredAt, receivedAt }: Pick<Ping, 'occurredAt' | 'receivedAt'>): Instant {
  return occurredAt ?? receivedAt
}

type Timed = Pick<Ping, 'occurredAt' | 'receivedAt'>

/** Sorts entries of a log by when they happened, without changing the order of equal instants. Returns the same array if none was late. */
export function inOrderOfTime<Entry extends Timed>(oldestFirst: readonly Entry[]): readonly Entry[] {
  if (oldestFirst.every(({ occurredAt }) => occurredAt === null)) return oldestFirst
  return oldestFirst.toSorted((a, b) => Temporal.Instant.compare(happenedAt(a), happenedAt(b)))
}
