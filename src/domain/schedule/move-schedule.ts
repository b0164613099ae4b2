/** Moves a schedule by a number of minutes, provided that a single expression can represent the result exactly. */
import { isRun, ordered } from '../../lib/figures/number-lists.ts'
import { codePoints } from '../schema.ts'
import { parseCron } from './cron.ts'
import { EVERY_YEAR } from './describe.ts'
import { longForm, parseOnCalendar } from './oncalendar.ts'
import { isTime } from './oncalendar-parts.ts'
import { scheduleKind } from './schedule.ts'
import { split, words } from './schedule-text.ts'

/** The moved expression, or the reason why the schedule can't be moved, worded so that it can follow "because". */
export type Moved = { readonly schedule: string } | { readonly why: string }

/** Maximum number of minutes by which a schedule can be moved. Moving it further would change the day. */
export const MOVE_LIMIT = 1_439

const DAY = 1_440
/** Maximum length of a schedule, in characters. */
const LIMIT = 100

const OTHER_DAY = { why: 'some runs would be on another day, and it names days' } as const
const NO_FIELDS = { why: 'its times of day would not fit one expression' } as const
const CLOCKS = { why: 'it would treat clock changes differently' } as const
const LONG = { why: `the expression would be longer than ${LIMIT} characters` } as const

/**
 * @param schedule a valid expression
 * @param minutes how much later the runs should happen; negative for earlier
 */
export function moveSchedule(schedule: string, minutes: number): Moved {
  const moved = scheduleKind(schedule) === 'cron' ? moveCron(schedule, minutes) : moveCalendar(schedule, minutes)
  return 'schedule' in moved && codePoints(moved.schedule) > LIMIT ? LONG : moved
}

function moveCron(schedule: string, by: number): Moved {
  const fields = parseCron(schedule)
  const isEveryDay = fields.days.length === 31 && fields.weekdays.length === 7 && fields.months.length === 12
  const times = moveTimes(fields, by, isEveryDay)
  if ('why' in times) return times
  const [minute = '', hour = '', ...days] = schedule.trim().split(/\s+/)
  const written = [
    fieldText(minute, fields.minutes, times.minutes, CRON_MINUTE),
    fieldText(hour, fields.hours, times.hours, CRON_HOUR),
    ...days,
  ].join(' ')
  return parseCron(written).fixedTime === fields.fixedTime ? { schedule: written } : CLOCKS
}

function moveCalendar(schedule: string, by: number): Moved {
  const lines = schedule.trim().split('\n')
  const moved: string[] = []
  for (const line of lines) {
    const one = moveLine(line, by)
    if ('why' in one) return one
    moved.push(one.schedule)
  }
  return { schedule: moved.join('\n') }
}

/** Moves a single line. Its weekdays, date and zone stay the same. */
function moveLine(line: string, by: number): Moved {
  const [fields] = parseOnCalendar(line)
  if (fields === undefined) return NO_FIELDS
  const isEveryDay =
    fields.days.length === 31 &&
    !fields.fromEnd &&
    fields.weekdays.length === 7 &&
    fields.months.length === 12 &&
    fields.years.length === EVERY_YEAR
  const times = moveTimes(fields, by, isEveryDay)
  if ('why' in times) return times
  const texts = words({ text: longForm(line), start: 0 }).map(({ text }) => text)
  const at = texts.findIndex(isTime)
  const [hour, minute, ...seconds] = split({ text: texts[at] ?? '00:00', start: 0 }, ':').map(({ text }) => text)
  const time = [
    fieldText(hour ?? '', fields.hours, times.hours, CALENDAR_HOUR),
    fieldText(minute ?? '', fields.minutes, times.minutes, CALENDAR_MINUTE),
    ...seconds,
  ].join(':')
  if (at >= 0) return { schedule: texts.with(at, time).join(' ') }
  const before = fields.timeZone === null ? texts.length : texts.length - 1
  return { schedule: texts.toSpliced(before, 0, time).join(' ') }
}

interface Times {
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
}

/** Returns hours and minutes that together produce exactly the moved times, or the reason why that is not possible. */
function moveTimes({ hours, minutes }: Times, by: number, isEveryDay: boolean): Times | { readonly why: string } {
  const moved = hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute + by))
  if (!isEveryDay && moved.some((time) => time < 0 || time >= DAY)) return OTHER_DAY
  const times = new Set(moved.map((time) => (time + DAY) % DAY))
  const after = {
    hours: ordered(Array.from(times, (time) => Math.floor(time / 60))),
    minutes: ordered(Array.from(times, (time) => time % 60)),
  }
  return after.hours.length * after.minutes.length === times.size ? after : NO_FIELDS
}

/** How cron or OnCalendar writes numbers in a field. */
interface Writing {
  readonly max: number
  /** separator between the two ends of a range */
  readonly to: string
  /** minimum number of digits; shorter numbers are padded with zeros */
  readonly digits: number
}

const CRON_MINUTE: Writing = { max: 59, to: '-', digits: 1 }
const CRON_HOUR: Writing = { ...CRON_MINUTE, max: 23 }
const CALENDAR_MINUTE: Writing = { max: 59, to: '..', digits: 2 }
const CALENDAR_HOUR: Writing = { ...CALENDAR_MINUTE, max: 23 }

/** @param text text of the field before the move, which is kept if the numbers don't change */
function fieldText(text: string, before: readonly number[], after: readonly number[], writing: Writing): string {
  return before.join() === after.join() ? text : numbersText(after, writing)
}

/** Formats numbers as a field, such as `5`, `1-4`, `5-59/15` or `5,20`. */
function numbersText(numbers: readonly number[], { max, to, digits }: Writing): string {
  const written = (number: number | undefined) => String(number).padStart(digits, '0')
  const [first = 0, second = 0] = numbers
  const last = numbers.at(-1) ?? 0
  if (numbers.length > 2 && isRun(numbers)) return `${written(first)}${to}${written(last)}`
  const step = second - first
  const isStepped = numbers.length > 2 && numbers.every((number, index) => number === first + index * step)
  if (isStepped && last + step > max) return `${written(first)}${to}${written(max)}/${step}`
  return numbers.map(written).join()
}
