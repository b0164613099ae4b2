/**
 * The sentence about a late ping that flipped its check. It says what the result of the job was, which was not known until the ping
 * arrived.
 */
import { type Instant, isBefore, microsecondsBetween } from '../../lib/time.ts'
import type { Flip } from '../check/flip.ts'
import type { Ping } from '../ping/ping.ts'
import type { Sentence } from '../words/sentence-parts.ts'

export type LatePing = Pick<Ping, 'kind' | 'receivedAt' | 'occurredAt'>

const MICROSECONDS = 1_000_000

/**
 * Returns a sentence such as `The job had succeeded at 03:12, in time; its ping arrived 47 min late.` Returns an empty one if the flip was
 * not caused by a late ping.
 * @param ping the newest ping at or before the time of the flip
 * @param previous the previous flip; null if unknown
 */
export function lateSentence(flip: Flip, ping: LatePing | null, previous: Flip | null): Sentence {
  if (ping === null || ping.occurredAt === null || !madeBy(flip, ping)) return []
  const late = { took: microsecondsBetween(ping.occurredAt, ping.receivedAt) / MICROSECONDS }
  const what = ping.kind === 'success' ? 'succeeded' : 'failed'
  const inTime = ping.kind === 'success' && wasInTime(ping.occurredAt, previous) ? ', in time' : ''
  return [`The job had ${what} `, { at: ping.occurredAt }, `${inTime}; its ping arrived `, late, ' late.']
}

function madeBy({ createdAt, newStatus, reason }: Flip, { kind, receivedAt }: LatePing): boolean {
  const isItsKind = newStatus === 'up' ? kind === 'success' : reason === 'fail' && kind === 'fail'
  return isItsKind && createdAt.equals(receivedAt)
}

/** Whether the job finished in time. A timeout flip is timestamped with the missed deadline. */
function wasInTime(occurredAt: Instant, previous: Flip | null): boolean {
  return previous?.newStatus === 'down' && previous.reason === 'timeout' && isBefore(occurredAt, previous.createdAt)
}
