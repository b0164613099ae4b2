/**
 * The card for an email integration's reports and reminders. It shows when the next ones are due, and any delivery problems. Users who may
 * change the settings also get a form.
 */
import { type MailPeriods, REMINDER_PERIODS } from '../../../../domain/mail/mail-channel.ts'
import type { MailingEntry } from '../../../../domain/mail/mailing.ts'
import { REPORT_PERIODS } from '../../../../domain/mail/report-period.ts'
import type { Instant } from '../../../../lib/time.ts'
import type { MailSubscription } from '../../../../services/mail/subscriptions.ts'
import type { Form } from '../../form.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { selectField } from '../../parts/forms/fields.ts'
import { card, keyValues } from '../../parts/lists.ts'
import { note } from '../../parts/notes.ts'
import { createClock, timeTag } from '../../parts/words/clock.ts'
import { bdi, shown } from '../../parts/words/text.ts'

interface SubscriptionCard {
  readonly subscription: MailSubscription
  readonly title: HtmlValue
  /**
   * path that the form is posted to, including the SITE_ROOT path prefix; null if the reader may not change the settings or see the address
   */
  readonly action: string | null
  /** returns the path of the preview for a kind of email, including the SITE_ROOT path prefix */
  readonly previewPath: (kind: MailingEntry['kind']) => string
  readonly now: Instant
  /** IANA time zone from the reader's account settings */
  readonly tz: string
}

export const REPORT_WORDS = { off: 'Off', daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' } as const
const REMINDER_WORDS = { off: 'Off', hourly: 'Hourly', daily: 'Daily' } as const

export function subscriptionCard(data: SubscriptionCard): Html {
  const { subscription, title, action, previewPath } = data
  const { report, reminder } = subscription.mail
  const previews = html`${linkButton({ text: 'Preview report', href: previewPath('report') })}${linkButton({ text: 'Preview reminder', href: previewPath('reminder') })}`
  const body =
    action === null
      ? html`${facts(data, [
          ['Report', REPORT_WORDS[report ?? 'off']],
          ['Reminder', REMINDER_WORDS[reminder ?? 'off']],
        ])}<div class="acts">${previews}</div>`
      : html`${facts(data, [['Address', bdi(subscription.mail.address)]])}${form(data, action, previews)}`
  return card({ title, body: html`<div class="stack">${obstacle(subscription, action !== null)}${body}</div>` })
}

/** Explains why nothing is sent to the integration, regardless of its settings. */
function obstacle({ channel }: MailSubscription, seesAddress: boolean): HtmlValue {
  const { awaitsConfirmation, disabledReason } = channel
  if (disabledReason !== null) {
    return note('late', html`Nothing is sent: ${seesAddress ? shown(disabledReason) : 'it is turned off'}.`)
  }
  return awaitsConfirmation && note('late', 'Nothing is sent until the owner of the address confirms it.')
}

function facts(
  { subscription: { mail, report, reminder }, action, now, tz }: SubscriptionCard,
  first: readonly (readonly [string, HtmlValue])[],
): Html {
  return keyValues([
    ...first,
    ...(mail.report === null ? [] : [['Next report', due(report, now, tz)] as const]),
    ...(mail.reminder === null ? [] : [['Next reminder', due(reminder, now, tz, 'while a check is down')] as const]),
    ...failure('Last report', report, action !== null),
    ...failure('Last reminder', reminder, action !== null),
  ])
}

function due(entry: MailingEntry | null, now: Instant, tz: string, otherwise = 'not planned'): HtmlValue {
  const at = entry?.nextAttemptAt ?? entry?.dueAt ?? null
  if (at === null) return otherwise
  const words = timeTag(at, createClock(now, tz).weekdayTime(at), tz)
  return entry !== null && entry.attempts > 0 ? html`tried again ${words}` : words
}

/** Describes a failure. The mail server's message may contain the address, so it is hidden from readers who may not see the address. */
function failure(
  name: string,
  entry: MailingEntry | null,
  seesAddress: boolean,
): readonly (readonly [string, HtmlValue])[] {
  const error = entry?.error ?? null
  if (error === null) return []
  return [[name, html`could not be sent${seesAddress && html`: ${bdi(error)}`}`]]
}

/** Renders the form. Field names include the id, because a page has several of these forms. */
function form({ subscription }: SubscriptionCard, action: string, previews: Html): Html {
  const { channel, mail } = subscription
  const options = (words: Readonly<Record<string, string>>) => Object.entries(words)
  return html`<form class="form" method="post" action="${action}"><input type="hidden" name="channel" value="${channel.id}">
<div class="two">${selectField({ name: `report-${channel.id}`, label: 'Report', value: mail.report ?? 'off', options: options(REPORT_WORDS), help: `Reports the downtime of all checks. Sent in the morning, in the time zone of the integration: ${mail.tz}.` })}${selectField({ name: `reminder-${channel.id}`, label: 'Reminder', value: mail.reminder ?? 'off', options: options(REMINDER_WORDS), help: 'Lists the checks that are still down. Sent only while a check is down.' })}</div>
<div class="acts">${submit({ text: 'Save', look: 'primary' })}${previews}</div></form>`
}

/** Reads the form in a {@link subscriptionCard}. An unknown period is treated as off. */
export function readPeriods(form: Form): { readonly channelId: string; readonly periods: MailPeriods } {
  const channelId = form.text('channel')
  const [report, reminder] = [form.text(`report-${channelId}`), form.text(`reminder-${channelId}`)]
  return {
    channelId,
    periods: {
      report: REPORT_PERIODS.find((period) => period === report) ?? null,
      reminder: REMINDER_PERIODS.find((period) => period === reminder) ?? null,
    },
  }
}
