/** Calculates when a check is next examined. All times and durations are milliseconds. */
import { median } from '../../lib/figures/statistics.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../units.ts'
import type { Facts } from './facts.ts'
import { FAILING } from './rules/untold.ts'
import { distancesOf, runsOf } from './runs.ts'
import { lastSlot, usualDistance } from './slots-passed.ts'

/** Maximum time between two looks at a check. */
export const LONGEST_PAUSE = DAY

const NEW = 3 * DAY
const OFTEN = { from: 15 * MINUTE, to: LONGEST_PAUSE }
const SELDOM = { from: 6 * HOUR, to: LONGEST_PAUSE }
const DISTANCES = 8
/** Share of the log that may be new at a look. Advice counts days in the log, so a look must happen before the log drops entries. */
const SHARE_OF_LOG = 0.8
const SHORTEST = 5 * MINUTE

interface Looked {
  /** true: the check has advice, even if a person has put it off */
  readonly hasAdvice: boolean
  readonly isDown: boolean
  /** number of entries that the project keeps per check */
  readonly logLimit: number
}

/** How long before a deadline to look. The loop runs once a minute. */
const LEAD = 2 * MINUTE

/** Returns a time shortly before the last deadline of the schedule in this period; null if there is no deadline. */
function beforeDeadline({ check }: Facts, now: number, until: number): number | null {
  if (check.kind === 'simple') return null
  const ahead = check.graceSeconds * SECOND - LEAD
  const slot = lastSlot(check, until - ahead)
  return slot === null || slot + ahead < now + SHORTEST ? null : slot + ahead
}

/**
 * Returns the time of the next look: soon for a check that is new, was changed or has advice; later for other checks. A check that is down
 * is examined before it could go down again, so that its next alert includes advice about the newest run.
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

/** Returns the time by which a channel will have failed for so long that advice is due. */
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
