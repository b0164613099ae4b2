/** The time zones to try for a schedule, and the verdicts on its runs in each zone. All times are in milliseconds. */
import { median, spread } from '../../../lib/figures/statistics.ts'
import { isTimeZone } from '../../schedule/time-zones.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../units.ts'
import type { Fix } from '../advice.ts'
import type { Reading } from '../reading.ts'
import { graceForNeed } from '../round.ts'
import type { Run } from '../runs.ts'
import { slotsAfter } from '../slots-passed.ts'
import { delaysOf, hardOf, missedOf, type Verdict, verdictsOf } from '../verdicts.ts'
import { offsetsOf } from './clocks.ts'
import { timeFix } from './time-fix.ts'

/** Minimum time between two runs of a daily job. */
const ONE_A_DAY = 20 * HOUR

export function isDaily({ gap }: Reading): boolean {
  return gap !== null && gap >= ONE_A_DAY
}

/** Returns UTC, then the zones of other checks (most used first), then the account's zone. */
export function knownZones({ facts }: Reading): readonly string[] {
  const uses = new Map<string, number>()
  for (const zone of facts.siblingZones) uses.set(zone, (uses.get(zone) ?? 0) + 1)
  const siblings = [...uses].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([zone]) => zone)
  const account = facts.accountZone === null ? [] : [facts.accountZone]
  return [...new Set(['UTC', ...siblings, ...account])].filter(isTimeZone)
}

interface Trial {
  readonly tz: string
  /** verdicts on the runs that count, judged as if the schedule were in this zone */
  readonly verdicts: readonly Verdict[]
}

/**
 * Returns the first suitable zone. A zone is not suitable if one of the last three runs is late or extra in it.
 * @param suits called only for zones in which the newest run may have begun soon after a slot
 */
export function firstZone(
  reading: Reading,
  zones: readonly string[],
  suits: (verdicts: readonly Verdict[]) => boolean,
): Trial | null {
  const { runs } = reading
  const tried = new Set<string>()
  for (const tz of zones) {
    const ahead = aheadOf(reading, tz)
    const clocks = ahead.join()
    // Zones whose offsets were the same throughout the log give the same result.
    if (tried.has(clocks) || !maySuit(reading, ahead)) continue
    tried.add(clocks)
    if (hardOf(judgedIn(reading, tz, runs.slice(-NEWEST - 1)).slice(-NEWEST)) > 0 || !helps(reading, tz)) continue
    const verdicts = judgedIn(reading, tz, runs)
    if (suits(verdicts)) return { tz, verdicts }
  }
  return null
}

function judgedIn({ facts }: Reading, tz: string, runs: readonly Run[]): readonly Verdict[] {
  return verdictsOf({ ...facts.check, tz }, runs, { ...facts.check, away: facts.away })
}

const NEWEST = 3
const UNFIT_TRIED = 6

/**
 * Whether at least one of the newest late or extra runs fits better in this zone; true if there are no such runs. If the result is false,
 * there is no need to search for the slots of all other runs.
 */
function helps(reading: Reading, tz: string): boolean {
  const { runs, verdicts } = reading
  const unfit = verdicts.filter(({ isHard }) => isHard).slice(-UNFIT_TRIED)
  return (
    unfit.length === 0 ||
    unfit.some((present) => {
      const index = runs.indexOf(present.run)
      const there = judgedIn(reading, tz, runs.slice(Math.max(0, index - 1), index + 1))
      return hardOf(there.slice(-1)) + missedOf(there.slice(-1)) < hardOf([present]) + missedOf([present])
    })
  )
}

/** Returns, for the start of each run, how far the zone's clocks were ahead of those in the check's zone. */
function aheadOf({ facts, verdicts }: Reading, tz: string): readonly number[] {
  const times = verdicts.map(({ run }) => run.began).sort((a, b) => a - b)
  const present = offsetsOf(facts.check.tz, times)
  return offsetsOf(tz, times).map((offset, index) => offset - (present[index] ?? 0))
}

/**
 * Maximum delay to consider, longer than any acceptable one. This limit eliminates most zones without a search for slots, which is the
 * slowest step.
 */
const DELAY_TRIED = 30 * MINUTE
/** Number of runs to consider. A single run near a clock change could be misleading. */
const RUNS_TRIED = 3

/**
 * Whether the zone could be suitable, judged by its UTC offsets alone: they must differ from those of the check's zone and, for a daily
 * job, at least one of the newest runs may be on time.
 */
function maySuit(reading: Reading, ahead: readonly number[]): boolean {
  if (ahead.every((difference) => difference === 0)) return false
  const newest = reading.verdicts.slice(-RUNS_TRIED)
  const isSoon = ({ delay }: Verdict, index: number) => {
    const there = delay + (ahead.at(index - newest.length) ?? 0)
    return ((there % DAY) + DAY) % DAY <= DELAY_TRIED
  }
  return !isDaily(reading) || newest.some((verdict, index) => verdict.passed === 0 || isSoon(verdict, index))
}

/** Number of newest runs to compare to see whether they all start at the same time. */
export const DELAYS_COMPARED = 8

/** Whether the newest runs began soon after their slots and with the same delay. */
export function areTight(
  verdicts: readonly Verdict[],
  { widest, usual }: { readonly widest: number; readonly usual: number },
): boolean {
  const delays = delaysOf(verdicts.slice(-DELAYS_COMPARED))
  return spread(delays) <= widest && median(delays) <= usual
}

/** Returns the time since the nearest slot; negative if the slot is later. */
export function fromNearestSlot({ facts }: Reading, slotBefore: number, at: number): number {
  const [next] = slotsAfter(facts.check, at, 1)
  const late = at - slotBefore
  return next !== undefined && next - at < late ? at - next : late
}

export function zoneFix(tz: string): Fix {
  return { do: 'set', settings: { tz } }
}

const GRACE_SHARE = 0.75

/**
 * Returns the fix "It runs at 04:00" and, for a job without starts, the fix "It takes that long".
 * @param late runs that are late by the same amount
 */
export function otherReadings(reading: Reading, late: readonly Verdict[]): readonly Fix[] {
  if (late.length === 0) return []
  const atThatTime = timeFix(reading, late)
  const times = atThatTime.do === 'set' ? [atThatTime] : []
  const grace = graceForNeed(Math.max(...late.map(({ need }) => need)))
  if (reading.hasStarts || grace > GRACE_SHARE * (reading.gap ?? 0)) return times
  return [...times, { do: 'set', settings: { grace: grace / SECOND } }]
}
