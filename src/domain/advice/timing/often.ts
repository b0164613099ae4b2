/** *Often*: the job runs more often than it is watched, so an outage is noticed late. */
import { median } from '../../../lib/figures/statistics.ts'
import type { Advice, AdvicePart } from '../advice.ts'
import type { Reading } from '../reading.ts'
import { roundGrace, roundPeriod } from '../round.ts'
import { HOUR, MINUTE, SECOND } from '../units.ts'
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
/** So much longer a period is no choice. Half the distance is one, below an hour. */
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
  const says: readonly AdvicePart[] = [
    `Runs ${rhythmWords({ ...facts.check, timeoutSeconds: period / SECOND })}, expected ${rhythmWords(facts.check)}: an outage is noticed after `,
    { took: (present + reading.grace) / SECOND },
    '; it could be ',
    { took: (period + grace) / SECOND },
    '.',
  ]
  const settings = { timeout: period / SECOND, grace: grace / SECOND }
  return { kind: 'often', variant: 'period', says, fix: { do: 'set', settings }, otherFixes: [] }
}

const MORE = 1.1

function moreOften(reading: Reading): Advice | null {
  const { proposal, facts } = reading
  if (proposal === null || proposal.share <= MORE) return null
  const says = [
    `Runs ${rhythmWords(proposal.timing)}, expected ${rhythmWords(facts.check)}: an outage is noticed late.`,
  ]
  return { kind: 'often', variant: 'schedule', says, fix: proposedFix(reading, proposal), otherFixes: [] }
}
