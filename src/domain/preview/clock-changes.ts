/** Finds the next clock changes in a time zone and their effects on a schedule. */
import { type Instant, Temporal } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import { parseOnCalendar } from '../schedule/oncalendar.ts'
import { nextMilliseconds } from '../schedule/schedule.ts'
import { DAY, SECOND } from '../units.ts'
import { type ClockEffect, clockBefore, clockChangeWords, clockOf, type Transition } from './clock-change-words.ts'

export interface ClockChange {
  readonly at: Instant
  /** local time just before the change, such as `03:00`, or `24:00` if clocks go back at midnight */
  readonly before: string
  /** local time just after the change, such as `04:00` */
  readonly after: string
  readonly isForward: boolean
  /**
   * `moved`: runs at skipped times happen at the moment of the change instead. `untouched` also applies to schedules that keep their
   * rhythm, such as hourly ones, and to repeated times at which the job runs only once
   */
  readonly effect: ClockEffect
  /** a phrase such as `On 28 March 2027 clocks go forward from 03:00 to 04:00. The run at 03:30 moves to 04:00 that day.` */
  readonly words: string
}

/** Lines of a schedule that have the same time zone. */
interface ZonedSchedule {
  readonly text: string
  readonly timeZone: string
}

/** Maximum number of skipped or repeated times to list. */
const NAMED = 3
/** Maximum number of runs to compare on a day. If these runs keep their rhythm, the others do too. */
const COMPARED = 25

/**
 * Returns the next clock changes after `from`, oldest first. Determines how each one affects the schedule by searching for runs around it.
 * @param timing must have a valid schedule and zone
 * @param until end of the search
 * @returns an empty list for a simple check, or if the zone has no clock changes
 */
export function clockChanges(
  timing: Pick<Check, 'kind' | 'schedule' | 'tz'>,
  from: Instant,
  count = 2,
  until: Instant | null = null,
): readonly ClockChange[] {
  if (timing.kind === 'simple') return []
  const changes = byZone(timing).flatMap((zoned) =>
    transitions(zoned.timeZone, from, count).map((transition) => ({ zoned, transition })),
  )
  return changes
    .filter(({ transition }) => until === null || transition.at <= until.epochMilliseconds)
    .sort((a, b) => a.transition.at - b.transition.at)
    .slice(0, count)
    .map(({ zoned, transition }) => changeOf(zoned, transition, zoned.timeZone === timing.tz ? null : zoned.timeZone))
}

/**
 * Returns the first run after the next clock change.
 * @param timing must have a valid schedule and zone
 * @param zones IANA names of the zones to search for clock changes
 * @returns null for a simple check, if the schedule ends before the change, or if there is no change
 */
export function firstRunAfterChange(
  { kind, schedule, tz }: Pick<Check, 'kind' | 'schedule' | 'tz'>,
  zones: readonly string[],
  from: Instant,
): Instant | null {
  if (kind === 'simple') return null
  const changes = zones.flatMap((zone) => {
    const next = from.toZonedDateTimeISO(zone).getTimeZoneTransition('next')
    return next === null ? [] : [next.epochMilliseconds]
  })
  if (changes.length === 0) return null
  const run = nextMilliseconds(schedule, tz, Math.min(...changes) - SECOND)
  return run === null ? null : Temporal.Instant.fromEpochMilliseconds(run)
}

function changeOf(zoned: ZonedSchedule, transition: Transition, namedZone: string | null): ClockChange {
  const { at, before, after } = transition
  const found = timesBetween(zoned, Math.min(before, after), Math.max(before, after), NAMED + 1)
  const keepsRhythm = found.length > 0 && comesAsUnchanged(zoned, transition)
  const effect = found.length === 0 || keepsRhythm ? 'untouched' : effectOf(zoned, transition)
  const touched = { times: found.slice(0, NAMED), isMore: found.length > NAMED, keepsRhythm }
  return {
    at: Temporal.Instant.fromEpochMilliseconds(at),
    before: clockBefore(transition),
    after: clockOf(after),
    isForward: after > before,
    effect,
    words: clockChangeWords(transition, effect, touched, namedZone),
  }
}

function effectOf(zoned: ZonedSchedule, { at, before, after }: Transition): ClockEffect {
  if (after < before) {
    const [again] = runsBetween(zoned, at, at + before - after, 1)
    return again === undefined ? 'untouched' : 'repeated'
  }
  // The schedule may also have a regular run at the time of the change.
  const isOwn = timesBetween(zoned, after, after + SECOND, 1).length > 0
  return !isOwn && runsBetween(zoned, at, at + SECOND, 1).length > 0 ? 'moved' : 'skipped'
}

/** Whether runs during the day after the change happen as if there had been no clock change. A single run has no rhythm. */
function comesAsUnchanged(zoned: ZonedSchedule, { at, before }: Transition): boolean {
  const unchanged = timesBetween(zoned, before, before + DAY, COMPARED)
  const runs = runsBetween(zoned, at, at + DAY, COMPARED)
  const isAsUnchanged = unchanged.every((time, index) => time - before === (runs[index] ?? 0) - at)
  return runs.length > 1 && unchanged.length === runs.length && isAsUnchanged
}

/** Returns the runs from `from` (inclusive) to `until` (exclusive), at most `limit`. */
function runsBetween({ text, timeZone }: ZonedSchedule, from: number, until: number, limit: number): readonly number[] {
  const found: number[] = []
  let next = nextMilliseconds(text, timeZone, from - SECOND)
  while (next !== null && next < until && found.length < limit) {
    found.push(next)
    next = nextMilliseconds(text, timeZone, next)
  }
  return found
}

/** Returns the times of a schedule in a zone without clock changes. */
function timesBetween({ text }: ZonedSchedule, from: number, until: number, limit: number): readonly number[] {
  return runsBetween({ text, timeZone: 'UTC' }, from, until, limit)
}

/** Groups lines by zone, because an OnCalendar line can specify a zone other than the check's. */
function byZone({ kind, schedule, tz }: Pick<Check, 'kind' | 'schedule' | 'tz'>): readonly ZonedSchedule[] {
  if (kind !== 'oncalendar') return [{ text: schedule, timeZone: tz }]
  const texts = schedule.trim().split('\n')
  const zones = new Map<string, string[]>()
  for (const [index, line] of parseOnCalendar(schedule).entries()) {
    const text = texts[index]?.trim() ?? ''
    const timeZone = line.timeZone ?? tz
    const lines = zones.get(timeZone) ?? []
    lines.push(line.timeZone === null ? text : text.slice(0, -line.timeZone.length))
    zones.set(timeZone, lines)
  }
  const found = Array.from(zones, ([timeZone, lines]) => ({ text: lines.join('\n'), timeZone }))
  return found.length === 1 ? found : found.filter(({ text }) => isRunEver(text))
}

/** Whether a line ever causes a run. Some lines of a multi-line schedule may never do so. */
function isRunEver(text: string): boolean {
  try {
    return nextMilliseconds(text, 'UTC', 0) !== null
  } catch {
    return false
  }
}

function transitions(timeZone: string, from: Instant, count: number): readonly Transition[] {
  const found: Transition[] = []
  let moment = from.toZonedDateTimeISO(timeZone)
  while (found.length < count) {
    const next = moment.getTimeZoneTransition('next')
    if (next === null) break
    const at = next.epochMilliseconds
    const offset = next.subtract({ seconds: 1 }).offsetNanoseconds
    found.push({ at, before: at + offset / 1e6, after: at + next.offsetNanoseconds / 1e6 })
    moment = next
  }
  return found
}
