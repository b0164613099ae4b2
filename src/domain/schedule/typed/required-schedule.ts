/** Rejects a schedule that can't be used and reports where the mistake is. */
import { Refusal } from '../../errors.ts'
import { scheduleKind } from '../schedule.ts'
import { canonicalTimeZone } from '../time-zones.ts'
import { scheduleError } from './typed-schedule.ts'

/**
 * @param timeZone IANA name, which can be an old one
 * @throws Refusal `schedule-invalid` with the position of the mistake; `tz-invalid` if the zone is not in the time zone data
 */
export function requireSchedule(text: string, timeZone: string): void {
  requireTimeZone(timeZone)
  const error = scheduleError(text)
  if (error === null) return
  const { message, position, length } = error
  throw new Refusal('schedule-invalid', message, { name: text, kind: scheduleKind(text), position, length })
}

/**
 * @returns the zone's current name
 * @throws Refusal `tz-invalid` if the zone is not in the time zone data
 */
export function requireTimeZone(text: string): string {
  const tz = canonicalTimeZone(text)
  if (tz !== null) return tz
  throw new Refusal('tz-invalid', `"${text}" is not a time zone; use a name such as Europe/Riga`, { name: text })
}
