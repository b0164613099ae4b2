/** Zone, on a check's first day: asks which time zone the schedule is in after one or two runs. */
import { MINUTE, SECOND } from '../../units.ts'
import type { Advice } from '../advice.ts'
import type { Reading } from '../reading.ts'
import { lastSlot } from '../slots-passed.ts'
import { clockWords, placeOf } from './clocks.ts'
import { fromNearestSlot, isDaily, knownZones, otherReadings, zoneFix } from './zone-trials.ts'

const FIRST_RUNS = 2
/** Minimum time between a run and a slot. A run that began closer to the slot may just have been delayed. */
const FAR_FROM_SLOT = 25 * MINUTE
const AT_ONCE = 90 * SECOND

/**
 * Finds a zone in which the first runs were on time. The probability that a job happens to begin right after a slot in some other zone is
 * about one in a thousand.
 */
export function zoneOfFirstRuns(reading: Reading): Advice | null {
  const { runs, verdicts, facts } = reading
  if (runs.length > FIRST_RUNS || verdicts.length !== runs.length || !isDaily(reading)) return null
  const distances = verdicts.map(({ run, delay }) => fromNearestSlot(reading, run.began - delay, run.began))
  const [newest, distance] = [verdicts.at(-1), distances.at(-1)]
  if (newest === undefined || distance === undefined || !verdicts.every(({ isLate }) => isLate)) return null
  if (distances.some((each) => Math.abs(each) < FAR_FROM_SLOT)) return null
  const isAtOnce = (tz: string) => {
    const slots = runs.map(({ began }) => lastSlot({ ...facts.check, tz }, began))
    return slots.every((slot, index) => slot !== null && (runs[index]?.began ?? 0) - slot <= AT_ONCE)
  }
  const tz = knownZones(reading).find(isAtOnce)
  if (tz === undefined) return null
  const isOne = runs.length === 1
  const says = [
    `The first ${isOne ? 'ping' : 'pings'} arrived at ${clockWords(tz, newest.run.began)}, `,
    { took: Math.round(Math.abs(distance) / MINUTE) * 60 },
    ` ${distance < 0 ? 'before' : 'after'} ${isOne ? 'it was' : 'they were'} due. Does the job run in ${placeOf(tz)}?`,
  ]
  return { kind: 'zone', variant: 'first', says, fix: zoneFix(tz), otherFixes: otherReadings(reading, verdicts) }
}
