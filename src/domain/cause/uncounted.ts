/** Pings that arrived but did not count, and the sentences that mention them when a ping was expected. */
import { type Instant, isBefore } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { IgnoringRule } from '../ping/classify.ts'
import { join, type Sentence } from '../words/sentence-parts.ts'
import { type RefusedSignals, refusedSentence } from './refused.ts'

/**
 * Reasons why a ping did not count: it was ignored because of one of the check's rules, or its URL requested only a log entry. `unknown`:
 * the log does not say why.
 */
export const CAUSES = ['no-keyword', 'method', 'unknown', 'pause', 'log'] as const
export type Cause = IgnoringRule | 'unknown' | 'log'

/** Pings that arrived since the last success, failure or start: at most {@link UNCOUNTED_READ}. */
export interface UncountedPings {
  readonly counts: Readonly<Record<Cause, number>>
  /** HTTP method of the pings that were ignored because of their method; null if they used different methods */
  readonly method: string | null
  readonly lastAt: Instant
}

/** Maximum number of log entries to read, starting with the newest. */
export const UNCOUNTED_READ = 100

export interface Uncounted {
  /** pings that arrived but did not count; null: none */
  readonly pings: UncountedPings | null
  /** requests rejected during the last day; null: none */
  readonly refused: RefusedSignals | null
}

export const NOTHING_UNCOUNTED: Uncounted = { pings: null, refused: null }

/** A sentence in two parts. The second part gives the reason and can be empty. */
interface Arrived {
  readonly lead: Sentence
  readonly reason: Sentence
}

/** Describes pings that did not count; null if there is nothing to report. */
function arrivedOf(check: Check, pings: UncountedPings | null): Arrived | null {
  const causes = pings === null ? [] : toldCauses(check, pings)
  if (pings === null || causes.length === 0) return null
  const n = causes.reduce((sum, cause) => sum + pings.counts[cause], 0)
  if (causes.includes('pause')) {
    return {
      lead: [`${arrivedWords(n)} since the check was paused; none will count until somebody resumes it`],
      reason: [],
    }
  }
  const since = lastCounted(check)
  return {
    lead: [arrivedWords(n), ...(since === null ? [] : [' since ', { clock: since }]), `, but ${noneWords(n)}`],
    reason: causes.length === 1 ? onlyReason(check, pings, n, causes[0]) : mixedReasons(pings, causes),
  }
}

/**
 * Returns the reasons to report. Pings ignored during a pause are not reported once the pause is over. Requests for a log entry are
 * reported only if no ping has ever counted, because they often follow a ping that counted.
 */
function toldCauses({ status, lastPingAt, lastStartAt }: Check, { counts }: UncountedPings): readonly Cause[] {
  const present = CAUSES.filter((cause) => counts[cause] > 0)
  if (status === 'paused' && counts.pause > 0) return ['pause']
  const ignored = present.filter((cause) => cause !== 'pause' && cause !== 'log')
  const isFirst = status === 'new' && lastPingAt === null && lastStartAt === null
  return ignored.length === 0 && isFirst && counts.log > 0 ? ['log'] : ignored
}

function lastCounted({ lastPingAt, lastStartAt }: Check): Instant | null {
  if (lastPingAt === null || lastStartAt === null) return lastPingAt ?? lastStartAt
  return isBefore(lastPingAt, lastStartAt) ? lastStartAt : lastPingAt
}

function arrivedWords(n: number): string {
  if (n === 1) return '1 ping has arrived'
  return `${n < UNCOUNTED_READ ? n : `${UNCOUNTED_READ} or more`} pings have arrived`
}

function noneWords(n: number): string {
  return n === 1 ? 'did not count' : 'none counted'
}

function onlyReason({ methods }: Check, pings: UncountedPings, n: number, cause: Cause | undefined): Sentence {
  const they = n === 1 ? 'it' : 'they'
  switch (cause) {
    case 'no-keyword':
      return ['no keyword was found']
    case 'method':
      return [`${they} used `, methodPart(pings), ...(methods === 'POST' ? ['; this check accepts only POST'] : [])]
    case 'log':
      return [`${they} went to /log, which only adds an entry to the log`]
    default:
      return []
  }
}

/** Returns a phrase such as `no keyword was found in 3, 2 used GET`. */
function mixedReasons(pings: UncountedPings, causes: readonly Cause[]): Sentence {
  const { counts } = pings
  const keyword: Sentence = causes.includes('no-keyword') ? [`no keyword was found in ${counts['no-keyword']}`] : []
  const method: Sentence = causes.includes('method') ? [`${counts.method} used `, methodPart(pings)] : []
  return keyword.length > 0 && method.length > 0 ? [...keyword, ', ', ...method] : [...keyword, ...method]
}

function methodPart({ method }: UncountedPings): Sentence[number] {
  return method === null ? 'methods other than POST' : { name: method }
}

/**
 * Returns a sentence such as `5 pings have arrived since 14:54, but none counted: no keyword was found.`; empty if there is nothing to
 * report.
 */
export function uncountedSentence(check: Check, { pings }: Uncounted): Sentence {
  const arrived = arrivedOf(check, pings)
  if (arrived === null) return []
  return [...arrived.lead, ...(arrived.reason.length === 0 ? [] : [': ', ...arrived.reason]), '.']
}

/** Returns {@link uncountedSentence} as two sentences; null if there is nothing to report. */
export function uncountedHeadline(
  check: Check,
  { pings }: Uncounted,
): { readonly lead: Sentence; readonly detail: Sentence } | null {
  const arrived = arrivedOf(check, pings)
  return arrived && { lead: [...arrived.lead, '.'], detail: capitalised(arrived.reason) }
}

function capitalised([first, ...rest]: Sentence): Sentence {
  if (typeof first !== 'string') return []
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest, '.']
}

/** Describes requests that were rejected after the last ping that counted; empty if there were none. */
export function refusedSince(check: Check, { refused }: Uncounted): Sentence {
  const since = lastCounted(check)
  const isLater = refused !== null && (since === null || isBefore(since, refused.lastAt))
  return isLater ? refusedSentence(refused) : []
}

/** Describes the uncounted pings and rejected requests since the last ping that counted. */
export function uncountedSentences(check: Check, uncounted: Uncounted): Sentence {
  return join(uncountedSentence(check, uncounted), refusedSince(check, uncounted))
}
