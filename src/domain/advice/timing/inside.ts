/**
 * Asks whether the user meant another zone or time of day: every run begins within the grace time, so no alert is sent, but an outage would
 * be noticed late.
 */
import { median, spread } from '../../../lib/figures/statistics.ts'
import { MINUTE } from '../../units.ts'
import type { Advice } from '../advice.ts'
import type { Reading } from '../reading.ts'
import { isOnTime, type Verdict } from '../verdicts.ts'
import { placeOf } from './clocks.ts'
import { lateWords } from './time.ts'
import { timeFix } from './time-fix.ts'
import { distantWords } from './zone.ts'
import { DELAYS_COMPARED, firstZone, isDaily, knownZones, otherReadings, zoneFix } from './zone-trials.ts'

export function inside(reading: Reading): Advice | null {
  const newest = newestInside(reading)
  if (newest.length === 0) return null
  return zoneInside(reading, newest) ?? timeInside(reading, newest)
}

const DELAY_LEAST = 30 * MINUTE
/** Maximum spread of the delays. The start times of a job that waits for another job vary more. */
const SPREAD_MOST = MINUTE

/** Returns the newest runs if they all began within the grace time and with the same delay; otherwise none. */
function newestInside(reading: Reading): readonly Verdict[] {
  const { verdicts, hasStarts, isScheduled } = reading
  // A job that doesn't report its starts and always takes an hour would look the same.
  if (!isScheduled || !hasStarts || !isDaily(reading) || verdicts.length < DELAYS_COMPARED) return []
  const newest = verdicts.slice(-DELAYS_COMPARED)
  const delays = newest.map(({ delay }) => delay)
  const isInside = newest.every(isOnTime) && median(delays) >= DELAY_LEAST && spread(delays) <= SPREAD_MOST
  return isInside ? newest : []
}

const DELAY_IN_ZONE = 10 * MINUTE

function zoneInside(reading: Reading, newest: readonly Verdict[]): Advice | null {
  const isSoon = (verdict: Verdict) => isOnTime(verdict) && verdict.delay <= DELAY_IN_ZONE
  const found = firstZone(reading, knownZones(reading), (there) => there.slice(-DELAYS_COMPARED).every(isSoon))
  if (found === null) return null
  const says = [...distantWords(reading, found), `, within the grace time. Does the job run in ${placeOf(found.tz)}?`]
  return {
    kind: 'zone',
    variant: 'inside',
    says,
    fix: zoneFix(found.tz),
    otherFixes: otherReadings(reading, newest),
  }
}

function timeInside(reading: Reading, newest: readonly Verdict[]): Advice {
  const says = [
    ...lateWords(reading, newest),
    ' That is within the grace time, so no alert is sent, but an outage is noticed late.',
  ]
  return { kind: 'time', variant: 'inside', says, fix: timeFix(reading, newest), otherFixes: [] }
}
