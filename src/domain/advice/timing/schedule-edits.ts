/** Changes the time of day in a schedule expression. */
import { DAY, HOUR, MINUTE } from '../../units.ts'

const CRON = /^(\d{1,2})(\s+)(\S+)((?:\s+\S+){3})$/
const CALENDAR = /^([^\n]*?)(\d{1,2}):(\d{2})(:00)?$/

/**
 * Returns a schedule for the same days at an earlier or later time. Null unless the expression contains exactly one plain time, or if the
 * change would move a run to another day.
 * @param by offset in milliseconds, a whole number of minutes; negative for earlier
 */
export function moved(schedule: string, by: number): string | null {
  const text = schedule.trim()
  return movedCron(text, by) ?? movedCalendar(text, by)
}

function movedCron(text: string, by: number): string | null {
  const [, minute, space = ' ', hour = '', days = ''] = CRON.exec(text) ?? []
  if (minute === undefined) return null
  const isDaily = /^\s+\*\s+\*\s+\*$/.test(days)
  if (/^\d{1,2}$/.test(hour)) {
    const time = movedTime(Number(hour), Number(minute), by, isDaily)
    return time && `${time.minute}${space}${time.hour}${days}`
  }
  const later = Number(minute) + by / MINUTE
  if (hour === '*') return `${((later % 60) + 60) % 60}${space}${hour}${days}`
  return later < 0 || later >= 60 ? null : `${later}${space}${hour}${days}`
}

function movedCalendar(text: string, by: number): string | null {
  const [, date = '', hour, minute, second = ''] = CALENDAR.exec(text) ?? []
  // If a range, a list or a step precedes the time, it belongs to the hours.
  if (hour === undefined || minute === undefined || !/(^|\s)$/.test(date)) return null
  const time = movedTime(Number(hour), Number(minute), by, /^(\*-\*-\*)?\s*$/.test(date))
  return time && `${date}${two(time.hour)}:${two(time.minute)}${second}`
}

interface DayTime {
  readonly hour: number
  readonly minute: number
}

function movedTime(hour: number, minute: number, by: number, isDaily: boolean): DayTime | null {
  const time = hour * HOUR + minute * MINUTE + by
  if (!isDaily && (time < 0 || time >= DAY)) return null
  const inDay = ((time % DAY) + DAY) % DAY
  return { hour: Math.floor(inDay / HOUR), minute: Math.floor((inDay % HOUR) / MINUTE) }
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

const FIVE_MINUTES = 5 * MINUTE
/** Jobs are usually scheduled for round times, and the ping arrives a few seconds later. */
const NEAR = 2 * MINUTE

/**
 * Estimates a job's scheduled time from the time at which its runs begin. Rounds down to a multiple of five minutes if that is close,
 * otherwise to the minute.
 */
export function timeSet(began: number): number {
  const round = Math.floor(began / FIVE_MINUTES) * FIVE_MINUTES
  return began - round <= NEAR ? round : Math.floor(began / MINUTE) * MINUTE
}
