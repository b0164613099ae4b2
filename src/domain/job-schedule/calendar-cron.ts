/** Converts systemd calendar expressions to five-field cron expressions. */
import { runs, stepped } from '../../lib/figures/number-lists.ts'
import { EVERY_YEAR } from '../schedule/describe.ts'
import { type CalendarLine, parseOnCalendar } from '../schedule/oncalendar.ts'

interface ZonedCron {
  readonly cron: string
  /** IANA name; null: the expression has no zone */
  readonly tz: string | null
}

/**
 * Returns a cron expression that runs at the same times as a calendar expression. Null if cron can't express the calendar expression,
 * because it uses several lines, seconds, years, days counted from the end of the month, or dates limited to certain weekdays.
 * @throws ScheduleError
 */
export function cronOfCalendar(text: string): ZonedCron | null {
  const [line, ...more] = parseOnCalendar(text)
  return line === undefined || more.length > 0 || !isForCron(line) ? null : { cron: fieldsOf(line), tz: line.timeZone }
}

function isForCron({ seconds, years, fromEnd, days, weekdays }: CalendarLine): boolean {
  const isOnTheMinute = seconds.length === 1 && seconds[0] === 0
  const isEveryDate = days.length === 31
  return isOnTheMinute && years.length === EVERY_YEAR && (isEveryDate || (!fromEnd && weekdays.length === 7))
}

function fieldsOf({ minutes, hours, days, months, weekdays }: CalendarLine): string {
  const list = (values: readonly number[], all: number) => (values.length === all ? '*' : runs(values).join(','))
  return [rhythm(minutes, 60), rhythm(hours, 24), list(days, 31), list(months, 12), list(weekdays, 7)].join(' ')
}

/**
 * Formats a field's values as `*`, as a step that covers the whole range, or as a list.
 * @param size number of possible values
 */
function rhythm(values: readonly number[], size: number): string {
  const [first, second] = values
  if (values.length === size) return '*'
  const isStep = first === 0 && second !== undefined && String(values) === String(stepped(0, size - 1, second))
  return isStep ? `*/${second}` : runs(values).join(',')
}
