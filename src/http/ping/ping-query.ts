/**
 * Parses the query of a ping URL: the run id, the time of the event, and the settings for a check to create. docs/api.md describes the
 * parameters.
 */
import { type GivenTiming, readGivenTiming } from '../../domain/ping/given-timing.ts'
import { readOccurredAt } from '../../domain/ping/occurred-at.ts'
import type { Signal } from '../../domain/ping/signal.ts'
import { type PingSilence, readPingSilence } from '../../domain/silence/ping-silence.ts'
import { parseUuid } from '../../lib/secrets/uuid.ts'
import type { Clock } from '../../lib/time.ts'
import type { Asked } from './ping-path.ts'

export interface PingQuery extends Pick<Signal, 'rid' | 'occurredAt'> {
  readonly create: boolean
  /** timing for a check that the ping creates. An existing check accepts the ping even if the timing is unusable */
  readonly timing: GivenTiming | 'unusable'
  /** false if every check rejects a ping with this query */
  readonly isValid: boolean
  /** error message if the ping is rejected because of its query */
  readonly problem: string | null
}

/** The result for an empty query. Most pings have no query, so this avoids parsing. */
export const NO_QUERY: PingQuery = {
  rid: null,
  occurredAt: null,
  create: false,
  timing: {},
  isValid: true,
  problem: null,
}

/**
 * Parses a query. If a parameter is repeated, its last value is used. The exception is `at`: it must not be repeated, because a
 * stored time cannot be corrected later.
 */
export function parsePingQuery(url: string, now: Clock): PingQuery {
  const start = url.indexOf('?')
  if (start < 0) return NO_QUERY
  const query = new URLSearchParams(url.slice(start))
  const last = (name: string) => query.getAll(name).at(-1) ?? null
  const given = last('rid')
  const rid = given === null ? null : parseUuid(given)
  const occurred = readOccurredAt(query.getAll('at'), now())
  const create = last('create') === '1'
  const timing = create ? readGivenTiming({ schedule: last('schedule'), tz: last('tz'), grace: last('grace') }) : {}
  const badRun = given !== null && rid === null ? 'invalid uuid format' : null
  const problem = badRun ?? occurred.problem
  return {
    ...{ rid, occurredAt: occurred.at, create },
    timing: typeof timing === 'string' ? 'unusable' : timing,
    isValid: problem === null,
    problem: problem ?? (typeof timing === 'string' ? timing : null),
  }
}

/**
 * Returns the silence that the URL requests. Returns null if the query is not valid; in that case, the ping is rejected.
 * @param query the query, with its `?`
 */
export function parseAskedSilence(asks: Asked, query: string): PingSilence | 'end' | null {
  if (asks === 'unsilence') return 'end'
  const given = new URLSearchParams(query)
  const last = (name: string) => given.getAll(name).at(-1) ?? null
  return readPingSilence({ for: last('for'), until: last('until') })
}
