/** Received pings that did not count, and the words about them where a counted ping is expected. */
import { type Instant, isBefore } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { IgnoringRule } from '../ping/classify.ts'
import { join, type Sentence } from '../words/sentence-parts.ts'
import { type RefusedSignals, refusedSentence } from './refused.ts'

/** Reasons why a ping did not count: the rule that ignored it, or a request for a log entry only; `unknown`: the log has no reason. */
export const CAUSES = ['no-keyword', 'method', 'unknown', 'pause', 'log'] as const
export type Cause = IgnoringRule | 'unknown' | 'log'

/** The pings since the last success, failure or start, at most {@link UNCOUNTED_READ}. */
export interface UncountedPings {
  readonly counts: Readonly<Record<Cause, number>>
  /** method of the pings that were ignored because of their method; null if there were several methods */
  readonly method: string | null
  readonly lastAt: Instant
}

/** Number of newest log entries that are read. */
export const UNCOUNTED_READ = 100

export interface Uncounted {
  /** null: none */
  readonly pings: UncountedPings | null
  /** refused requests of the last day; null: none */
  readonly refused: RefusedSignals | null
}

export const NOTHING_UNCOUNTED: Uncounted = { pings: null, refused: null }

/** A sentence in two parts. The second gives the reason and may be empty. */
interface Came {
  readonly lead: Sentence
  readonly reason: Sentence
}

/** Describes pings that did not count; null if there is nothing to report. */
function cameOf(check: Check, pings: UncountedPings | null): Came | null {
  const causes = pings === null ? [] : toldCauses(check, pings)
  if (pings === null || causes.length === 0) return null
  const n = causes.reduce((sum, cause) => sum + pings.counts[cause], 0)
  if (causes.includes('pause')) {
    return { lead: [`${cameWords(n)} since it was paused; none counts until somebody resumes it`], reason: [] }
  }
  const since = lastCounted(check)
  return {
    lead: [cameWords(n), ...(since === null ? [] : [' since ', { clock: since }]), ` and ${noneWords(n)}`],
    reason: causes.length === 1 ? onlyReason(check, pings, n, causes[0]) : mixedReasons(pings, causes),
  }
}

/**
 * Returns the causes to report. Pings ignored during a pause are not reported once it is over. Log entries often follow a ping that
 * counted; they are reported only if none ever has.
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

function cameWords(n: number): string {
  if (n === 1) return '1 ping came'
  return `${n < UNCOUNTED_READ ? n : `${UNCOUNTED_READ} or more`} pings came`
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
      return [`${they} came by `, methodPart(pings), ...(methods === 'POST' ? ['; this check takes only POST'] : [])]
    case 'log':
      return [`${they} went to /log, which only adds to the log`]
    default:
      return []
  }
}

/** Returns `no keyword was found in 3, 2 came by GET` */
function mixedReasons(pings: UncountedPings, causes: readonly Cause[]): Sentence {
  const { counts } = pings
  const keyword: Sentence = causes.includes('no-keyword') ? [`no keyword was found in ${counts['no-keyword']}`] : []
  const method: Sentence = causes.includes('method') ? [`${counts.method} came by `, methodPart(pings)] : []
  return keyword.length > 0 && method.length > 0 ? [...keyword, ', ', ...method] : [...keyword, ...method]
}

function methodPart({ method }: UncountedPings): Sentence[number] {
  return method === null ? 'methods other than POST' : { name: method }
}

/** Returns `5 pings came since 14:54 and none counted: no keyword was found.`; empty if there is nothing to report. */
export function uncountedSentence(check: Check, { pings }: Uncounted): Sentence {
  const came = cameOf(check, pings)
  if (came === null) return []
  return [...came.lead, ...(came.reason.length === 0 ? [] : [': ', ...came.reason]), '.']
}

/** Returns {@link uncountedSentence} as two sentences; null if there is nothing to report. */
export function uncountedHeadline(
  check: Check,
  { pings }: Uncounted,
): { readonly lead: Sentence; readonly detail: Sentence } | null {
  const came = cameOf(check, pings)
  return came && { lead: [...came.lead, '.'], detail: capitalised(came.reason) }
}

function capitalised([first, ...rest]: Sentence): Sentence {
  if (typeof first !== 'string') return []
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest, '.']
}

/** Describes requests refused since the last counted ping; empty if there were none. */
export function refusedSince(check: Check, { refused }: Uncounted): Sentence {
  const since = lastCounted(check)
  const isLater = refused !== null && (since === null || isBefore(since, refused.lastAt))
  return isLater ? refusedSentence(refused) : []
}

/** Describes uncounted pings and refused requests since the last counted ping. */
export function uncountedSentences(check: Check, uncounted: Uncounted): Sentence {
  return join(uncountedSentence(check, uncounted), refusedSince(check, uncounted))
}
