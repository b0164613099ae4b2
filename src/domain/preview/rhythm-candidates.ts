/** Proposes timings that a check's runs may follow. A replay then determines whether they actually do. */

import { runs as ranges, stepped } from '../../lib/figures/number-lists.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../units.ts'
import { denseArc, modulo } from './dense-arc.ts'
import { localReadings } from './local-readings.ts'
import type { ReplayTiming } from './replay.ts'
import { busyPlaces, count, type Tally, tally, totals } from './tally.ts'

/** A run. Times are in milliseconds; `began` is the time since 1970. */
export interface PastRun {
  readonly began: number
  /** duration of the run; 0 if unknown */
  readonly took: number
}

export interface Candidate {
  readonly timing: ReplayTiming
  /** number of logged runs that don't fit the timing, plus the number of expected times without a run */
  readonly unfit: number
  /** longest time from an expected time to its run, in milliseconds */
  readonly delay: number
  /** usual time between runs, in milliseconds */
  readonly gap: number
}

/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 4

/** Minimum share of runs that must happen at the candidate's time of the hour or day. */
const SHARE = 0.9
/**
 * Minimum average number of runs per hour or date that a candidate lists. With fewer runs, it may just be a coincidence that only these
 * hours or dates have any.
 */
const RUNS_IN_EACH = 3
/** Maximum length of the log to examine: in hours for hourly rhythms, in days for daily ones. */
const PLACES = 7_000

/**
 * Returns candidates with times in `timeZone`.
 * @param runs oldest first
 * @param gap usual time between runs, in milliseconds
 */
export function cronCandidates(runs: readonly PastRun[], gap: number, timeZone: string): readonly Candidate[] {
  const readings = localReadings(
    timeZone,
    runs.map(({ began }) => began),
  )
  const found = gap < 20 * HOUR ? [byHours(readings, gap)] : byDays(readings, gap)
  const took = usualMost(runs.map((run) => run.took))
  return found.flatMap((rhythm) => (rhythm ? [candidateOf(rhythm, gap, took, timeZone)] : []))
}

interface Rhythm {
  /** cron expression */
  readonly schedule: string
  /** longest time from an expected time to its run, in milliseconds */
  readonly delay: number
  readonly unfit: number
}

function candidateOf({ schedule, delay, unfit }: Rhythm, gap: number, took: number, tz: string): Candidate {
  const graceSeconds = graceFor(Math.max(delay, took), gap)
  return {
    unfit,
    delay,
    gap,
    timing: { kind: 'cron', timeoutSeconds: Math.round(gap / SECOND), schedule, tz, graceSeconds },
  }
}

const GRACES = [
  60, 120, 300, 600, 900, 1_200, 1_800, 2_700, 3_600, 5_400, 7_200, 10_800, 14_400, 21_600, 28_800, 43_200, 86_400,
]

/**
 * Returns a grace time in seconds: one and a half times `needed`, but at least an hour or a quarter of the time between runs, whichever is
 * less.
 * @param needed longest delay or duration of a run, in milliseconds
 */
function graceFor(needed: number, gap: number): number {
  const wanted = Math.max(1.5 * needed, Math.min(gap / 4, HOUR)) / SECOND
  return GRACES.find((grace) => grace >= wanted) ?? 86_400
}

/** Returns the highest value, ignoring the top five percent. */
function usualMost(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0
}

/** The expected times as encoded local times, excluding runs at other times of the hour or day. */
interface Aligned {
  readonly slots: readonly number[]
  /** offset of the first slot within the cycle */
  readonly start: number
  readonly delay: number
}

/** @param widest maximum fraction of the cycle over which the runs may be spread */
function align(readings: readonly number[], cycle: number, widest: number): Aligned | null {
  const arc = denseArc(readings, cycle, SHARE)
  if (arc.width > cycle * widest) return null
  const start = roundedDown(arc.start, arc.width, cycle)
  const delay = arc.start + arc.width - start
  const slots = readings.flatMap((reading) => {
    const late = modulo(reading - start, cycle)
    return late <= delay ? [reading - late] : []
  })
  return { slots: [...new Set(slots)], start, delay }
}

/**
 * Rounds a start time down, because jobs are usually scheduled at round times. If the runs are spread out, even the earliest one may have
 * been a few minutes late.
 */
function roundedDown(start: number, width: number, cycle: number): number {
  const unit =
    width < 10 * MINUTE ? MINUTE : width < 30 * MINUTE ? 5 * MINUTE : width < 2 * HOUR ? 15 * MINUTE : HOUR / 2
  return Math.floor(start / Math.min(unit, cycle)) * Math.min(unit, cycle)
}

/** If at least this many hours of the day have runs, the other hours are assumed to lack runs only by chance. */
const MOST_HOURS = 22
const STEPS_OF_HOUR = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30]

/** Returns a rhythm with a run every few minutes, or with one run in each of certain hours, possibly limited to certain weekdays. */
function byHours(readings: readonly number[], gap: number): Rhythm | null {
  const step = gap > 45 * MINUTE ? 60 : STEPS_OF_HOUR.find((minutes) => Math.abs(minutes * MINUTE - gap) <= gap * 0.15)
  const aligned = step === undefined ? null : align(readings, step * MINUTE, 1 / 3)
  if (step === undefined || aligned === null) return null
  const { slots, start, delay } = aligned
  const [from, until] = [Math.floor((slots[0] ?? 0) / HOUR), Math.floor((slots.at(-1) ?? 0) / HOUR)]
  if (until - from > PLACES) return null
  const [byHour, byWeekday] = [tally(24), tally(7)]
  for (let hour = from; hour <= until; hour++) count(byHour.possible, modulo(hour, 24), 60 / step)
  for (const slot of slots) count(byHour.seen, modulo(Math.floor(slot / HOUR), 24), 1)
  const busyHours = busyPlaces(byHour)
  const hours = busyHours.length < MOST_HOURS ? busyHours : stepped(0, 23)
  if (hours.length < 24 && isByChance(slots, hours)) return null
  const isOfHours = (hour: number) => hours.includes(modulo(hour, 24))
  for (let hour = from; hour <= until; hour++)
    if (isOfHours(hour)) count(byWeekday.possible, weekdayOf(hour * HOUR), 60 / step)
  for (const slot of slots) if (isOfHours(Math.floor(slot / HOUR))) count(byWeekday.seen, weekdayOf(slot), 1)
  const weekdays = busyPlaces(byWeekday)
  const minute = start / MINUTE
  const minutes = step === 60 ? `${minute}` : minute === 0 ? (step === 1 ? '*' : `*/${step}`) : `${minute}-59/${step}`
  const unfit = unfitOf(readings.length, byWeekday, weekdays)
  return { schedule: `${minutes} ${fieldOf(hours, 24)} * * ${fieldOf(weekdays, 7)}`, delay, unfit }
}

/** Returns rhythms with runs at a single time of day, on certain weekdays or dates. */
function byDays(readings: readonly number[], gap: number): readonly Rhythm[] {
  const aligned = align(readings, DAY, 1 / 4)
  if (aligned === null) return []
  const { slots, start, delay } = aligned
  const [from, until] = [Math.floor((slots[0] ?? 0) / DAY), Math.floor((slots.at(-1) ?? 0) / DAY)]
  if (until - from > PLACES) return []
  const days = stepped(from, until).map((day) => day * DAY)
  const time = `${Math.floor(start / MINUTE) % 60} ${Math.floor(start / HOUR)}`
  const week = tallied(days, slots, 7, weekdayOf)
  const weekdays = busyPlaces(week)
  const weekly = {
    schedule: `${time} * * ${fieldOf(weekdays, 7)}`,
    delay,
    unfit: unfitOf(readings.length, week, weekdays),
  }
  if (gap < 6 * DAY) return [weekly]
  const month = tallied(days, slots, 32, dateOf)
  const dates = busyPlaces(month)
  const monthly = { schedule: `${time} ${dates.join(',')} * *`, delay, unfit: unfitOf(readings.length, month, dates) }
  const ends = tallied(days, slots, 2, (slot) => Number(dateOf(slot + DAY) === 1))
  const last = { schedule: `${time} L * *`, delay, unfit: unfitOf(readings.length, ends, [1]) }
  return isByChance(slots, dates) ? [weekly, last] : [weekly, monthly, last]
}

function tallied(
  days: readonly number[],
  slots: readonly number[],
  size: number,
  placeOf: (day: number) => number,
): Tally {
  const found = tally(size)
  for (const day of days) count(found.possible, placeOf(day), 1)
  for (const slot of slots) count(found.seen, placeOf(slot), 1)
  return found
}

/** @param all total number of runs, including those at other times of day */
function unfitOf(all: number, counts: Tally, places: readonly number[]): number {
  const { seen, possible } = totals(counts, places)
  return all - seen + Math.max(0, possible - seen)
}

function isByChance(slots: readonly number[], places: readonly number[]): boolean {
  return slots.length < places.length * RUNS_IN_EACH
}

/** Returns the weekday of an encoded local time; 0 is Sunday. */
function weekdayOf(reading: number): number {
  return modulo(Math.floor(reading / DAY) + FIRST_WEEKDAY, 7)
}

function dateOf(reading: number): number {
  return new Date(reading).getUTCDate()
}

/** Formats a cron field whose lowest value is 0: as `*`, as a step, or as ranges such as `1-5`. */
function fieldOf(values: readonly number[], size: number): string {
  if (values.length === size) return '*'
  const step = size / values.length
  const isEven = values.length > 1 && size === 24 && values.every((value, index) => value === index * step)
  return isEven ? `*/${step}` : ranges(values).join(',')
}
