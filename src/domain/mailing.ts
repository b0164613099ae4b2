/** Mailings: the reports and reminders that a mail channel asks for, when each of them comes, and under which id. */
import { createHash } from 'node:crypto'
import type { Channel } from './channel.ts'
import { addUnits, type CalendarUnit, firstDayOf } from './downtime.ts'
import {
  type MailChannel,
  MailChannelSettings,
  mailChannel,
  type ReminderPeriod,
  type ReportPeriod,
} from './mail-channel.ts'
import { backOffSeconds } from './retry.ts'
import { firstProblem, type Static } from './schema.ts'
import { addSeconds, type Instant, isBefore, later, microsecondsBetween, Temporal, toMicroseconds } from './time.ts'

export type MailingKind = 'report' | 'reminder'

export interface Mailing {
  readonly channelId: string
  readonly kind: MailingKind
  readonly projectId: string
  readonly dueAt: Instant
  /** attempts begun since it became due, the present one included */
  readonly attempts: number
}

export interface MailingOrder {
  readonly mailing: Mailing
  readonly channel: Channel
  readonly projectName: string
}

/** How far the mails of one kind are that a channel asks for. */
export interface MailingEntry {
  readonly channel: Channel
  readonly kind: MailingKind
  /** null for reminders while nothing is down */
  readonly dueAt: Instant | null
  /** begun since it became due */
  readonly attempts: number
  /** null as `dueAt` is */
  readonly nextAttemptAt: Instant | null
  /** of the last attempt; null when that succeeded or there was none */
  readonly error: string | null
}

/** How an attempt ended. */
export type MailingResult =
  | { readonly state: 'sent'; readonly nextDueAt: Instant }
  /** there was nothing to send; null: the channel does not ask for such mails any more */
  | { readonly state: 'passed over'; readonly nextDueAt: Instant | null }
  | { readonly state: 'pending'; readonly error: string; readonly nextAttemptAt: Instant }
  | {
      readonly state: 'failed'
      readonly error: string
      readonly disablesChannel: boolean
      readonly nextDueAt: Instant
    }

/** What a channel's settings ask for from now on; what is left out stays as it is, null asks for no more of them. */
export interface WantedMailings {
  readonly report?: ReportDate | null
  readonly reminder?: WantedReminder | null
}

/** When the next report comes. @param dueAt when it would come by the settings before; null when none would */
export type ReportDate = (dueAt: Instant | null) => Instant

export interface WantedReminder {
  /** from a reminder to the next */
  readonly periodSeconds: number
  /** when the first comes if something is down now */
  readonly firstAt: Instant
}

export const REPORT_UNITS: Readonly<Record<ReportPeriod, CalendarUnit>> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
}
const REMINDER_SECONDS: Readonly<Record<ReminderPeriod, number>> = { hourly: 3_600, daily: 86_400 }

/** What a stored channel says about mails; null for other kinds, and for settings that fit no mail channel. */
export function mailChannelOf({ kind, settings }: Pick<Channel, 'kind' | 'settings'>): MailChannel | null {
  if (kind !== 'email' || firstProblem(MailChannelSettings, settings)) return null
  return mailChannel(settings as Static<typeof MailChannelSettings>)
}

/**
 * What changes when a channel is made or edited; dates of what is asked for as before stay.
 * @param before null when there was no channel
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
  // The day stays, whose report would otherwise be lost or come twice; when that is past by now, it comes at once.
  return { report: (dueAt) => (dueAt === null ? first : onSameWallClock(dueAt, before.tz, after.tz)) }
}

function onSameWallClock(instant: Instant, from: string, to: string): Instant {
  return instant.toZonedDateTimeISO(from).toPlainDateTime().toZonedDateTime(to).toInstant()
}

function wantedReminder(period: ReminderPeriod, now: Instant): WantedReminder {
  const periodSeconds = REMINDER_SECONDS[period]
  return { periodSeconds, firstAt: addSeconds(now, periodSeconds) }
}

/** Reports come in the morning, spread over two hours so that the mail server does not get all at once. */
const REPORT_HOUR = 9
const SPREAD_MINUTES = 120

/**
 * The next report after `now`: the next day, Monday or first of the month, 09:00 to 10:59 in the zone.
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

/** When mails of one kind come. */
export interface Rhythm {
  /**
   * For which time a mail is sent that has been due since `dueAt`: after an outage of days the latest is sent, not the
   * first. Stays the same until the next one comes.
   */
  occasion(dueAt: Instant, now: Instant): Instant
  /** The one after; always later than the `now` that `occasion` was asked with. @param fraction 0 ≤ fraction < 1 */
  next(occasion: Instant, fraction: number): Instant
}

export function reportRhythm(period: ReportPeriod, tz: string): Rhythm {
  return {
    occasion(dueAt, now) {
      // By the clock on the wall: on the day of a change nine real hours are not nine of its.
      const wall = now.toZonedDateTimeISO(tz).toPlainDateTime().subtract({ hours: REPORT_HOUR })
      return later(dueAt, onMorning(firstDayOf(REPORT_UNITS[period], wall.toPlainDate()), tz, 0))
    },
    next: (occasion, fraction) => nextReportAt(period, tz, occasion, fraction),
  }
}

export function reminderRhythm(period: ReminderPeriod): Rhythm {
  const seconds = REMINDER_SECONDS[period]
  return {
    occasion(dueAt, now) {
      const missed = Math.max(0, Math.floor(microsecondsBetween(dueAt, now) / 1_000_000 / seconds))
      return addSeconds(dueAt, missed * seconds)
    },
    next: (occasion) => addSeconds(occasion, seconds),
  }
}

/** Of the time from one mail to the next, the part in which the first one is not tried any more. */
const NEAR_PART = 10

/**
 * When a mail that could not be handed over is tried again: after the back-off of deliveries.
 * @param next when the one after it comes
 * @param fraction a random number, 0 ≤ fraction < 1
 * @returns null when the next one is near
 */
export function retryMailingAt(
  retry: { readonly attempts: number; readonly retryAfterSeconds: number | null },
  occasion: Instant,
  next: Instant,
  now: Instant,
  fraction: number,
): Instant | null {
  const at = now.add({ milliseconds: Math.round(backOffSeconds(retry, fraction) * 1000) })
  const near = Math.round(microsecondsBetween(occasion, next) / NEAR_PART)
  return isBefore(at, next.subtract({ microseconds: near })) ? at : null
}

/** A UUID (version 8, RFC 9562) that is the same at each attempt, so that a mail which comes twice is known as one. */
export function mailingId({ channelId, kind }: Pick<Mailing, 'channelId' | 'kind'>, occasion: Instant): string {
  const hash = createHash('sha256')
    .update(`${channelId} ${kind} ${toMicroseconds(occasion)}`)
    .digest('hex')
  const digits = `${hash.slice(0, 12)}8${hash.slice(13, 16)}8${hash.slice(17, 32)}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
