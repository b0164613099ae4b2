/** *Often*: the job runs more often than expected, so an outage is noticed late. */
import { median } from '../../../lib/figures/statistics.ts'
import type { Timing } from '../../check/slots.ts'
import type { ReplayTiming } from '../../preview/replay.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../units.ts'
import type { Advice, AdvicePart } from '../advice.ts'
import type { Proposal } from '../proposal.ts'
import type { Reading } from '../reading.ts'
import { roundGrace, roundPeriod } from '../round.ts'
import { usualDistance } from '../slots-passed.ts'
import { longestNeed } from './period-grace.ts'
import { proposedFix, rhythmWords } from './proposed.ts'

export function often(reading: Reading): Advice | null {
  return reading.isScheduled ? moreOften(reading) : shorterPeriod(reading)
}

const DISTANCES_NEEDED = 8
const SHORTEST = 50 * SECOND
const NEAR = 0.15
const NEAR_LEAST = 20 * SECOND
const EVEN_SHARE = 0.9
/** Minimum ratio of the period to the time between runs. If the period is below an hour, even a ratio of two may be intentional. */
const LONGER = 1.8
const LONGER_BELOW_HOUR = 4

function shorterPeriod(reading: Reading): Advice | null {
  const { distances, facts } = reading
  const usual = median(distances)
  const present = facts.check.timeoutSeconds * SECOND
  if (distances.length < DISTANCES_NEEDED || usual < SHORTEST) return null
  if (present < (usual < HOUR ? LONGER_BELOW_HOUR : LONGER) * usual) return null
  const reach = Math.max(NEAR * usual, NEAR_LEAST)
  const even = distances.filter((distance) => Math.abs(distance - usual) <= reach)
  if (even.length < EVEN_SHARE * distances.length) return null
  const period = roundPeriod(usual)
  const needed = Math.max(1.5 * longestNeed(reading, period), Math.min(HOUR, usual), MINUTE)
  const grace = Math.min(reading.grace, roundGrace(needed))
  const timing = { ...facts.check, timeoutSeconds: period / SECOND }
  const says = words(facts.check, timing, present + reading.grace, period + grace)
  const settings = { timeout: period / SECOND, grace: grace / SECOND }
  return { kind: 'often', variant: 'period', says, fix: { do: 'set', settings }, otherFixes: [] }
}

const MORE = 1.1

function moreOften(reading: Reading): Advice | null {
  const { proposal, facts } = reading
  if (proposal === null || proposal.share <= MORE || !isLongEnough(reading, proposal)) return null
  const noticed = (reading.gap ?? 0) + reading.grace
  const says = words(facts.check, proposal.timing, noticed, noticedAfter(proposal.timing, reading.now))
  return { kind: 'often', variant: 'schedule', says, fix: proposedFix(reading, proposal), otherFixes: [] }
}

const CLOSER = 1.5
const WEEK = 7 * DAY

/**
 * Whether the log covers enough time. Runs on additional days or at additional hours require a week. If the job just runs at shorter
 * intervals, any log is long enough.
 */
function isLongEnough({ gap, runsSinceChange: runs, now }: Reading, { timing }: Proposal): boolean {
  const isCloser = (gap ?? 0) >= CLOSER * (usualDistance(timing, now) ?? 0)
  return isCloser || (runs.at(-1)?.began ?? 0) - (runs[0]?.began ?? 0) >= WEEK
}

function noticedAfter(timing: ReplayTiming, now: number): number {
  return (usualDistance(timing, now) ?? 0) + timing.graceSeconds * SECOND
}

/** Returns a sentence such as `Runs every 5 minutes, expected every day: an outage is noticed after 1 d 1 h; it could be 15 min.` */
function words(present: Timing, found: Timing, noticed: number, couldBe: number): readonly AdvicePart[] {
  return [
    `Runs ${rhythmWords(found)}, expected ${rhythmWords(present)}: an outage is noticed after `,
    { took: noticed / SECOND },
    '; it could be ',
    { took: couldBe / SECOND },
    '.',
  ]
}
