/** The time of the next look at a check. All times and durations are milliseconds. */
import { median } from '../../lib/figures/statistics.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../units.ts'
import type { Facts } from './facts.ts'
import { FAILING } from './rules/untold.ts'
import { distancesOf, runsOf } from './runs.ts'
import { lastSlot, usualDistance } from './slots-passed.ts'

/** The longest pause between two looks at a check. */
export const LONGEST_PAUSE = DAY

const NEW = 3 * DAY
const OFTEN = { from: 15 * MINUTE, to: LONGEST_PAUSE }
const SELDOM = { from: 6 * HOUR, to: LONGEST_PAUSE }
const DISTANCES = 8
/** A look counts days in the log, so it must happen before the log drops entries. */
const SHARE_OF_LOG = 0.8
const SHORTEST = 5 * MINUTE

interface Looked {
  /** true also for advice that was put off */
  readonly hasAdvice: boolean
  readonly isDown: boolean
  /** entries that the project keeps */
  readonly logLimit: number
}

/** Time before a deadline. The loop runs each minute. */
const LEAD = 2 * MINUTE

/** Returns a time shortly before the last deadline of a schedule within the pause; null without one. */
function beforeDeadline({ check }: Facts, now: number, until: number): number | null {
  if (check.kind === 'simple') return null
  const ahead = check.graceSeconds * SECOND - LEAD
  const slot = lastSlot(check, until - ahead)
  return slot === null || slot + ahead < now + SHORTEST ? null : slot + ahead
}

/**
 * Returns the time of the next look: soon for a check that is new, was changed or has advice; later for others. The look at a check that is
 * down happens before it would go down again, so that its next alert includes advice about its newest run.
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

/** Returns the time at which a channel will have failed for so long that advice is given. */
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
