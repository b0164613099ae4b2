/** Refuses a schedule that cannot be used, and says where the mistake is. */
import { Refusal } from '../errors.ts'
import { parseSchedule, type ScheduleKind, scheduleKind } from './schedule.ts'
import { ScheduleError } from './schedule-text.ts'
import { isTimeZone } from './time-zones.ts'

/**
 * @param timeZone an IANA name, present or former
 * @throws Refusal `schedule-invalid` with the place of the mistake; `tz-invalid` for a zone that is not in the zone data
 */
export function requireSchedule(text: string, timeZone: string): ScheduleKind {
  if (!isTimeZone(timeZone)) {
    throw new Refusal('tz-invalid', `"${timeZone}" is no time zone; use a name such as Europe/Riga`, { name: timeZone })
  }
  try {
    return parseSchedule(text, timeZone).kind
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    const { message, position, length } = error
    throw new Refusal('schedule-invalid', message, { name: text, kind: scheduleKind(text), position, length })
  }
}
