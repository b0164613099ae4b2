/** Mailings: the reports and reminders that email channels receive. Calculates their due times and ids. */
import { createHash } from 'node:crypto'
import {
  addSeconds,
  type Instant,
  isBefore,
  later,
  microsecondsBetween,
  Temporal,
  toMicroseconds,
} from '../../lib/time.ts'
import { backOffSeconds } from '../alert/retry.ts'
import type { Channel } from '../channel/channel.ts'
import { addUnits, type CalendarUnit, firstDayOf } from '../run/downtime.ts'
import { firstProblem, type Static } from '../schema.ts'
import { type MailChannel, MailChannelSettings, mailChannel, type ReminderPeriod } from './mail-channel.ts'
import type { ReportPeriod } from './report-period.ts'

export type MailingKind = 'report' | 'reminder'

export interface Mailing {
  readonly channelId: string
  readonly kind: MailingKind
  readonly projectId: string
  readonly dueAt: Instant
  /** number of attempts since the email became due, including the current one */
  readonly attempts: number
}

export interface MailingOrder {
  readonly mailing: Mailing
  readonly channel: Channel
  readonly projectName: string
}

/** The state of a channel's reports or reminders. */
export interface MailingEntry {
  readonly channel: Channel
  readonly kind: MailingKind
  /** when the next email is due; null for reminders while no check is down */
  readonly dueAt: Instant | null
  /** number of attempts since the email became due */
  readonly attempts: number
  /** time of the next attempt; null if `dueAt` is null */
  readonly nextAttemptAt: Instant | null
  /** error from the last attempt; null if it succeeded, or if there has been no attempt */
  readonly error: string | null
}

/** The outcome of an attempt. */
export type MailingResult =
  | { readonly state: 'sent'; readonly nextDueAt: Instant }
  /** there was nothing to send; `nextDueAt` is null if the channel no longer receives this kind of email */
  | { readonly state: 'passed over'; readonly nextDueAt: Instant | null }
  | { readonly state: 'pending'; readonly error: string; readonly nextAttemptAt: Instant }
  | {
      readonly state: 'failed'
      readonly error: string
      readonly disablesChannel: boolean
      readonly nextDueAt: Instant
    }

/** The changes to a channel's mailings that result from new settings. An omitted field changes nothing, and null ends the mailing. */
export interface WantedMailings {
  readonly report?: ReportDate | null
  readonly reminder?: WantedReminder | null
}

/**
 * Returns when the next report is due.
 * @param dueAt due time under the previous settings; null if there was none
 */
export type ReportDate = (dueAt: Instant | null) => Instant

interface WantedReminder {
  /** time between two reminders, in seconds */
  readonly periodSeconds: number
  /** time of the first reminder if a check is currently down */
  readonly firstAt: Instant
}

export const REPORT_UNITS: Readonly<Record<ReportPeriod, CalendarUnit>> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
}
const REMINDER_SECONDS: Readonly<Record<ReminderPeriod, number>> = { hourly: 3_600, daily: 86_400 }

/** Returns a stored channel's email settings; null if the channel is of a different kind or its settings are invalid. */
export function mailChannelOf({ kind, settings }: Pick<Channel, 'kind' | 'settings'>): MailChannel | null {
  if (kind !== 'email' || firstProblem(MailChannelSettings, settings)) return null
  return mailChannel(settings as Static<typeof MailChannelSettings>)
}

/**
 * Returns the changes to a channel's mailings when it is created or edited. A mailing keeps its due time if its settings stay the same.
 * @param before null if the channel is new
 * @param fraction a random number, 0 ≤ fraction < 1
 */
export function wantedMailings(
  before: MailChannel | null,
  after: MailChannel | null,
  now: Instant,
  fraction: number,
): WantedMailings {
  const reminder = after?.reminder ?? null
  return {
    ...wantedReport(before, after, now, fraction),
    ...(reminder === (before?.reminder ?? null) ? {} : { reminder: reminder && wantedReminder(reminder, now) }),
  }
}

function wantedReport(
  before: MailChannel | null,
  after: MailChannel | null,
  now: Instant,
  fraction: number,
): Pick<WantedMailings, 'report'> {
  if (!after || after.report === null) return before?.report ? { report: null } : {}
  const first = nextReportAt(after.report, after.tz, now, fraction)
  if (!before || before.report !== after.report) return { report: () => first }
  if (before.tz === after.tz) return {}
  // The report stays on the same day, because it would otherwise be lost or sent twice. If the new time has already passed, the report is
  // sent immediately.
  return { report: (dueAt) => (dueAt === null ? first : onSameWallClock(dueAt, before.tz, after.tz)) }
}

function onSameWallClock(instant: Instant, from: string, to: string): Instant {
  return instant.toZonedDateTimeISO(from).toPlainDateTime().toZonedDateTime(to).toInstant()
}

function wantedReminder(period: ReminderPeriod, now: Instant): WantedReminder {
  const periodSeconds = REMINDER_SECONDS[period]
  return { periodSeconds, firstAt: addSeconds(now, periodSeconds) }
}

/**
 * Earliest hour at which reports are sent. They are spread over two hours, so that the mail server doesn't receive all of them at the same
 * time.
 */
const REPORT_HOUR = 9
const SPREAD_MINUTES = 120

/**
 * Returns when the next report is due: on the next day, Monday or first of the month, between 09:00 and 10:59 in the time zone.
 * @param tz IANA name
 * @param fraction a random number, 0 ≤ fraction < 1
 */
export function nextReportAt(period: ReportPeriod, tz: string, now: Instant, fraction: number): Instant {
  const unit = REPORT_UNITS[period]
  const today = now.toZonedDateTimeISO(tz).toPlainDate()
  return onMorning(addUnits(unit, firstDayOf(unit, today), 1), tz, Math.floor(fraction * SPREAD_MINUTES))
}

function onMorning(day: Temporal.PlainDate, timeZone: string, minutes: number): Instant {
  const plainTime = new Temporal.PlainTime(REPORT_HOUR).add({ minutes })
  return day.toZonedDateTime({ timeZone, plainTime }).toInstant()
}

/** Due times of one kind of email. */
export interface MailSchedule {
  /**
   * Returns the due time that an email belongs to: `dueAt`, or the latest due time if the server was down for several. The result stays the
   * same until the next email is due.
   */
  slot(dueAt: Instant, now: Instant): Instant
  /**
   * Returns the due time after a slot. The result is always later than the `now` passed to `slot`.
   * @param fraction 0 ≤ fraction < 1
   */
  next(slot: Instant, fraction: number): Instant
}

export function reportSchedule(period: ReportPeriod, tz: string): MailSchedule {
  return {
    slot(dueAt, now) {
      // The calculation uses wall-clock time, because nine hours after midnight is not nine o'clock on the day of a clock change.
      const wall = now.toZonedDateTimeISO(tz).toPlainDateTime().subtract({ hours: REPORT_HOUR })
      return later(dueAt, onMorning(firstDayOf(REPORT_UNITS[period], wall.toPlainDate()), tz, 0))
    },
    next: (slot, fraction) => nextReportAt(period, tz, slot, fraction),
  }
}

export function reminderSchedule(period: ReminderPeriod): MailSchedule {
  const seconds = REMINDER_SECONDS[period]
  return {
    slot(dueAt, now) {
      const missed = Math.max(0, Math.floor(microsecondsBetween(dueAt, now) / 1_000_000 / seconds))
      return addSeconds(dueAt, missed * seconds)
    },
    next: (slot) => addSeconds(slot, seconds),
  }
}

/** Divisor of the interval between two emails. During the last tenth of the interval, an email is no longer retried. */
const NEAR_PART = 10

/**
 * Returns when to retry an email that could not be sent. The delays are the same as for deliveries.
 * @param next when the next email is due
 * @param fraction a random number, 0 ≤ fraction < 1
 * @returns null if the next email is due soon
 */
export function retryMailingAt(
  retry: { readonly attempts: number; readonly retryAfterSeconds: number | null },
  slot: Instant,
  next: Instant,
  now: Instant,
  fraction: number,
): Instant | null {
  const at = now.add({ milliseconds: Math.round(backOffSeconds(retry, fraction) * 1000) })
  const near = Math.round(microsecondsBetween(slot, next) / NEAR_PART)
  return isBefore(at, next.subtract({ microseconds: near })) ? at : null
}

/**
 * Returns a UUID (version 8, RFC 9562) that is the same for each attempt, so that receivers can recognize duplicates.
 * @param receiverId id of the channel or account
 */
export function mailingId(receiverId: string, kind: MailingKind | 'morning', slot: Instant): string {
  const hash = createHash('sha256')
    .update(`${receiverId} ${kind} ${toMicroseconds(slot)}`)
    .digest('hex')
  const digits = `${hash.slice(0, 12)}8${hash.slice(13, 16)}8${hash.slice(17, 32)}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
