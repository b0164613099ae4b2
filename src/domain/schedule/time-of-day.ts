/** Finds the time of day at which a schedule runs. This is used for windows that users specify as a start and an end. */
import { parseCron } from './cron.ts'
import type { Line } from './describe.ts'
import { parseOnCalendar } from './oncalendar.ts'
import { scheduleKind } from './schedule.ts'

/**
 * Returns the time of day in seconds since midnight; null if the schedule has several times of day, even if they are on different days.
 * @throws ScheduleError if the text does not follow the grammar
 */
export function timeOfDay(text: string): number | null {
  const lines: readonly Line[] = scheduleKind(text) === 'cron' ? [parseCron(text)] : parseOnCalendar(text)
  const times = new Set(lines.map(timeOfLine))
  const [time = null] = times
  return times.size === 1 ? time : null
}

function timeOfLine(line: Line): number | null {
  const [hour, minute, second] = [line.hours, line.minutes, line.kind === 'cron' ? [0] : line.seconds].map(only)
  if (hour === undefined || minute === undefined || second === undefined) return null
  return hour * 3_600 + minute * 60 + second
}

function only(values: readonly number[]): number | undefined {
  return values.length === 1 ? values[0] : undefined
}
