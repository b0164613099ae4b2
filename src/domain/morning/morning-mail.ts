/** The time at which the morning mail of an account is due. */
import { addSeconds, type Instant, isAtOrAfter, isBefore, later, Temporal } from '../../lib/time.ts'
import type { MorningMail } from '../account/morning-setting.ts'
import { backOffSeconds } from '../alert/retry.ts'

/** The fields that decide when the mail comes. */
export interface MorningTime {
  /** null: never */
  readonly morningMail: MorningMail | null
  /** IANA name */
  readonly tz: string
}

/** A mail that is planned. */
export interface PlannedMorningMail {
  readonly accountId: string
  readonly dueAt: Instant
  /** attempts begun since it became due, including the current one */
  readonly attempts: number
  readonly nextAttemptAt: Instant
  /** of the last attempt; null when it succeeded or there was none */
  readonly error: string | null
}

/** How an attempt ended. */
export type MorningResult =
  /** `error` is null when it was sent, and when there was nothing to send */
  | { readonly state: 'ended'; readonly nextDueAt: Instant; readonly error: string | null }
  | { readonly state: 'pending'; readonly nextAttemptAt: Instant; readonly error: string }

/**
 * The time at which the next mail is due after a change of the account.
 * @param dueAt when it was before the change; null: there was none
 * @returns null when none is wanted
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

/** The morning to which a change of the account moves one that was planned. @returns null when no mail is wanted */
export function movedMorning(before: MorningTime, { morningMail, tz }: MorningTime, dueAt: Instant): Instant | null {
  if (morningMail === null) return null
  if (before.morningMail?.hour === morningMail.hour && before.tz === tz) return dueAt
  // Keeps the day, or its mail would be lost or sent twice. If that time is past by now, it is sent at once.
  return morningOf(dueAt.toZonedDateTimeISO(before.tz).toPlainDate(), morningMail.hour, tz)
}

/** The first morning after an instant. @param tz IANA name */
export function nextMorning(hour: number, tz: string, after: Instant): Instant {
  let day = after.toZonedDateTimeISO(tz).toPlainDate()
  // A zone may have left out a day.
  while (isAtOrAfter(after, morningOf(day, hour, tz))) day = day.add({ days: 1 })
  return morningOf(day, hour, tz)
}

/** The hour of the clock. One that the clock leaves out is the hour after. */
function morningOf(day: Temporal.PlainDate, hour: number, timeZone: string): Instant {
  return day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) }).toInstant()
}

/** The morning that a mail due since `dueAt` is for: the latest one after an outage. Constant until the next is due. */
export function morningSlot(dueAt: Instant, hour: number, tz: string, now: Instant): Instant {
  const today = now.toZonedDateTimeISO(tz).toPlainDate()
  const morning = morningOf(today, hour, tz)
  return later(dueAt, isBefore(now, morning) ? morningOf(today.subtract({ days: 1 }), hour, tz) : morning)
}

/** A mail that comes later says what was long ago, when pages and alerts have said what followed. */
const LATEST_SECONDS = 6 * 3_600

/** True: it is no longer sent. */
export function isTooLate(slot: Instant, now: Instant): boolean {
  return isBefore(addSeconds(slot, LATEST_SECONDS), now)
}

/**
 * The time at which a mail that could not be sent is tried again: after the back-off of deliveries.
 * @param fraction a random number, 0 ≤ fraction < 1
 * @returns null when it would be too late then
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

/** The evening on which the night of that morning began. @param tz IANA name */
export function eveningBefore(slot: Instant, tz: string): Temporal.PlainDate {
  return slot.toZonedDateTimeISO(tz).toPlainDate().subtract({ days: 1 })
}
