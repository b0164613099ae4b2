/** Additional sentences about a check's current state, shown at the top of its page and on the command line. */
import { type Instant, isBefore, Temporal } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import { downtimeBefore, type Flip } from '../check/flip.ts'
import { nextSlots } from '../check/slots.ts'
import { type Headline, join, type Sentence } from '../words/sentence-parts.ts'
import type { Recovery } from './sentence.ts'

/**
 * Returns the last recovery; null unless the last ping is the one that ended a downtime.
 * @param flips newest first
 */
export function recoveryOf({ lastPingAt }: Check, [last, before]: readonly Flip[]): Recovery | null {
  const isRecovery = last?.newStatus === 'up' && last.oldStatus === 'down' && lastPingAt !== null
  if (!isRecovery || Temporal.Instant.compare(lastPingAt, last.createdAt) !== 0) return null
  return { downtime: downtimeBefore(last, before ?? null) }
}

/**
 * Returns a sentence such as `The next run is due on 23 Nov at 03:00.` Returns an empty one for a simple check, whose period starts at a
 * ping.
 */
export function nextSlotSentence(check: Check, now: Instant): Sentence {
  const [next] = check.kind === 'simple' ? [] : nextSlots(check, now, 1)
  return next ? ['The next run is due ', { at: next }, '.'] : []
}

/**
 * Describes the last outage of Overdue itself; null if the check was created later. A check that got additional time sends
 * no alert before that time is over.
 */
export function outageHeadline(
  { createdAt, sparedUntil }: Check,
  outage: { readonly from: Instant; readonly until: Instant } | null,
  now: Instant,
): Headline | null {
  if (outage === null || !isBefore(createdAt, outage.until)) return null
  const isSpared = sparedUntil !== null && isBefore(now, sparedUntil)
  const spared: Sentence = isSpared
    ? ['No alert before ', { clock: sparedUntil }, ', so that the job can still report.']
    : []
  return {
    lead: ['Overdue had an outage from ', { clock: outage.from }, ' to ', { clock: outage.until }, '.'],
    detail: join(['Pings sent in that time are missing.'], spared),
  }
}
