/** An email channel's settings: either just an address, or an address with options. */

import { MAIL_ADDRESS_PATTERN } from '../email-address.ts'
import { canonicalTimeZone } from '../schedule/time-zones.ts'
import { type Static, Text, Type } from '../schema.ts'
import { REPORT_PERIODS, type ReportPeriod } from './report-period.ts'

export const REMINDER_PERIODS = ['hourly', 'daily'] as const
export type ReminderPeriod = (typeof REMINDER_PERIODS)[number]

const Address = Text({
  title: 'Address',
  description: 'one email address',
  examples: ['ops@example.org'],
  maxLength: 254,
  pattern: MAIL_ADDRESS_PATTERN,
  means: 'an email address such as ops@example.org',
})

const anyOf = <Value extends string>(values: readonly Value[], title: string, description: string) =>
  Type.Optional(
    Type.Union(
      ['off' as const, ...values].map((value) => Type.Literal(value)),
      { title, description, default: 'off' },
    ),
  )

const FIELDS = {
  value: Address,
  down: Type.Optional(Type.Boolean({ title: 'When a check goes down', default: true })),
  up: Type.Optional(Type.Boolean({ title: 'When a check recovers', default: true })),
  report: anyOf(REPORT_PERIODS, 'Report', "a summary of the project's checks with their downtime"),
  reminder: anyOf(REMINDER_PERIODS, 'Reminder', 'a list of the checks that are still down, sent while any are'),
  tz: Type.Optional(
    Text({ title: 'Time zone', description: 'for times in emails and for when reports are sent', format: 'timezone' }),
  ),
}

/** Email channel settings as users type them. */
export const MailChannelFields = Type.Object(FIELDS, { additionalProperties: false })

/** Email channel settings as stored. Unknown fields, stored by another version of the program, are ignored. */
export const MailChannelSettings = Type.Union([Address, Type.Object(FIELDS)])
type MailChannelSettings = Static<typeof MailChannelSettings>

/**
 * New email channel settings to store. Unknown fields are rejected, because a misspelled field, such as `reports` instead of `report`,
 * would silently prevent reports from being sent.
 */
export const NewMailChannelSettings = Type.Union([Address, MailChannelFields])

/** How often an email channel receives reports and reminders; null: never. */
export interface MailPeriods {
  readonly report: ReportPeriod | null
  readonly reminder: ReminderPeriod | null
}

/**
 * Returns an email channel's settings with changed periods. Periods that are not given stay the same. Settings that consist only of an
 * address don't define any periods.
 */
export function withPeriods(settings: unknown, periods: Partial<MailPeriods>): unknown {
  const isAddress = typeof settings === 'string'
  const stated = Object.entries(periods).filter(([, period]) => !isAddress || period !== null)
  if (stated.length === 0) return settings
  const values = Object.fromEntries(stated.map(([kind, period]) => [kind, period ?? 'off']))
  return Object.assign({}, isAddress ? { value: settings } : settings, values)
}

export interface MailChannel extends MailPeriods {
  readonly address: string
  readonly down: boolean
  readonly up: boolean
  /** IANA name of a time zone */
  readonly tz: string
}

/** @param settings valid for {@link MailChannelSettings} */
export function mailChannel(settings: MailChannelSettings): MailChannel {
  const given = typeof settings === 'string' ? { value: settings } : settings
  const { value, down = true, up = true, report = 'off', reminder = 'off', tz = 'UTC' } = given
  return {
    address: value,
    down,
    up,
    report: report === 'off' ? null : report,
    reminder: reminder === 'off' ? null : reminder,
    tz: canonicalTimeZone(tz) ?? 'UTC',
  }
}

/** The error of a delivery to an unconfirmed address. */
export const UNCONFIRMED = 'The address has not been confirmed yet'
