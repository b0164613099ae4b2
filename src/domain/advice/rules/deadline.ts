/** Calculates when a check goes down unless a ping arrives. All times are in milliseconds. */
import type { AdvisedPing } from '../facts.ts'
import type { Reading } from '../reading.ts'
import { isEnd } from '../runs.ts'
import { slotsAfter } from '../slots-passed.ts'

/** Returns the deadline for the ping that follows `at`; null if the schedule has no more slots. */
export function deadlineAfter({ facts, grace }: Reading, at: number): number | null {
  const [due] = slotsAfter(facts.check, at, 1)
  return due === undefined ? null : due + grace
}

/**
 * Returns when the wait for the ping after `at` begins. A paused check does not expect a ping, and changing the settings restarts the wait.
 */
export function awaitedFrom({ facts: { check, away } }: Reading, at: number): number {
  return Math.max(at, check.changedAt, ...away.map(({ until }) => until))
}

/** Whether a ping counts as a success, a failure or a start. */
export function isCounted(ping: AdvisedPing): boolean {
  return isEnd(ping) || ping.kind === 'start'
}

/** Whether the check has failed, or the start or end of a run is overdue. */
export function isDown(reading: Reading): boolean {
  const { facts, now, grace } = reading
  const end = facts.log.findLast(isEnd)
  const last = facts.log.findLast(isCounted)
  if (last?.kind === 'start' && now >= last.at + grace) return true
  if (end === undefined) return false
  const deadline = deadlineAfter(reading, awaitedFrom(reading, end.at))
  return end.kind === 'fail' || (deadline !== null && now >= deadline)
}
