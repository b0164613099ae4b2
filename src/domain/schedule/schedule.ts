/** A check's schedule, either cron or OnCalendar: validates it and finds the next expected run. */
import { LRUCache } from 'lru-cache'
import { NextEventCache } from '../../lib/caches/next-event-cache.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import { parseCron } from './cron.ts'
import { cronPatterns } from './cron-patterns.ts'
import { describeFields } from './describe.ts'
import { parseOnCalendar } from './oncalendar.ts'
import { calendarPatterns } from './oncalendar-patterns.ts'
import { ScheduleError } from './schedule-text.ts'
import { isTimeZone } from './time-zones.ts'
import { beforeSecondPass, type ClockRule, nextMoment } from './wall-clock.ts'

export { ScheduleError } from './schedule-text.ts'

export type ScheduleKind = 'cron' | 'oncalendar'

interface Schedule {
  readonly kind: ScheduleKind
  /** Returns the first occurrence after `after`, rounded down to the second; null if there is none. */
  next(after: Instant): Instant | null
}

/** A parsed schedule. It can be used with any time zone. */
interface Compiled {
  readonly kind: ScheduleKind
  /** `timeZone` is null if the check's own zone applies */
  readonly rules: readonly (ClockRule & { readonly timeZone: string | null })[]
  /** Recently found runs per time zone. To process a ping, both the current run and the run of the previous ping are needed. */
  readonly nextEvents: Map<string, NextEventCache>
  /** Caches for {@link nextOfSeries}. */
  readonly series: Map<string, NextEventCache>
}

/** A valid schedule must have an occurrence after this time, even if it is in the past: `2010-01-01` is valid. */
const ORIGIN = Date.UTC(2000, 0, 1)

// Entries are weighted by their number of rules, because an OnCalendar schedule of a hundred characters can produce a hundred rules with
// long lists of years.
const cache = new LRUCache<string, Compiled>({
  maxSize: 4096,
  sizeCalculation: ({ rules }) => rules.length,
  memoMethod: compile,
})

/**
 * Returns the kind of a schedule. Exactly five words on one line are a cron expression; anything else is OnCalendar. A schedule that is
 * invalid as one kind is never parsed as the other.
 */
export function scheduleKind(text: string): ScheduleKind {
  const trimmed = text.trim()
  return !trimmed.includes('\n') && trimmed.split(/\s+/).length === 5 ? 'cron' : 'oncalendar'
}

/**
 * @param timeZone IANA name, which can be an old one; a line of an OnCalendar schedule may specify a different zone
 * @throws ScheduleError if the text does not follow the grammar, or has no occurrence after 2000-01-01
 * @throws RangeError if the zone is unknown
 */
export function parseSchedule(text: string, timeZone: string): Schedule {
  const { kind } = compiled(text, timeZone)
  return { kind, next: (after) => nextAfter(text, timeZone, after) }
}

/**
 * Returns the next occurrence, like {@link parseSchedule} and {@link Schedule.next}, but does not reparse recently used schedules.
 * @throws the same errors as parseSchedule
 */
export function nextAfter(text: string, timeZone: string, after: Instant): Instant | null {
  const moment = nextMilliseconds(text, timeZone, after.epochMilliseconds)
  return moment === null ? null : Temporal.Instant.fromEpochMilliseconds(moment)
}

/**
 * Like {@link nextAfter}, but uses milliseconds since 1970.
 * @throws the same errors as parseSchedule
 */
export function nextMilliseconds(text: string, timeZone: string, milliseconds: number): number | null {
  const after = Math.floor(milliseconds / 1000) * 1000
  const known = cache.peek(text)?.nextEvents.get(timeZone)?.find(after)
  if (known !== undefined) return known
  const schedule = compiled(text, timeZone)
  const next = earliestMoment(schedule, timeZone, after)
  // OnCalendar schedules are not cached here. Their next run can depend on whether the search starts in the second pass of a repeated hour.
  if (schedule.kind === 'cron') cacheOf(schedule.nextEvents, timeZone).keep(after, next)
  return next
}

/**
 * Returns the next occurrence in a series that does not depend on where the search begins. In contrast to {@link nextAfter}, OnCalendar
 * schedules have no occurrences in the second pass of a repeated hour.
 * @throws the same errors as parseSchedule
 */
export function nextOfSeries(text: string, timeZone: string, after: Instant): Instant | null {
  const moment = nextOfSeriesMilliseconds(text, timeZone, Math.floor(after.epochMilliseconds / 1000) * 1000)
  return moment === null ? null : Temporal.Instant.fromEpochMilliseconds(moment)
}

function nextOfSeriesMilliseconds(text: string, timeZone: string, after: number): number | null {
  const known = cache.peek(text)?.series.get(timeZone)?.find(after)
  if (known !== undefined) return known
  const schedule = compiled(text, timeZone)
  if (schedule.kind === 'cron') return nextMilliseconds(text, timeZone, after)
  const next = earliestMoment(schedule, timeZone, after, beforeSecondPass)
  cacheOf(schedule.series, timeZone).keep(after, next)
  return next
}

/** Maximum number of zones to cache per schedule. If there are more, all of the schedule's caches are cleared. */
const ZONES_KEPT = 8

function cacheOf(caches: Map<string, NextEventCache>, timeZone: string): NextEventCache {
  const known = caches.get(timeZone)
  if (known) return known
  if (caches.size >= ZONES_KEPT) caches.clear()
  const fresh = new NextEventCache()
  caches.set(timeZone, fresh)
  return fresh
}

/** Returns up to `count` occurrences after `from`, in chronological order. */
export function preview(text: string, timeZone: string, from: Instant, count: number): Instant[] {
  const schedule = parseSchedule(text, timeZone)
  const occurrences: Instant[] = []
  let after: Instant | null = from
  while (occurrences.length < count) {
    after = schedule.next(after)
    if (after === null) break
    occurrences.push(after)
  }
  return occurrences
}

/**
 * Describes a schedule in plain English, such as `At 03:30 on Monday to Friday (Europe/Riga)`.
 * @throws ScheduleError if the text does not follow the grammar
 */
export function describe(text: string, timeZone: string): string {
  return describeFields(scheduleKind(text) === 'cron' ? [parseCron(text)] : parseOnCalendar(text), timeZone)
}

function compiled(text: string, timeZone: string): Compiled {
  // Temporal would also accept names with different capitalization, and UTC offsets.
  if (!isTimeZone(timeZone)) throw new RangeError(`"${timeZone}" is not the name of a time zone`)
  return cache.memo(text)
}

function compile(text: string): Compiled {
  const schedule = {
    ...(scheduleKind(text) === 'cron' ? compileCron(text) : compileOnCalendar(text)),
    nextEvents: new Map(),
    series: new Map(),
  }
  if (!schedule.rules.some((rule) => occurs(schedule.kind, rule))) {
    const reasons = 'its dates are earlier, do not exist, or never fall on its weekdays'
    throw new ScheduleError(`The schedule has no occurrence after 2000-01-01: ${reasons}.`, 0, text.length)
  }
  return schedule
}

function occurs(kind: ScheduleKind, rule: Compiled['rules'][number]): boolean {
  // Cron patterns that never match have already been dropped, and finding an occurrence takes as long as parsing.
  if (kind === 'cron') return true
  // Uses UTC, because the result must not depend on the check's zone, which may change later.
  return nextMoment(rule, rule.timeZone ?? 'UTC', ORIGIN) !== null
}

function compileCron(text: string): Omit<Compiled, 'nextEvents' | 'series'> {
  const fields = parseCron(text)
  const policy = fields.fixedTime ? 'fixed' : 'interval'
  return { kind: 'cron', rules: cronPatterns(fields).map((pattern) => ({ pattern, policy, timeZone: null })) }
}

function compileOnCalendar(text: string): Omit<Compiled, 'nextEvents' | 'series'> {
  const rules = parseOnCalendar(text).flatMap((line) =>
    calendarPatterns(line).map((pattern) => ({ pattern, policy: 'calendar' as const, timeZone: line.timeZone })),
  )
  // Removes duplicate lines, so that they don't have to be evaluated.
  const distinct = new Map(rules.map((rule) => [`${rule.timeZone} ${rule.pattern}`, rule]))
  return { kind: 'oncalendar', rules: [...distinct.values()] }
}

function earliestMoment(
  { rules }: Compiled,
  timeZone: string,
  after: number,
  searchFrom: (timeZone: string, after: number) => number = (_, same) => same,
): number | null {
  let found: number | null = null
  for (const rule of rules) {
    const zone = rule.timeZone ?? timeZone
    const moment = nextMoment(rule, zone, searchFrom(zone, after))
    if (moment !== null && (found === null || moment < found)) found = moment
  }
  return found
}
