/** Calculates when a check will be examined next. All times and durations are in milliseconds. */
import { median } from '../../lib/figures/statistics.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../units.ts'
import type { Facts } from './facts.ts'
import { FAILING } from './rules/untold.ts'
import { distancesOf, runsOf } from './runs.ts'
import { lastSlot, usualDistance } from './slots-passed.ts'

/** Maximum time between two examinations of a check. */
export const LONGEST_PAUSE = DAY

const NEW = 3 * DAY
const OFTEN = { from: 15 * MINUTE, to: LONGEST_PAUSE }
const SELDOM = { from: 6 * HOUR, to: LONGEST_PAUSE }
const DISTANCES = 8
/**
 * Maximum fraction of the log that may be new when a check is examined. Some advice depends on the number of days in the log, so the check
 * must be examined before old entries are dropped.
 */
const SHARE_OF_LOG = 0.8
const SHORTEST = 5 * MINUTE

interface Looked {
  /** true: the check has advice, including advice that a user dismissed for a while */
  readonly hasAdvice: boolean
  readonly isDown: boolean
  /** number of log entries kept for each of the project's checks */
  readonly logLimit: number
}

/** How long before its deadline a check is examined. The loop that examines checks runs once a minute. */
const LEAD = 2 * MINUTE

/** Returns a time shortly before the schedule's last deadline in this period; null if the period has no deadline. */
function beforeDeadline({ check }: Facts, now: number, until: number): number | null {
  if (check.kind === 'simple') return null
  const ahead = check.graceSeconds * SECOND - LEAD
  const slot = lastSlot(check, until - ahead)
  return slot === null || slot + ahead < now + SHORTEST ? null : slot + ahead
}

/**
 * Calculates when to examine the check next. A check that is new, was changed or has advice is examined sooner than others. A check that is
 * down is examined before it could go down again, so that the next alert includes advice about the newest run.
 */
export function nextLook(facts: Facts, { hasAdvice, isDown, logLimit }: Looked, now: number): number {
  const { check, log, away } = facts
  const distance = usual(distancesOf(runsOf(log), away)) ?? usualDistance(check, now) ?? DAY
  const isWatched = hasAdvice || now - check.createdAt < NEW || now - check.changedAt < NEW
  const pause = isWatched ? within(distance, OFTEN) : within(DISTANCES * distance, SELDOM)
  const [first, last] = [log[0], log.at(-1)]
  const entry = first && last && log.length > 1 ? (last.at - first.at) / (log.length - 1) : DAY
  const latest = isDown ? (beforeDeadline(facts, now, now + pause) ?? now + pause) : now + pause
  return Math.min(latest, now + Math.max(SHORTEST, SHARE_OF_LOG * logLimit * entry), untoldAt(facts, now))
}

/** Returns when a channel will have been failing long enough to warrant advice. */
function untoldAt({ channels }: Facts, now: number): number {
  const failing = channels.flatMap(({ state, since }) =>
    state === 'failing' && since !== null ? [since + FAILING] : [],
  )
  return Math.min(...failing.filter((at) => at > now))
}

function usual(distances: readonly number[]): number | null {
  return distances.length === 0 ? null : median(distances)
}

function within(duration: number, { from, to }: { readonly from: number; readonly to: number }): number {
  return Math.min(to, Math.max(from, duration))
}
