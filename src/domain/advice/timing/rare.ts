/** *Rare*: the job runs less often than expected, or only on some days or at some hours. */
import { median } from '../../../lib/figures/statistics.ts'
import { localReadings } from '../../preview/local-readings.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../units.ts'
import type { Advice, AdvicePart } from '../advice.ts'
import type { Proposal } from '../proposal.ts'
import type { Reading } from '../reading.ts'
import { roundPeriod } from '../round.ts'
import { clockFace, zoneAfterClock } from './clocks.ts'
import { graceOfPeriod } from './period-grace.ts'
import { proposedFix, rhythmWords } from './proposed.ts'
import { timeSet } from './schedule-edits.ts'

export function rare(reading: Reading): Advice | null {
  return reading.isScheduled ? (onceADay(reading) ?? someDays(reading)) : (longerPeriod(reading) ?? someDays(reading))
}

const LONGER = 1.5
const NEAR = 0.04
const NEAR_OF_MANY = 0.1
const MANY = 8
/** Multiples of the usual time between two runs. If one or two runs are missing, the time to the next run is two or three times as long. */
const TIMES = [1, 2, 3]
const EVEN_SHARE = 0.9
const USUAL_SHARE = 0.7

function longerPeriod(reading: Reading): Advice | null {
  const { distances, facts, grace } = reading
  const present = facts.check.timeoutSeconds * SECOND
  const usual = median(distances)
  if (distances.length < (usual >= HOUR ? 2 : MANY)) return null
  if (usual < present + grace || usual < LONGER * present || Math.min(...distances) < present) return null
  const reach = (distances.length >= MANY ? NEAR_OF_MANY : NEAR) * usual
  const near = (times: number) => distances.filter((distance) => Math.abs(distance - times * usual) <= reach).length
  const even = TIMES.reduce((sum, times) => sum + near(times), 0)
  if (even < EVEN_SHARE * distances.length || near(1) < USUAL_SHARE * distances.length) return null
  const period = roundPeriod(usual)
  const says: readonly AdvicePart[] = [
    `Runs ${rhythmWords({ ...facts.check, timeoutSeconds: period / SECOND })}, expected ${rhythmWords(facts.check)}: down for `,
    { took: (period - present - grace) / SECOND },
    ' each time.',
  ]
  const settings = { timeout: period / SECOND, grace: graceOfPeriod(reading, period) / SECOND }
  return { kind: 'rare', variant: 'period', says, fix: { do: 'set', settings }, otherFixes: [] }
}

const DAILY_REACH = 15 * MINUTE
const DAYS_COMPARED = 3
const MISSED_A_DAY = 3

/** Returns advice about a job that runs once a day although its schedule expects several runs. */
function onceADay({ distances, verdicts, facts, gap, grace }: Reading): Advice | null {
  const newest = distances.slice(-DAYS_COMPARED)
  const isDaily = newest.length >= 2 && newest.every((distance) => Math.abs(distance - DAY) <= DAILY_REACH)
  if (!isDaily || (gap ?? DAY) >= DAY / 3) return null
  const runs = verdicts.slice(-DAYS_COMPARED)
  if (runs.length < 2 || runs.slice(-2).some(({ missed }) => missed < MISSED_A_DAY)) return null
  const readings = localReadings(
    facts.check.tz,
    runs.map(({ run }) => run.began),
  ).map((reading) => reading % DAY)
  const time = timeSet(Math.min(...readings))
  const schedule = `${Math.floor((time % HOUR) / MINUTE)} ${Math.floor(time / HOUR)} * * *`
  const lead = `Runs once a day at ${clockFace(time)} ${zoneAfterClock(facts.check.tz)}, expected ${rhythmWords(facts.check)}: down for `
  const says: readonly AdvicePart[] = [lead, { took: (DAY - (gap ?? 0) - grace) / SECOND }, ' of each day.']
  return { kind: 'rare', variant: 'schedule', says, fix: { do: 'set', settings: { schedule } }, otherFixes: [] }
}

const FEWER = 0.9

function someDays(reading: Reading): Advice | null {
  const { proposal } = reading
  if (proposal === null || proposal.share >= FEWER) return null
  const fix = proposedFix(reading, proposal)
  return { kind: 'rare', variant: 'days', says: dayWords(reading, proposal), fix, otherFixes: [] }
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
/** Maximum number of missing weekdays to name. If more are missing, the sentence names the days on which the job runs. */
const NAMED = 2

/** Returns a sentence such as `No run on 4 Saturdays and 4 Sundays: it seems to run on weekdays at 03:00 in Berlin.` */
function dayWords(reading: Reading, { timing, weekdays }: Proposal): readonly AdvicePart[] {
  const left = WEEKDAYS.map((name, day) => ({ name, day })).filter(({ day }) => !weekdays.includes(day))
  const seems = `it seems to run ${rhythmWords(timing)}.`
  if (left.length === 0 || left.length > NAMED) return [`Expected ${rhythmWords(reading.facts.check)}, and ${seems}`]
  const amounts = left.map(({ name, day }) => amountWords(name, timesIn(reading, timing.tz, day)))
  return [`No run on ${amounts.toReversed().join(' and ')}: ${seems}`]
}

function amountWords(name: string, amount: number): string {
  return amount === 1 ? `a ${name}` : `${amount} ${name}s`
}

/** Counts how often a weekday occurs between the first and the last run. */
function timesIn({ runsSinceChange: runs }: Reading, tz: string, weekday: number): number {
  const [first = 0, last = 0] = localReadings(tz, [runs[0]?.began ?? 0, runs.at(-1)?.began ?? 0])
  let amount = 0
  for (let day = first; day <= last; day += DAY) if (new Date(day).getUTCDay() === weekday) amount += 1
  return amount
}
