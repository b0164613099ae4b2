/** *Zone*: the job runs as if its schedule were in another time zone. */
import { localReadings } from '../../preview/local-readings.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../units.ts'
import type { Advice, AdvicePart } from '../advice.ts'
import type { Reading } from '../reading.ts'
import { hardOf, isOnTime, missedOf, type Verdict } from '../verdicts.ts'
import { clockIn, clockWords, offsetWords, placeOf } from './clocks.ts'
import { zoneOfFirstRuns } from './zone-first.ts'
import { areTight, firstZone, fromNearestSlot, isDaily, knownZones, otherReadings, zoneFix } from './zone-trials.ts'

/**
 * Zones to try if neither the account nor another check uses a suitable zone: the most common server zones, and one zone for each of the
 * other offsets.
 */
const GUESSES = [
  ...['New_York', 'Los_Angeles', 'Chicago', 'Denver', 'Sao_Paulo', 'St_Johns'].map((city) => `America/${city}`),
  ...['London', 'Berlin', 'Helsinki', 'Istanbul'].map((city) => `Europe/${city}`),
  ...['Dubai', 'Karachi', 'Kolkata', 'Kathmandu', 'Dhaka', 'Bangkok', 'Shanghai', 'Tokyo'].map(
    (city) => `Asia/${city}`,
  ),
  ...['Australia/Adelaide', 'Australia/Sydney', 'Pacific/Auckland'],
]

export function zone(reading: Reading): Advice | null {
  if (!reading.isScheduled || reading.verdicts.length === 0) return null
  return zoneOfFirstRuns(reading) ?? zoneOfAllRuns(reading)
}

function zoneOfAllRuns(reading: Reading): Advice | null {
  const { verdicts } = reading
  if (!reading.isAlwaysLate && !isOftenUnfit(reading)) return null
  const known = firstZone(reading, knownZones(reading), (there) => fits(reading, there, tightness(reading)))
  if (known !== null) return advice('known', reading, known)
  // If a job was on time and then shifted by hours, a user rescheduled it, even if the shift equals a zone's offset.
  if (!isDaily(reading) || verdicts.some(isOnTime)) return null
  const guessed = firstZone(reading, GUESSES, (there) => fits(reading, there, TIGHT_FOR_GUESS))
  return guessed && advice('guess', reading, guessed)
}

const RUNS_JUDGED = 8
const UNFIT_SHARE = 0.15
const UNFIT_LEAST = 4
const RECENT = 2 * DAY

/** Whether many recent runs, on several days, are late or extra, or many slots were missed. */
function isOftenUnfit({ verdicts, facts, gap, now }: Reading): boolean {
  if (verdicts.length < RUNS_JUDGED || unfit(verdicts) < Math.max(UNFIT_LEAST, UNFIT_SHARE * verdicts.length)) {
    return false
  }
  const unfitOnes = verdicts.filter(({ isHard, missed }) => isHard || missed > 0)
  const times = unfitOnes.map(({ run }) => run.began).sort((a, b) => a - b)
  const days = new Set(localReadings(facts.check.tz, times).map((reading) => Math.floor(reading / DAY)))
  return days.size >= 2 && (times.at(-1) ?? 0) >= now - Math.max(RECENT, 3 * (gap ?? 0))
}

/** Returns the number of late runs, extra runs and missed slots. */
function unfit(verdicts: readonly Verdict[]): number {
  return hardOf(verdicts) + missedOf(verdicts)
}

/** Limits on the delays, in milliseconds: their spread and the usual delay. */
interface Tightness {
  readonly widest: number
  readonly usual: number
}

const TIGHT: Tightness = { widest: 10 * MINUTE, usual: 5 * MINUTE }
/** A start arrives when the job begins, so the job's duration is not part of its delay. */
const TIGHT_WITH_STARTS: Tightness = { widest: 15 * MINUTE, usual: 10 * MINUTE }
const TIGHT_FOR_GUESS: Tightness = { widest: 5 * MINUTE, usual: 5 * MINUTE }
const SHORT_GAP = 2 * HOUR

function tightness({ hasStarts, gap }: Reading): Tightness {
  const { widest, usual } = hasStarts ? TIGHT_WITH_STARTS : TIGHT
  return { widest: gap !== null && gap < SHORT_GAP ? Math.min(widest, gap / 2) : widest, usual }
}

const NEWEST = 3
const HARD_SHARE = 0.05
/** Minimum number of runs for which one late or extra run is tolerated. With fewer runs, none is. */
const RUNS_FOR_ONE_HARD = 5

/** Whether almost all runs in the log fit this zone, and fit it better than the current one. */
function fits({ verdicts: present }: Reading, there: readonly Verdict[], tight: Tightness): boolean {
  if (hardOf(there.slice(-NEWEST)) > 0 || missedOf(there) > missedOf(present) + 1) return false
  const mostHard = Math.max(there.length >= RUNS_FOR_ONE_HARD ? 1 : 0, HARD_SHARE * there.length)
  if (hardOf(there) > mostHard || unfit(there) > unfit(present) / 3 + 1 || unfit(there) >= unfit(present)) return false
  return areTight(there, tight)
}

interface Found {
  readonly tz: string
  readonly verdicts: readonly Verdict[]
}

function advice(variant: 'known' | 'guess', reading: Reading, found: Found): Advice {
  const says = variant === 'known' ? knownWords(reading, found) : guessWords(reading, found)
  const late = reading.verdicts.slice(-NEWEST).filter(({ isLate, passed }) => isLate && passed > 0)
  return { kind: 'zone', variant, says, fix: zoneFix(found.tz), otherFixes: otherReadings(reading, late) }
}

/** Returns a sentence such as `Runs at 03:00 UTC, 1 h after it is due. In UTC, 30 of 30 runs would have been on time; now none.` */
function knownWords(reading: Reading, { tz, verdicts }: Found): readonly AdvicePart[] {
  const [onTime, onTimeNow] = [verdicts, reading.verdicts].map((each) => each.filter(isOnTime).length)
  const share = `${onTime} of ${verdicts.length} runs would have been on time; now ${onTimeNow || 'none'}.`
  return [...distantWords(reading, { tz, verdicts }), `. In ${placeOf(tz)}, ${share}`]
}

/** Returns a sentence such as `Runs 5 h after it is due, at 03:00 in New York (UTC−5, −4 in summer). Where is the machine?` */
function guessWords(reading: Reading, { tz, verdicts }: Found): readonly AdvicePart[] {
  const slot = newestSlot(verdicts)
  const place = `${placeOf(tz)} (${offsetWords(tz, reading.now)})`
  return ['Runs ', ...distanceWords(reading, slot), `, at ${clockIn(tz, slot)} in ${place}. Where is the machine?`]
}

/** Returns a phrase such as `Runs at 03:00 UTC, 1 h after it is due`. Omits the time if the job runs several times a day. */
export function distantWords(reading: Reading, { tz, verdicts }: Found): readonly AdvicePart[] {
  const slot = newestSlot(verdicts)
  return [isDaily(reading) ? `Runs at ${clockWords(tz, slot)}, ` : 'Runs ', ...distanceWords(reading, slot)]
}

/** Returns the newest slot. A slot is a round time that a user chose, unlike the time at which a run began. */
function newestSlot(verdicts: readonly Verdict[]): number {
  const newest = verdicts.at(-1)
  return newest === undefined ? 0 : newest.run.began - newest.delay
}

/** @param slot the newest slot in the other zone */
function distanceWords(reading: Reading, slot: number): readonly AdvicePart[] {
  const distance = fromNearestSlot(reading, newestSlot(reading.verdicts), slot)
  return [{ took: Math.abs(distance) / SECOND }, ` ${distance < 0 ? 'before' : 'after'} it is due`]
}
