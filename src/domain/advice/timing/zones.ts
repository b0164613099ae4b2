/** *Zone*: the job comes as if its schedule were read in another zone. */
import { median, spread } from '../../../lib/figures/statistics.ts'
import { localReadings } from '../../preview/local-readings.ts'
import type { Advice, AdvicePart, Fix } from '../advice.ts'
import type { Reading } from '../reading.ts'
import { graceForNeed } from '../round.ts'
import { lastSlot, slotsAfter } from '../slots-passed.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../units.ts'
import { delaysOf, isOnTime, type Verdict, verdictsOf } from '../verdicts.ts'
import { clockIn, offsetsOf, offsetWords, placeOf } from './clocks.ts'
import { timeFix } from './time-fix.ts'

/** From here on a run is one of a day. */
const ONE_A_DAY = 20 * HOUR

/** The largest offsets that people live in, where nobody named a zone. */
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
  return firstDay(reading) ?? ladder(reading)
}

/** UTC, then those of other checks, the most used first, then the account's. */
function knownZones({ facts }: Reading): readonly string[] {
  const uses = new Map<string, number>()
  for (const zone of facts.siblingZones) uses.set(zone, (uses.get(zone) ?? 0) + 1)
  const siblings = [...uses].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([zone]) => zone)
  const account = facts.accountZone === null ? [] : [facts.accountZone]
  return [...new Set(['UTC', ...siblings, ...account])].filter((zone) => zone !== facts.check.tz)
}

const FIRST_RUNS = 2
/** A run that is nearer to its slot may have been delayed. */
const FAR_FROM_SLOT = 25 * MINUTE
const AT_ONCE = 90 * SECOND

/** Asked after a run or two: a job that comes right after a slot of another zone does so by chance once in a thousand times. */
function firstDay(reading: Reading): Advice | null {
  const { runs, verdicts, gap, facts } = reading
  if (runs.length > FIRST_RUNS || verdicts.length !== runs.length || (gap ?? 0) < ONE_A_DAY) return null
  const distances = verdicts.map((verdict) => fromNearestSlot(reading, verdict))
  if (!verdicts.every(({ isLate }) => isLate) || distances.some((distance) => Math.abs(distance) < FAR_FROM_SLOT)) {
    return null
  }
  const isAtOnce = (tz: string) =>
    runs.every(({ began }) => began - (lastSlot({ ...facts.check, tz }, began) ?? 0) <= AT_ONCE)
  const found = knownZones(reading).find(isAtOnce)
  const newest = verdicts.at(-1)
  if (found === undefined || newest === undefined) return null
  const distance = distances.at(-1) ?? 0
  const says = [
    runs.length === 1 ? 'The first ping came' : 'The first pings came',
    ` at ${clockIn(found, newest.run.began)} ${nameOf(found)}, `,
    { took: Math.round(Math.abs(distance) / MINUTE) * 60 },
    ` ${distance < 0 ? 'before' : 'after'} it is due here. Does the job run in ${nameOf(found)}?`,
  ]
  return { kind: 'zone', variant: 'first', says, fix: setZone(found), otherFixes: otherReadings(reading, verdicts) }
}

/** Milliseconds; negative before it. */
function fromNearestSlot({ facts }: Reading, { run, delay }: Verdict): number {
  const [next] = slotsAfter(facts.check, run.began, 1)
  const early = next === undefined ? Number.POSITIVE_INFINITY : next - run.began
  return early < delay ? -early : delay
}

/** The zone that fits all runs, if the present one does not. */
function ladder(reading: Reading): Advice | null {
  const { verdicts, gap } = reading
  if (!reading.isAlwaysLate && !isOftenHard(reading)) return null
  const known = firstFitting(reading, knownZones(reading), false)
  if (known !== null) return { ...advice(reading, known), variant: 'known' }
  // A job that was on time and then moved by hours was moved, whatever zone that difference is somewhere.
  if ((gap ?? 0) < ONE_A_DAY || verdicts.some(isOnTime)) return null
  const guessed = firstFitting(reading, GUESSES, true)
  return guessed && guess(reading, guessed)
}

const RUNS_JUDGED = 8
const HARD_SHARE = 0.15
const HARD_LEAST = 4
const RECENT = 2 * DAY

/** Many runs are late or extra, or slots missed, on several days and lately. */
function isOftenHard({ verdicts, facts, gap, now }: Reading): boolean {
  if (verdicts.length < RUNS_JUDGED) return false
  const unfit = verdicts.filter(({ isHard, missed }) => isHard || missed > 0)
  if (hardAndMissed(verdicts) < Math.max(HARD_LEAST, HARD_SHARE * verdicts.length)) return false
  const times = unfit.map(({ run }) => run.began).sort((a, b) => a - b)
  const days = new Set(localReadings(facts.check.tz, times).map((reading) => Math.floor(reading / DAY)))
  return days.size >= 2 && (times.at(-1) ?? 0) >= now - Math.max(RECENT, 3 * (gap ?? 0))
}

function hardAndMissed(verdicts: readonly Verdict[]): number {
  return countOf(verdicts, ({ isHard }) => isHard) + missedOf(verdicts)
}

function countOf(verdicts: readonly Verdict[], is: (verdict: Verdict) => boolean): number {
  return verdicts.filter(is).length
}

function missedOf(verdicts: readonly Verdict[]): number {
  return verdicts.reduce((sum, { missed }) => sum + missed, 0)
}

interface FittingZone {
  readonly tz: string
  /** the runs, judged in it */
  readonly verdicts: readonly Verdict[]
}

function firstFitting(reading: Reading, zones: readonly string[], isGuess: boolean): FittingZone | null {
  const tried = new Set<string>()
  for (const tz of zones) {
    const ahead = aheadOf(reading, tz)
    const key = ahead.join()
    // Zones whose clocks showed the same in the whole log fit alike.
    if (tried.has(key) || !mayFit(reading, ahead)) continue
    tried.add(key)
    const verdicts = judgedIn(reading, tz)
    if (fits(reading, verdicts, isGuess)) return { tz, verdicts }
  }
  return null
}

/** Milliseconds that its clocks were ahead of those of the check at the beginning of each run. */
function aheadOf({ facts, verdicts }: Reading, tz: string): readonly number[] {
  const times = verdicts.map(({ run }) => run.began).sort((a, b) => a - b)
  const present = offsetsOf(facts.check.tz, times)
  return offsetsOf(tz, times).map((offset, index) => offset - (present[index] ?? 0))
}

/** Looser than what fits: it spares to look for slots in most zones. */
const DELAY_TRIED = 30 * MINUTE

/** Whether the newest run would come soon after a slot. Told from offsets only where the time of the day is the same each day. */
function mayFit({ gap, verdicts }: Reading, ahead: readonly number[]): boolean {
  if (ahead.every((difference) => difference === 0)) return false
  const newest = verdicts.at(-1)
  if ((gap ?? 0) < ONE_A_DAY || !newest || newest.passed === 0) return true
  const delay = newest.delay + (ahead.at(-1) ?? 0)
  return ((delay % DAY) + DAY) % DAY <= DELAY_TRIED
}

function judgedIn({ facts, runs }: Reading, tz: string): readonly Verdict[] {
  return verdictsOf({ ...facts.check, tz }, runs, { ...facts.check, away: facts.away })
}

const NEWEST = 3
const DELAYS_COMPARED = 8
const SHORT_GAP = 2 * HOUR

function fits(reading: Reading, verdicts: readonly Verdict[], isGuess: boolean): boolean {
  const present = reading.verdicts
  const hard = countOf(verdicts, ({ isHard }) => isHard)
  if (verdicts.slice(-NEWEST).some(({ isHard }) => isHard)) return false
  if (hard > Math.max(verdicts.length >= 5 ? 1 : 0, 0.05 * verdicts.length)) return false
  const [unfit, unfitNow] = [hardAndMissed(verdicts), hardAndMissed(present)]
  if (unfit > unfitNow / 3 + 1 || unfit >= unfitNow) return false
  return missedOf(verdicts) <= missedOf(present) + 1 && areTight(reading, verdicts, isGuess)
}

/** Whether runs come soon after their slots, one as the other. */
function areTight({ hasStarts, gap }: Reading, verdicts: readonly Verdict[], isGuess: boolean): boolean {
  const delays = delaysOf(verdicts.slice(-DELAYS_COMPARED))
  const [widest, usual] = isGuess ? [5, 5] : hasStarts ? [15, 10] : [10, 5]
  const widestHere = gap !== null && gap < SHORT_GAP ? Math.min(widest * MINUTE, gap / 2) : widest * MINUTE
  return spread(delays) <= widestHere && median(delays) <= usual * MINUTE
}

/** `Comes at 03:00 UTC, 1 h after it is due. In UTC 30 of 30 runs would have been on time, now none.` */
function advice(reading: Reading, { tz, verdicts }: FittingZone): Advice {
  const onTime = countOf(verdicts, isOnTime)
  const onTimeNow = countOf(reading.verdicts, isOnTime)
  const fit = `In ${nameOf(tz)}, ${onTime} of ${verdicts.length} runs would have been on time; now ${amount(onTimeNow)}.`
  const says = [...comes(reading, { tz, verdicts }), `. ${fit}`]
  const otherFixes = otherReadings(reading, lateOnes(reading))
  return { kind: 'zone', variant: 'known', says, fix: setZone(tz), otherFixes }
}

/** `Comes at 03:00, 5 h after it is due, as in New York (UTC−5, −4 in summer). Where does the machine stand?` */
function guess(reading: Reading, fitting: FittingZone): Advice {
  const { tz } = fitting
  const place = `${placeOf(tz)} (${offsetWords(tz, reading.now)})`
  const says = [...comes(reading, fitting), `, as in ${place}. Where does the machine stand?`]
  const otherFixes = otherReadings(reading, lateOnes(reading))
  return { kind: 'zone', variant: 'guess', says, fix: setZone(tz), otherFixes }
}

/** Both times are those of slots, so that they are as round as people set them. */
function comes({ verdicts, gap }: Reading, fitting: FittingZone): readonly AdvicePart[] {
  const [newest, there] = [verdicts.at(-1), fitting.verdicts.at(-1)]
  if (!newest || !there) return []
  const slot = newest.run.began - newest.delay
  const slotThere = there.run.began - there.delay
  const late = { took: Math.round(Math.abs(slotThere - slot) / SECOND) }
  const order = slotThere < slot ? 'before' : 'after'
  const clock = `Comes at ${clockIn(fitting.tz, slotThere)} ${nameOf(fitting.tz)}, `
  return [(gap ?? 0) < ONE_A_DAY ? 'Comes ' : clock, late, ` ${order} it is due`]
}

function lateOnes({ verdicts }: Reading): readonly Verdict[] {
  return verdicts.slice(-NEWEST).filter(({ isLate, passed }) => isLate && passed > 0)
}

/** "It runs at 04:00", and without starts "It takes that long". */
function otherReadings(reading: Reading, late: readonly Verdict[]): readonly Fix[] {
  if (late.length === 0) return []
  const atThatTime = timeFix(reading, late)
  const times = atThatTime.do === 'set' ? [atThatTime] : []
  if (reading.hasStarts) return times
  const grace = graceForNeed(Math.max(...late.map(({ need }) => need)))
  const isShort = grace <= 0.75 * (reading.gap ?? 0)
  return isShort ? [...times, { do: 'set', settings: { grace: grace / SECOND } }] : times
}

function setZone(tz: string): Fix {
  return { do: 'set', settings: { tz } }
}

function nameOf(zone: string): string {
  return zone === 'UTC' ? zone : `${placeOf(zone)}`
}

function amount(number: number): string {
  return number === 0 ? 'none' : `${number}`
}

const INSIDE_LEAST = 30 * MINUTE
const INSIDE_SPREAD = MINUTE
const INSIDE_DELAY = 10 * MINUTE

/** The newest runs, if they all begin at the same time, in time and long after they are due; otherwise none. */
export function insideGrace({ verdicts, gap, hasStarts, isScheduled }: Reading): readonly Verdict[] {
  if (!isScheduled || !hasStarts || (gap ?? 0) < ONE_A_DAY || verdicts.length < DELAYS_COMPARED) return []
  const newest = verdicts.slice(-DELAYS_COMPARED)
  const delays = newest.map(({ delay }) => delay)
  const isInside = newest.every(isOnTime) && median(delays) >= INSIDE_LEAST
  // What follows another job varies more.
  return isInside && spread(delays) <= INSIDE_SPREAD ? newest : []
}

/** No alert comes of it, but news come late. */
export function zoneInside(reading: Reading): Advice | null {
  const newest = insideGrace(reading)
  if (newest.length === 0) return null
  const found = knownZones(reading).find((tz) => {
    if (!mayFit(reading, aheadOf(reading, tz))) return false
    const there = judgedIn(reading, tz).slice(-DELAYS_COMPARED)
    return there.every((verdict) => isOnTime(verdict) && verdict.delay <= INSIDE_DELAY)
  })
  if (found === undefined) return null
  const parts = comes(reading, { tz: found, verdicts: judgedIn(reading, found) })
  const says = [...parts, `, within the grace time. Does the job run in ${nameOf(found)}?`]
  return { kind: 'zone', variant: 'inside', says, fix: setZone(found), otherFixes: otherReadings(reading, newest) }
}
