/** Calculates the due times of an account's morning mail. */
import { addSeconds, type Instant, isAtOrAfter, isBefore, later, Temporal } from '../../lib/time.ts'
import type { MorningMail } from '../account/morning-setting.ts'
import { backOffSeconds } from '../alert/retry.ts'

/** The settings that determine when the mail is sent. */
export interface MorningTime {
  /** when to send the morning mail; null: never */
  readonly morningMail: MorningMail | null
  /** IANA name of the account's time zone */
  readonly tz: string
}

/** A morning mail that is due now or will be due later. */
export interface PlannedMorningMail {
  readonly accountId: string
  readonly dueAt: Instant
  /** number of attempts since the mail became due, including the current one */
  readonly attempts: number
  readonly nextAttemptAt: Instant
  /** error from the last attempt; null if it succeeded, or if there has been no attempt */
  readonly error: string | null
}

/** The outcome of an attempt. */
export type MorningResult =
  /** `error` is null if the mail was sent, or if there was nothing to send */
  | { readonly state: 'ended'; readonly nextDueAt: Instant; readonly error: string | null }
  | { readonly state: 'pending'; readonly nextAttemptAt: Instant; readonly error: string }

/**
 * Returns when the next mail is due after the account has changed.
 * @param dueAt due time before the change; null: none
 * @returns null if the account does not receive morning mails
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

/**
 * Adjusts a mail's due time after the account has changed.
 * @returns null if the account does not receive morning mails
 */
export function movedMorning(before: MorningTime, { morningMail, tz }: MorningTime, dueAt: Instant): Instant | null {
  if (morningMail === null) return null
  if (before.morningMail?.hour === morningMail.hour && before.tz === tz) return dueAt
  // The mail stays on the same day, because it would otherwise be lost or sent twice. If the new time has already passed, the mail is sent
  // immediately.
  return morningOf(dueAt.toZonedDateTimeISO(before.tz).toPlainDate(), morningMail.hour, tz)
}

/** Returns the first morning after the given time. @param tz IANA name */
export function nextMorning(hour: number, tz: string, after: Instant): Instant {
  let day = after.toZonedDateTimeISO(tz).toPlainDate()
  // A time zone can skip a day.
  while (isAtOrAfter(after, morningOf(day, hour, tz))) day = day.add({ days: 1 })
  return morningOf(day, hour, tz)
}

/** Returns when clocks show this hour on the given day. If clocks skip the hour, returns the hour after it. */
function morningOf(day: Temporal.PlainDate, hour: number, timeZone: string): Instant {
  return day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) }).toInstant()
}

/**
 * Returns the morning that a mail belongs to: `dueAt`, or the latest morning if the server was down for several. The result stays the same
 * until the next mail is due.
 */
export function morningSlot(dueAt: Instant, hour: number, tz: string, now: Instant): Instant {
  const today = now.toZonedDateTimeISO(tz).toPlainDate()
  const morning = morningOf(today, hour, tz)
  return later(dueAt, isBefore(now, morning) ? morningOf(today.subtract({ days: 1 }), hour, tz) : morning)
}

/** Maximum delay of a mail, in seconds. A later mail would be out of date. */
const LATEST_SECONDS = 6 * 3_600

/** Whether it is too late to send the mail. */
export function isTooLate(slot: Instant, now: Instant): boolean {
  return isBefore(addSeconds(slot, LATEST_SECONDS), now)
}

/**
 * Returns when to retry a mail that could not be sent. The delays are the same as for deliveries.
 * @param fraction a random number, 0 ≤ fraction < 1
 * @returns null if it would be too late by then
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

/**
 * Returns the date of the evening on which the night before this morning began.
 * @param tz IANA name
 */
export function eveningBefore(slot: Instant, tz: string): Temporal.PlainDate {
  return slot.toZonedDateTimeISO(tz).toPlainDate().subtract({ days: 1 })
}
