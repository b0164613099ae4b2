/**
 * A window as typed by users. It begins at a time of day or according to a schedule, and ends at a time of day or after a given duration. A
 * time such as `22:00` is a valid OnCalendar expression, so it is stored as typed.
 */
import type { Instant } from '../../lib/time.ts'
import { TIMING_FIELDS } from '../check/fields.ts'
import { readTime } from '../day-time.ts'
import { periodInWords } from '../duration.ts'
import { orScheduleError, ScheduleError } from '../schedule/schedule-text.ts'
import { timeOfDay } from '../schedule/time-of-day.ts'
import { canonicalTimeZone } from '../schedule/time-zones.ts'
import { readSpan } from '../schedule/typed/period-text.ts'
import { readTypedSchedule } from '../schedule/typed/typed-schedule.ts'
import { codePoints } from '../schema.ts'
import type { MaintenanceWindow } from './maintenance-window.ts'
import { SILENCE_SECONDS_MAX, windowFault } from './times.ts'

export interface TypedWindow {
  /** start, such as `22:00`, `Mon..Fri 22:00` or `0 22 * * *` */
  readonly from: string
  /** time of the end, or length, such as `7:00` or `9 hours` */
  readonly until: string
  readonly tz: string
}

/** One sentence for each invalid field that says what to type instead. */
export type WindowMistakes = Partial<Record<keyof TypedWindow, string>>

interface ReadWindow {
  /** the parsed window; null if there are mistakes */
  readonly window: MaintenanceWindow | null
  readonly mistakes: WindowMistakes
}

const DAY = 86_400
const SCHEDULE_LIMIT = TIMING_FIELDS.schedule.schema.maxLength ?? Number.POSITIVE_INFINITY

/** Whether both the start and the end are blank. */
export function isBlankWindow({ from, until }: TypedWindow): boolean {
  return from.trim() === '' && until.trim() === ''
}

export function readTypedWindow(typed: TypedWindow, now: Instant): ReadWindow {
  const tz = canonicalTimeZone(typed.tz.trim())
  const schedule = readBeginning(typed.from)
  const seconds = readLength(typed.until, schedule instanceof ScheduleError ? null : schedule)
  const mistakes: WindowMistakes = {
    ...(schedule instanceof ScheduleError ? { from: schedule.message } : {}),
    ...(typeof seconds === 'string' ? { until: seconds } : {}),
    ...(tz === null ? { tz: 'Type the name of a time zone, such as Europe/Riga.' } : {}),
  }
  if (schedule instanceof ScheduleError || typeof seconds === 'string' || tz === null) return { window: null, mistakes }
  const window = { schedule, tz, seconds }
  const fault = windowFault(window, now)
  return fault === null ? { window, mistakes } : { window: null, mistakes: FAULTS[fault] }
}

const FAULTS: Readonly<Record<NonNullable<ReturnType<typeof windowFault>>, WindowMistakes>> = {
  'none-left': { from: 'All its dates are in the past. Type a later date.' },
  'no-pause': { until: 'It would begin again before it ends. Type an earlier end.' },
}

/** Returns the schedule to store. */
function readBeginning(typed: string): string | ScheduleError {
  const text = typed.replaceAll('\r\n', '\n').trim()
  if (text === '') return new ScheduleError('Type when it begins, such as 22:00.', 0, 0)
  if (codePoints(text) > SCHEDULE_LIMIT) {
    return new ScheduleError(`This is too long: at most ${SCHEDULE_LIMIT} characters.`, 0, text.length)
  }
  return orScheduleError(() => readTypedSchedule(text))
}

/**
 * Returns the length in seconds, or a description of the mistake.
 * @param schedule the window's schedule; null if unknown
 */
function readLength(typed: string, schedule: string | null): number | string {
  const seconds = readTime(typed) === null ? readSpan(typed.trim()) : secondsUntil(typed, schedule)
  if (seconds === null) return 'Type when it ends, such as 7:00, or how long it lasts, such as 9 h.'
  if (typeof seconds === 'string') return seconds
  if (seconds < 60) return 'That is too short: at least 1 minute.'
  return seconds > SILENCE_SECONDS_MAX ? `This is too long: at most ${periodInWords(SILENCE_SECONDS_MAX)}.` : seconds
}

/**
 * Returns the number of seconds from the start of the window to the given time of day, or a description of the mistake. If the window
 * begins at that time of day, the result is 24 hours.
 */
function secondsUntil(time: string, schedule: string | null): number | string | null {
  const end = readTime(time)
  if (end === null) return null
  // If the start is also invalid, only the start is reported.
  const start = schedule === null ? 0 : timeOfDay(schedule)
  if (start === null) return 'It begins at more than one time of day, so type how long it lasts, such as 9 h.'
  const seconds = end * 60 - start
  return seconds > 0 ? seconds : seconds + DAY
}

/** Formats a stored window for the form fields. */
export function typedWindow(window: MaintenanceWindow): TypedWindow {
  const { schedule, tz, seconds } = window
  return { from: schedule, until: endOfDay(window) ?? periodInWords(seconds), tz }
}

/**
 * Returns the time of day at which a window ends, such as `07:00`. Returns null if the window begins at several times of day, lasts more
 * than a day, or does not end on a full minute.
 */
export function endOfDay({ schedule, seconds }: MaintenanceWindow): string | null {
  const start = orScheduleError(() => timeOfDay(schedule))
  if (start === null || start instanceof ScheduleError || seconds > DAY) return null
  const end = (start + seconds) % DAY
  if (end % 60 !== 0) return null
  return [Math.floor(end / 3_600), Math.floor(end / 60) % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
