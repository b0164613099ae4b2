/** Refuses an unusable schedule, and says where the mistake is. */
import { Refusal } from '../../errors.ts'
import { scheduleKind } from '../schedule.ts'
import { canonicalTimeZone } from '../time-zones.ts'
import { scheduleError } from './typed-schedule.ts'

/**
 * @param timeZone an IANA name, present or former
 * @throws Refusal `schedule-invalid` with the place of the mistake; `tz-invalid` for a zone that is not in the zone data
 */
export function requireSchedule(text: string, timeZone: string): void {
  requireTimeZone(timeZone)
  const error = scheduleError(text)
  if (error === null) return
  const { message, position, length } = error
  throw new Refusal('schedule-invalid', message, { name: text, kind: scheduleKind(text), position, length })
}

/** @returns the canonical name @throws Refusal `tz-invalid` for a zone that is not in the zone data */
export function requireTimeZone(text: string): string {
  const tz = canonicalTimeZone(text)
  if (tz !== null) return tz
  throw new Refusal('tz-invalid', `"${text}" is not a time zone; use a name such as Europe/Riga`, { name: text })
}
