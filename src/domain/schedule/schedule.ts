/** A check's schedule, cron or OnCalendar: whether it is valid, and when it runs next. */
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
  /** Returns the first occurrence strictly after `after` (rounded down to a second); null if there is none. */
  next(after: Instant): Instant | null
}

/** A parsed text, shared by all zones. */
interface Compiled {
  readonly kind: ScheduleKind
  /** `timeZone` is null if the check's zone applies. */
  readonly rules: readonly (ClockRule & { readonly timeZone: string | null })[]
  /** the latest runs in each zone: a ping needs the current run and the run of the previous ping */
  readonly nextEvents: Map<string, NextEventCache>
  /** the caches of {@link nextOfSeries} */
  readonly series: Map<string, NextEventCache>
}

/** A valid schedule must have an occurrence after this moment, so `2010-01-01` is valid though it is past. */
const ORIGIN = Date.UTC(2000, 0, 1)

// Weighted by rules: a hundred characters of OnCalendar can give a hundred of them, with long lists of years.
const cache = new LRUCache<string, Compiled>({
  maxSize: 4096,
  sizeCalculation: ({ rules }) => rules.length,
  memoMethod: compile,
})

/**
 * Returns the kind of a text: exactly five words on one line are cron, anything else is OnCalendar. A text is never tried as the other
 * kind.
 */
export function scheduleKind(text: string): ScheduleKind {
  const trimmed = text.trim()
  return !trimmed.includes('\n') && trimmed.split(/\s+/).length === 5 ? 'cron' : 'oncalendar'
}

/**
 * @param timeZone an IANA name, present or former; a line of OnCalendar may name another
 * @throws ScheduleError if the text is not in the grammar or never occurs after 2000-01-01
 * @throws RangeError if the zone is unknown
 */
export function parseSchedule(text: string, timeZone: string): Schedule {
  const { kind } = compiled(text, timeZone)
  return { kind, next: (after) => nextAfter(text, timeZone, after) }
}

/**
 * Does the same as {@link parseSchedule} and {@link Schedule.next}, but does not parse a recently used text again.
 * @throws what parseSchedule throws
 */
export function nextAfter(text: string, timeZone: string, after: Instant): Instant | null {
  const moment = nextMilliseconds(text, timeZone, after.epochMilliseconds)
  return moment === null ? null : Temporal.Instant.fromEpochMilliseconds(moment)
}

/**
 * Returns {@link nextAfter} in milliseconds since 1970.
 * @throws what parseSchedule throws
 */
export function nextMilliseconds(text: string, timeZone: string, milliseconds: number): number | null {
  const after = Math.floor(milliseconds / 1000) * 1000
  const known = cache.peek(text)?.nextEvents.get(timeZone)?.find(after)
  if (known !== undefined) return known
  const schedule = compiled(text, timeZone)
  const next = earliestMoment(schedule, timeZone, after)
  // Not for OnCalendar, where the answer for a time in the second pass of a repeated hour isn't the answer for earlier times.
  if (schedule.kind === 'cron') cacheOf(schedule.nextEvents, timeZone).keep(after, next)
  return next
}

/**
 * Finds the next occurrence of a series that is the same wherever a search begins: unlike in {@link nextAfter}, OnCalendar has no occurrence
 * in the second pass of a repeated hour.
 * @throws what parseSchedule throws
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

/** Maximum number of zones per text; with more, its caches are cleared together. */
const ZONES_KEPT = 8

function cacheOf(caches: Map<string, NextEventCache>, timeZone: string): NextEventCache {
  const known = caches.get(timeZone)
  if (known) return known
  if (caches.size >= ZONES_KEPT) caches.clear()
  const fresh = new NextEventCache()
  caches.set(timeZone, fresh)
  return fresh
}

/** Returns at most `count` occurrences after `from`, in order. */
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
 * Describes the schedule in plain words: `At 03:30 on Monday to Friday (Europe/Riga)`.
 * @throws ScheduleError if the text is not in the grammar
 */
export function describe(text: string, timeZone: string): string {
  return describeFields(scheduleKind(text) === 'cron' ? [parseCron(text)] : parseOnCalendar(text), timeZone)
}

function compiled(text: string, timeZone: string): Compiled {
  // Temporal would accept any letter case, and offsets.
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
  // Cron patterns that never match are already left out, and finding a moment takes as long as parsing.
  if (kind === 'cron') return true
  // In UTC, because validity must not depend on the check's zone, which can change later.
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
  // A repeated line costs nothing extra.
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
