/** Proposes a schedule that fits the runs in a log, such as one limited to certain hours, weekdays or dates. */

import { median } from '../../lib/figures/statistics.ts'
import { passedSlots, type Timing } from '../check/slots.ts'
import { localReadings } from '../preview/local-readings.ts'
import type { ReplayTiming } from '../preview/replay.ts'
import { type Candidate, cronCandidates } from '../preview/rhythm-candidates.ts'
import { parseCron } from '../schedule/cron.ts'
import { isTimeZone } from '../schedule/time-zones.ts'
import { DAY, HOUR, SECOND } from '../units.ts'
import type { Facts } from './facts.ts'
import { roundGrace } from './round.ts'
import type { Run } from './runs.ts'
import { hardOf, missedOf, type Verdict, verdictsOf } from './verdicts.ts'

export interface Proposal {
  readonly timing: ReplayTiming
  /** number of runs per week under the proposal, divided by the number under the current schedule */
  readonly share: number
  /** weekdays of the proposal; 0 is Sunday */
  readonly weekdays: readonly number[]
}

const RUNS_NEEDED = 8
const FITTING = 0.9
const MISSED = 0.25

/** The runs and settings on which a proposal is based; see `Reading`. */
interface Past {
  readonly facts: Facts
  readonly now: number
  readonly grace: number
  readonly isScheduled: boolean
  readonly runs: readonly Run[]
  readonly runsSinceChange: readonly Run[]
  readonly distances: readonly number[]
  readonly verdicts: readonly Verdict[]
  readonly isAlwaysLate: boolean
}

/**
 * Proposes a schedule that fits the runs. Returns null if the current settings fit well enough, there are too few runs, or no such schedule
 * fits.
 */
export function proposalFrom(reading: Past): Proposal | null {
  const { facts } = reading
  if (reading.runsSinceChange.length < RUNS_NEEDED || !isUnfit(reading)) return null
  const found = bestCandidate(reading)
  if (found === null || !isLongEnough(reading, found.timing)) return null
  const timing = { ...facts.check, ...found.timing, graceSeconds: graceOf(reading, found.gap) }
  const verdicts = verdictsOf(timing, reading.runs, { ...facts.check, away: facts.away })
  if (!fits(reading, verdicts) || !areDaysProven(reading, timing, verdicts)) return null
  const share = runsAWeek(timing, reading.now) / runsAWeek(facts.check, reading.now)
  return { timing, share, weekdays: parseCron(timing.schedule).weekdays }
}

const MISSED_LEAST = 4
const STRETCHES = 2
const EXTRA_SHARE = 0.5
const SILENCES = 2
const RUNS_OF_PERIOD = 9
const DAYS_OF_PERIOD = 11

function isUnfit(reading: Past): boolean {
  return reading.isAlwaysLate || (reading.isScheduled ? isScheduleUnfit(reading) : isPeriodUnfit(reading))
}

function isScheduleUnfit({ verdicts }: Past): boolean {
  const missed = verdicts.map((verdict) => verdict.missed).filter((amount) => amount > 0)
  const isMissing = missed.length >= STRETCHES && missedOf(verdicts) >= MISSED_LEAST
  return isMissing || verdicts.filter(({ isExtra }) => isExtra).length >= EXTRA_SHARE * verdicts.length
}

function isPeriodUnfit({ verdicts, facts, grace, runsSinceChange: runs }: Past): boolean {
  if (runs.length < RUNS_OF_PERIOD || daysOf(runs) < DAYS_OF_PERIOD) return false
  const long = grace + Math.min(facts.check.timeoutSeconds * SECOND, 12 * HOUR)
  return verdicts.filter(({ delay }) => delay > long).length >= SILENCES
}

function daysOf(runs: readonly Run[]): number {
  return ((runs.at(-1)?.began ?? 0) - (runs[0]?.began ?? 0)) / DAY
}

/** Number of additional runs that must fit before a proposal changes the time zone too. */
const FITS_MORE = 2

function bestCandidate(reading: Past): Candidate | null {
  const began = reading.runsSinceChange.map((run) => ({ began: run.began, took: run.duration ?? 0 }))
  const past = began.sort((a, b) => a.began - b.began)
  const gap = median(reading.distances)
  let best: Candidate | null = null
  for (const zone of zonesOf(reading)) {
    const [found] = cronCandidates(past, gap, zone).toSorted((a, b) => a.unfit - b.unfit)
    if (found && (best === null || found.unfit <= best.unfit - FITS_MORE)) best = found
  }
  return best
}

function zonesOf({ facts, isScheduled }: Past): readonly string[] {
  const { check, accountZone, siblingZones } = facts
  const own = isScheduled ? [check.tz] : accountZone === null ? [] : [accountZone]
  return [...new Set([...own, ...siblingZones, 'UTC'])].filter(isTimeZone)
}

/** Maximum grace time, as a fraction of the proposed time between runs. A longer grace time would hide outages. */
const TOO_LONG = 0.9

function graceOf({ grace }: Past, gap: number): number {
  return (grace >= TOO_LONG * gap ? roundGrace(gap / 4) : grace) / SECOND
}

const WEEKEND = [0, 6]
const DAYS_FOR_WEEKEND = 11
const DAYS_FOR_WEEKDAYS = 18
const DAYS_FOR_HOURS = 3
const ON_DAYS_LEFT_OUT = 0.02

/** Whether the log covers enough time. A single day or hour without runs may have been an outage, so the log must contain several. */
function isLongEnough({ facts, runsSinceChange: runs }: Past, { schedule, tz }: Timing): boolean {
  const { hours } = parseCron(schedule)
  const days = daysOf(runs)
  const left = daysLeftOut(schedule)
  if (left.length > 0 && days < (isWeekend(left) ? DAYS_FOR_WEEKEND : DAYS_FOR_WEEKDAYS)) return false
  if (hours.length > 1 && hours.length < 24 && days < DAYS_FOR_HOURS) return false
  // A start without an end also proves that the job runs on that day.
  const starts = facts.log.filter(({ kind, at }) => kind === 'start' && at >= facts.check.changedAt).map(({ at }) => at)
  const onLeft = (times: readonly number[]) =>
    localReadings(
      tz,
      times.toSorted((a, b) => a - b),
    ).filter((reading) => left.includes(new Date(reading).getUTCDay())).length
  return Math.max(onLeft(runs.map(({ began }) => began)), onLeft(starts)) <= ON_DAYS_LEFT_OUT * runs.length
}

/** Returns the weekdays on which the schedule has no runs; 0 is Sunday. */
function daysLeftOut(schedule: string): readonly number[] {
  const { weekdays } = parseCron(schedule)
  return [0, 1, 2, 3, 4, 5, 6].filter((day) => !weekdays.includes(day))
}

function isWeekend(days: readonly number[]): boolean {
  return days.length === WEEKEND.length && WEEKEND.every((day) => days.includes(day))
}

const SKIPS = 3

/**
 * Whether the job skipped each omitted weekday often enough. A skipped day does not count if the slot before or after it was also missed,
 * because that looks like an outage.
 */
function areDaysProven({ runs }: Past, { schedule, tz }: Timing, verdicts: readonly Verdict[]): boolean {
  const left = daysLeftOut(schedule)
  if (left.length === 0 || isWeekend(left)) return true
  const sorted = runs.toSorted((a, b) => a.began - b.began)
  const inTime = new Set(verdicts.filter(({ missed }) => missed === 0).map(({ run }) => run))
  const began = sorted.map((run) => run.began)
  const days = localReadings(tz, began).map((reading) => Math.floor(reading / DAY))
  const skips = new Map<number, number>()
  for (const [index, run] of sorted.entries()) {
    const [from, until] = [days[index - 1], days[index]]
    if (from === undefined || until === undefined || !inTime.has(run)) continue
    for (let day = from + 1; day < until; day += 1) {
      const weekday = new Date(day * DAY).getUTCDay()
      skips.set(weekday, (skips.get(weekday) ?? 0) + 1)
    }
  }
  return left.every((day) => (skips.get(day) ?? 0) >= SKIPS)
}

/** Maximum fraction of misses that may remain under the proposal. Slots missed during an outage are missed under any schedule. */
const BETTER = 0.5

function fits({ verdicts: present }: Past, verdicts: readonly Verdict[]): boolean {
  const missed = missedOf(verdicts)
  const hard = hardOf(verdicts)
  if (verdicts.length - hard < FITTING * verdicts.length || missed > MISSED * (verdicts.length + missed)) return false
  return hard + missed <= BETTER * (hardOf(present) + missedOf(present))
}

const WEEK = 7 * DAY
const WEEKS_COUNTED = 8
const SLOTS_COUNTED = 500

function runsAWeek(timing: Timing, now: number): number {
  if (timing.kind === 'simple') return WEEK / (timing.timeoutSeconds * SECOND)
  return (timing.kind === 'cron' ? weeklyRuns(timing.schedule) : null) ?? countedRuns(timing, now)
}

/** Returns the number of runs per week; null if the number varies from week to week. */
function weeklyRuns(cron: string): number | null {
  const { minutes, hours, days, months, weekdays, nthWeekdays } = parseCron(cron)
  const isWeekly = days.length === 31 && months.length === 12 && nthWeekdays.length === 0
  return isWeekly ? minutes.length * hours.length * weekdays.length : null
}

function countedRuns(timing: Timing, now: number): number {
  const stretch = { from: now, until: now + WEEKS_COUNTED * WEEK }
  const { count, last } = passedSlots(timing, now, stretch, SLOTS_COUNTED)
  const counted = count === SLOTS_COUNTED ? (last ?? now) - now : WEEKS_COUNTED * WEEK
  return count / (counted / WEEK)
}
