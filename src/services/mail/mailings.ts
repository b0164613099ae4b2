/** Mailings: claims due reports and reminders, writes and sends them, and records how each ended. */
import type { Actor } from '../../domain/actor.ts'
import { keptError } from '../../domain/alert/delivery.ts'
import type { Mail } from '../../domain/carrier/mail.ts'
import { type MailBlock, mailParts, ROWS_LIMIT } from '../../domain/mail/layout.ts'
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
import { reminderBlocks, reminderTitle, stillDown } from '../../domain/mail/reminder.ts'
import { listedRows, reportBlocks } from '../../domain/mail/report.ts'
import { messageOf } from '../../lib/errors.ts'
import { oneLine } from '../../lib/text.ts'
import { addSeconds, type Instant, isBefore, isoSeconds } from '../../lib/time.ts'
import { MissingSetting, type Verdict } from '../../transports/transport.ts'
import { sendMessage } from '../courier/send-message.ts'
import type { Deps } from '../deps.ts'
import { downSentences } from './down-sentences.ts'
import { loadReport } from './reports.ts'

/** Emails sent at once: few, so that alerts never wait behind reports for a connection to the mail server. */
const CONCURRENCY_LIMIT = 2
/** Longer than any attempt takes, so that only a crash lets a lease run out. */
const LEASE_SECONDS = 300

type Needs = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'carriers' | 'operator' | 'log' | 'site'>

/**
 * Sends due reports and reminders, a few at most. Each is claimed before it is sent and recorded after: a crash in between
 * sends it again, under the same id. Costs one indexed query while nothing is due.
 * @returns when to call it again, at once when more are due; null when none is planned
 */
export async function sendMailings(deps: Needs): Promise<Instant | null> {
  const { store, now, log } = deps
  const due = await store.nextMailingAt()
  if (due === null || isBefore(now(), due)) return due
  const orders = await store.claimMailings(now(), addSeconds(now(), LEASE_SECONDS), CONCURRENCY_LIMIT)
  const attempts = orders.map((order) =>
    carryOut(deps, order).catch((error) =>
      log('error', 'mailing could not be finished', {
        ...detailsOf(order),
        reason: messageOf(error),
      }),
    ),
  )
  await Promise.all(attempts)
  return store.nextMailingAt()
}

/** The reports and reminders of a project's channels. */
export function listMailings({ store }: Pick<Deps, 'store'>, { project }: Actor): Promise<MailingEntry[]> {
  return store.listMailings(project.id)
}

async function carryOut(deps: Needs, order: MailingOrder): Promise<void> {
  const result = await attempt(deps, order)
  await deps.store.recordMailing(order.mailing, result)
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

/** The date that a mailing is for, and the date of the next one. */
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
  const verdict: Verdict = deps.operator.EMAIL_HOST
    ? (await sendMessage(deps, transport, { message: mail, details: detailsOf(order) })).verdict
    : { kind: 'fail', error: new MissingSetting('EMAIL_HOST').message }
  return concluded(deps, order, turn, verdict)
}

function scheduleOf(kind: MailingOrder['mailing']['kind'], { report, reminder, tz }: MailChannel): MailSchedule | null {
  if (kind === 'report') return report && reportSchedule(report, tz)
  return reminder && reminderSchedule(reminder)
}

function concluded(deps: Needs, { mailing }: MailingOrder, { slot, next }: Turn, verdict: Verdict): MailingResult {
  if (verdict.kind === 'sent') return { state: 'sent', nextDueAt: next }
  const error = keptError(verdict.error)
  if (verdict.kind === 'retry') {
    const retry = { attempts: mailing.attempts, retryAfterSeconds: verdict.retryAfterSeconds }
    const nextAttemptAt = retryMailingAt(retry, slot, next, deps.now(), deps.random.fraction())
    if (nextAttemptAt) return { state: 'pending', error, nextAttemptAt }
  }
  return { state: 'failed', error, disablesChannel: verdict.kind === 'disable', nextDueAt: next }
}

/** @returns null when there is nothing to report */
async function compose(deps: Needs, order: MailingOrder, settings: MailChannel, slot: Instant): Promise<Mail | null> {
  const words = await (order.mailing.kind === 'report'
    ? reportWords(deps, order, settings, slot)
    : reminderWords(deps, order, settings))
  if (!words) return null
  const { site } = deps
  const unsubscribe = unsubscribeUrl(site.links, order.channel.id, order.mailing.kind, site.secret)
  const footer: MailBlock[] = [
    { kind: 'paragraph', text: words.reason },
    { kind: 'link', label: 'Unsubscribe', url: unsubscribe },
  ]
  return {
    id: mailingId(order.mailing, slot),
    to: settings.address,
    subject: words.subject,
    ...mailParts({ title: words.title, tone: words.tone, blocks: words.blocks, footer }),
    unsubscribeUrl: unsubscribe,
  }
}

interface Words {
  readonly title: string
  readonly subject: string
  readonly tone: 'bad' | 'plain'
  readonly blocks: readonly MailBlock[]
  /** why the receiver gets it */
  readonly reason: string
}

async function reportWords(
  deps: Needs,
  { mailing, projectName }: MailingOrder,
  { report: period, tz }: MailChannel,
  slot: Instant,
): Promise<Words | null> {
  const report = period && (await loadReport(deps, { project: { id: mailing.projectId } }, period, tz, slot))
  if (!report?.isWorthSending) return null
  const down = listedRows(report).filter(({ status }) => status === 'down')
  const ids = down.map(({ checkId }) => checkId)
  const sentences = await downSentences(deps, ids, tz, deps.now())
  return {
    title: report.title,
    subject: `${report.title}: ${oneLine(projectName)} (${deps.site.name})`,
    tone: 'plain',
    blocks: reportBlocks(report, projectName, deps.site.links, tz, sentences),
    reason: `You get ${period} reports ${whose(deps, projectName)}.`,
  }
}

async function reminderWords(
  deps: Needs,
  { mailing, projectName }: MailingOrder,
  { tz, reminder }: MailChannel,
): Promise<Words | null> {
  const at = deps.now()
  const down = stillDown(await deps.store.listDownCandidates(mailing.projectId, at), at)
  if (down.length === 0) return null
  const listed = down.slice(0, ROWS_LIMIT).map(({ check }) => check.id)
  const sentences = await downSentences(deps, listed, tz, at)
  const title = reminderTitle(down)
  return {
    title,
    subject: title,
    tone: 'bad',
    blocks: reminderBlocks(down, projectName, deps.site.links, tz, sentences),
    reason: `You get ${reminder} reminders ${whose(deps, projectName)} while a check is down.`,
  }
}

function whose({ site }: Needs, projectName: string): string {
  return `for project ${oneLine(projectName)} on ${site.name}`
}
