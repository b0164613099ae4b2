/** Claims due reports and reminders, composes and sends them, and records the results. */
import type { Actor } from '../../domain/actor.ts'
import { keptError } from '../../domain/alert/delivery.ts'
import type { Mail } from '../../domain/carrier/mail.ts'
import { type MailBlock, mailParts } from '../../domain/mail/layout.ts'
import { unsubscribeUrl } from '../../domain/mail/links.ts'
import type { MailChannel } from '../../domain/mail/mail-channel.ts'
import {
  type MailingEntry,
  type MailingOrder,
  type MailingResult,
  type MailSchedule,
  mailChannelOf,
  mailingId,
  reminderSchedule,
  reportSchedule,
  retryMailingAt,
} from '../../domain/mail/mailing.ts'
import { messageOf } from '../../lib/errors.ts'
import { addSeconds, type Instant, isBefore, isoSeconds } from '../../lib/time.ts'
import { type Conclusion, MissingSetting } from '../../transports/transport.ts'
import type { Deps } from '../common/deps.ts'
import { sendMessage } from '../courier/send-message.ts'
import { mailingWords } from './mailing-words.ts'

/**
 * Number of emails to send simultaneously. It is small, so that alerts don't have to wait until reports free a connection to the mail
 * server.
 */
const CONCURRENCY_LIMIT = 2
/** Duration of a lease, in seconds. An attempt never takes this long, so a lease expires only after a crash. */
const LEASE_SECONDS = 300

type Needs = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'carriers' | 'operator' | 'log' | 'site'>

/**
 * Sends a few due reports and reminders. Each email is claimed before it is sent, and its result is recorded afterwards. If the process
 * crashes in between, the email is sent again with the same id. If nothing is due, the cost is a single indexed query.
 * @returns when to call this again; the current time if more emails are due; null if none are planned
 */
export async function sendMailings(deps: Needs): Promise<Instant | null> {
  const { store, now, log } = deps
  const due = await store.mailings.nextAt()
  if (due === null || isBefore(now(), due)) return due
  const orders = await store.mailings.claim(now(), addSeconds(now(), LEASE_SECONDS), CONCURRENCY_LIMIT)
  const attempts = orders.map((order) =>
    carryOut(deps, order).catch((error) =>
      log('error', 'mailing could not be finished', {
        ...detailsOf(order),
        reason: messageOf(error),
      }),
    ),
  )
  await Promise.all(attempts)
  return store.mailings.nextAt()
}

/** Lists the reports and reminders of a project's channels. */
export function listMailings({ store }: Pick<Deps, 'store'>, { project }: Actor): Promise<MailingEntry[]> {
  return store.mailings.list(project.id)
}

async function carryOut(deps: Needs, order: MailingOrder): Promise<void> {
  const result = await attempt(deps, order)
  await deps.store.mailings.record(order.mailing, result)
  const details = detailsOf(order)
  if (result.state === 'sent') deps.log('info', 'mailing sent', details)
  else if (result.state === 'pending') {
    const next_attempt = isoSeconds(result.nextAttemptAt)
    deps.log('warning', 'mailing will be tried again', { ...details, error: result.error, next_attempt })
  } else if (result.state === 'failed') deps.log('warning', 'mailing failed', { ...details, error: result.error })
}

function detailsOf({ mailing: { channelId, kind, attempts } }: MailingOrder) {
  return { channel: channelId, kind, attempts }
}

/** The date of a mailing, and of the next one. */
interface Turn {
  readonly slot: Instant
  readonly next: Instant
}

async function attempt(deps: Needs, order: MailingOrder): Promise<MailingResult> {
  const { mailing, channel } = order
  const settings = mailChannelOf(channel)
  const schedule = settings && scheduleOf(mailing.kind, settings)
  if (!schedule) return { state: 'passed over', nextDueAt: null }
  const slot = schedule.slot(mailing.dueAt, deps.now())
  const turn = { slot, next: schedule.next(slot, deps.random.fraction()) }
  const transport = deps.transports.get(channel.kind)
  const isSilent = channel.disabledReason !== null || channel.awaitsConfirmation
  const mail = isSilent || !transport ? null : await compose(deps, order, settings, slot)
  if (!mail || !transport) return { state: 'passed over', nextDueAt: turn.next }
  const conclusion: Conclusion = deps.operator.EMAIL_HOST
    ? (await sendMessage(deps, transport, { message: mail, details: detailsOf(order) })).conclusion
    : { kind: 'fail', error: new MissingSetting('EMAIL_HOST').message }
  return concluded(deps, order, turn, conclusion)
}

function scheduleOf(kind: MailingOrder['mailing']['kind'], { report, reminder, tz }: MailChannel): MailSchedule | null {
  if (kind === 'report') return report && reportSchedule(report, tz)
  return reminder && reminderSchedule(reminder)
}

function concluded(
  deps: Needs,
  { mailing }: MailingOrder,
  { slot, next }: Turn,
  conclusion: Conclusion,
): MailingResult {
  if (conclusion.kind === 'sent') return { state: 'sent', nextDueAt: next }
  const error = keptError(conclusion.error)
  if (conclusion.kind === 'retry') {
    const retry = { attempts: mailing.attempts, retryAfterSeconds: conclusion.retryAfterSeconds }
    const nextAttemptAt = retryMailingAt(retry, slot, next, deps.now(), deps.random.fraction())
    if (nextAttemptAt) return { state: 'pending', error, nextAttemptAt }
  }
  return { state: 'failed', error, disablesChannel: conclusion.kind === 'disable', nextDueAt: next }
}

/** @returns null if there is nothing to report */
async function compose(deps: Needs, order: MailingOrder, settings: MailChannel, slot: Instant): Promise<Mail | null> {
  const { mailing, projectName } = order
  const words = await mailingWords(deps, { ...mailing, projectName, settings, slot })
  if (!words) return null
  const { site } = deps
  const unsubscribe = unsubscribeUrl(site.links, order.channel.id, mailing.kind, site.secret)
  const footer: MailBlock[] = [
    { kind: 'paragraph', text: words.reason },
    { kind: 'link', label: 'Unsubscribe', url: unsubscribe },
  ]
  return {
    id: mailingId(mailing.channelId, mailing.kind, slot),
    to: settings.address,
    subject: words.subject,
    ...mailParts({ title: words.title, tone: words.tone, blocks: words.blocks, footer }),
    unsubscribeUrl: unsubscribe,
  }
}
