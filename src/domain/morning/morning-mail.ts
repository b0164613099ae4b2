/** The time at which the morning mail of an account is due. */
import { addSeconds, type Instant, isAtOrAfter, isBefore, later, Temporal } from '../../lib/time.ts'
import type { MorningMail } from '../account/morning-setting.ts'
import { backOffSeconds } from '../alert/retry.ts'

/** The fields that decide when the mail is sent. */
export interface MorningTime {
  /** null: never */
  readonly morningMail: MorningMail | null
  /** IANA name */
  readonly tz: string
}

/** A scheduled mail. */
export interface PlannedMorningMail {
  readonly accountId: string
  readonly dueAt: Instant
  /** attempts begun since the mail became due, including the current one */
  readonly attempts: number
  readonly nextAttemptAt: Instant
  /** error of the last attempt; null if it succeeded or there was none */
  readonly error: string | null
}

/** The result of an attempt. */
export type MorningResult =
  /** `error` is null if the mail was sent, and if there was nothing to send */
  | { readonly state: 'ended'; readonly nextDueAt: Instant; readonly error: string | null }
  | { readonly state: 'pending'; readonly nextAttemptAt: Instant; readonly error: string }

/**
 * Returns when the next mail is due after a change of the account.
 * @param dueAt when the mail was due before the change; null: none was due
 * @returns null if no mail is wanted
 */
export function plannedMorning(
  before: MorningTime,
  after: MorningTime,
  dueAt: Instant | null,
  now: Instant,
): Instant | null {
  if (dueAt !== null) return movedMorning(before, after, dueAt)
  return after.morningMail && nextMorning(after.morningMail.hour, after.tz, now)
}

/** Returns the due time to which a change of the account moves a scheduled mail. @returns null if no mail is wanted */
export function movedMorning(before: MorningTime, { morningMail, tz }: MorningTime, dueAt: Instant): Instant | null {
  if (morningMail === null) return null
  if (before.morningMail?.hour === morningMail.hour && before.tz === tz) return dueAt
  // Keeps the day; otherwise its mail would be lost or sent twice. If that time is past by now, the mail is sent at once.
  return morningOf(dueAt.toZonedDateTimeISO(before.tz).toPlainDate(), morningMail.hour, tz)
}

/** Returns the first morning after an instant. @param tz IANA name */
export function nextMorning(hour: number, tz: string, after: Instant): Instant {
  let day = after.toZonedDateTimeISO(tz).toPlainDate()
  // A zone may have skipped a day.
  while (isAtOrAfter(after, morningOf(day, hour, tz))) day = day.add({ days: 1 })
  return morningOf(day, hour, tz)
}

/** Returns the instant of an hour on a day, or of the hour after it if the clocks skip that hour. */
function morningOf(day: Temporal.PlainDate, hour: number, timeZone: string): Instant {
  return day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) }).toInstant()
}

/** Returns the morning that a mail is for: `dueAt`, or after an outage the latest morning. Constant until the next mail is due. */
export function morningSlot(dueAt: Instant, hour: number, tz: string, now: Instant): Instant {
  const today = now.toZonedDateTimeISO(tz).toPlainDate()
  const morning = morningOf(today, hour, tz)
  return later(dueAt, isBefore(now, morning) ? morningOf(today.subtract({ days: 1 }), hour, tz) : morning)
}

/** A later mail would report old events after pages and alerts have reported newer ones. */
const LATEST_SECONDS = 6 * 3_600

/** Whether it is too late to send the mail. */
export function isTooLate(slot: Instant, now: Instant): boolean {
  return isBefore(addSeconds(slot, LATEST_SECONDS), now)
}

/**
 * Returns when an unsent mail is retried: after the back-off of deliveries.
 * @param fraction a random number, 0 ≤ fraction < 1
 * @returns null if that would be too late
 */
export function retryMorningAt(
  retry: { readonly attempts: number; readonly retryAfterSeconds: number | null },
  slot: Instant,
  now: Instant,
  fraction: number,
): Instant | null {
  const at = now.add({ milliseconds: Math.round(backOffSeconds(retry, fraction) * 1000) })
  return isTooLate(slot, at) ? null : at
}

/** Returns the evening on which the night before a morning began. @param tz IANA name */
export function eveningBefore(slot: Instant, tz: string): Temporal.PlainDate {
  return slot.toZonedDateTimeISO(tz).toPlainDate().subtract({ days: 1 })
}
