/** Mailings: reports and reminders that are due are claimed, written, sent, and their end recorded. */
import type { Mail } from '../domain/mail.ts'
import type { MailChannel } from '../domain/mail-channel.ts'
import { type MailBlock, mailParts } from '../domain/mail-layout.ts'
import { unsubscribeUrl } from '../domain/mail-links.ts'
import {
  type MailingEntry,
  type MailingOrder,
  type MailingResult,
  mailChannelOf,
  mailingId,
  type Rhythm,
  reminderRhythm,
  reportRhythm,
  retryMailingAt,
} from '../domain/mailing.ts'
import type { Project } from '../domain/project.ts'
import { reminderBlocks, reminderTitle, stillDown } from '../domain/reminder.ts'
import { reportBlocks } from '../domain/report.ts'
import { oneLine } from '../domain/text.ts'
import { addSeconds, type Instant, isBefore, isoSeconds } from '../domain/time.ts'
import { MissingSetting, type Verdict } from '../transports/transport.ts'
import type { Deps } from './deps.ts'
import { loadReport } from './reports.ts'
import { sendMessage } from './send-message.ts'

/** Mails on their way at once; few, so that alerts never wait for a connection to the mail server behind reports. */
const SEATS = 2
/** Longer than any attempt takes, so that only a crash lets a lease run out. */
const LEASE_SECONDS = 300
const ERROR_LIMIT = 200

type Needs = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'carriers' | 'operator' | 'log' | 'site'>

/**
 * Sends reports and reminders that are due, a few at most. Claimed before sent and recorded after: a crash in between
 * sends a mail once more, under the same id. Costs one indexed look while nothing is due.
 * @returns when to go on, at once when more are due; null when none is to come
 */
export async function sendMailings(deps: Needs): Promise<Instant | null> {
  const { store, now, log } = deps
  const due = await store.nextMailingAt()
  if (due === null || isBefore(now(), due)) return due
  const orders = await store.claimMailings(now(), addSeconds(now(), LEASE_SECONDS), SEATS)
  const attempts = orders.map((order) =>
    carryOut(deps, order).catch((error) =>
      log('error', 'mailing not finished', {
        ...detailsOf(order),
        reason: error instanceof Error ? error.message : error,
      }),
    ),
  )
  await Promise.all(attempts)
  return store.nextMailingAt()
}

/** What the channels of a project ask for; those that ask for nothing are left out. */
export function listMailings({ store }: Pick<Deps, 'store'>, project: Project): Promise<MailingEntry[]> {
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

/** What a mailing is sent for, and what comes after it. */
interface Turn {
  readonly occasion: Instant
  readonly next: Instant
}

async function attempt(deps: Needs, order: MailingOrder): Promise<MailingResult> {
  const { mailing, channel } = order
  const settings = mailChannelOf(channel)
  const rhythm = settings && rhythmOf(mailing.kind, settings)
  if (!rhythm) return { state: 'passed over', nextDueAt: null }
  const occasion = rhythm.occasion(mailing.dueAt, deps.now())
  const turn = { occasion, next: rhythm.next(occasion, deps.random.fraction()) }
  const transport = deps.transports.get(channel.kind)
  const isSilent = channel.disabledReason !== null || channel.awaitsConfirmation
  const mail = isSilent || !transport ? null : await compose(deps, order, settings, occasion)
  if (!mail || !transport) return { state: 'passed over', nextDueAt: turn.next }
  const verdict: Verdict = deps.operator.EMAIL_HOST
    ? await sendMessage(deps, transport, { message: mail, details: detailsOf(order) })
    : { kind: 'fail', error: new MissingSetting('EMAIL_HOST').message }
  return concluded(deps, order, turn, verdict)
}

function rhythmOf(kind: MailingOrder['mailing']['kind'], { report, reminder, tz }: MailChannel): Rhythm | null {
  if (kind === 'report') return report && reportRhythm(report, tz)
  return reminder && reminderRhythm(reminder)
}

function concluded(deps: Needs, { mailing }: MailingOrder, { occasion, next }: Turn, verdict: Verdict): MailingResult {
  if (verdict.kind === 'sent') return { state: 'sent', nextDueAt: next }
  const error = verdict.error.slice(0, ERROR_LIMIT)
  if (verdict.kind === 'retry') {
    const retry = { attempts: mailing.attempts, retryAfterSeconds: verdict.retryAfterSeconds }
    const nextAttemptAt = retryMailingAt(retry, occasion, next, deps.now(), deps.random.fraction())
    if (nextAttemptAt) return { state: 'pending', error, nextAttemptAt }
  }
  return { state: 'failed', error, disablesChannel: verdict.kind === 'disable', nextDueAt: next }
}

/** @returns null when there is nothing to tell */
async function compose(
  deps: Needs,
  order: MailingOrder,
  settings: MailChannel,
  occasion: Instant,
): Promise<Mail | null> {
  const words = await (order.mailing.kind === 'report'
    ? reportWords(deps, order, settings, occasion)
    : reminderWords(deps, order, settings))
  if (!words) return null
  const { site } = deps
  const unsubscribe = unsubscribeUrl(site.links, order.channel.id, order.mailing.kind, site.secret)
  const footer: MailBlock[] = [
    { kind: 'paragraph', text: words.reason },
    { kind: 'link', label: 'Stop these mails', url: unsubscribe },
  ]
  return {
    id: mailingId(order.mailing, occasion),
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
  /** why the mail came */
  readonly reason: string
}

async function reportWords(
  deps: Needs,
  { mailing, projectName }: MailingOrder,
  { report: period, tz }: MailChannel,
  occasion: Instant,
): Promise<Words | null> {
  const report = period && (await loadReport(deps, mailing.projectId, period, tz, occasion))
  if (!report?.isWorthSending) return null
  return {
    title: report.title,
    subject: `${report.title}: ${oneLine(projectName)} (${deps.site.name})`,
    tone: 'plain',
    blocks: reportBlocks(report, projectName, deps.site.links),
    reason: `You get ${period} reports ${whose(deps, projectName)}.`,
  }
}

async function reminderWords(
  deps: Needs,
  { mailing, projectName }: MailingOrder,
  { tz, reminder }: MailChannel,
): Promise<Words | null> {
  const at = deps.now()
  const down = stillDown(await deps.store.listPerhapsDown(mailing.projectId, at), at)
  if (down.length === 0) return null
  const title = reminderTitle(down)
  return {
    title,
    subject: title,
    tone: 'bad',
    blocks: reminderBlocks(down, projectName, deps.site.links, tz, at),
    reason: `You get ${reminder} reminders ${whose(deps, projectName)} while something is down.`,
  }
}

function whose({ site }: Needs, projectName: string): string {
  return `of project ${oneLine(projectName)} on ${site.name}`
}
