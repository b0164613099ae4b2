/** `email`: an email with all details of a flip, to one address. */

import { type DigestCheck, digestOf } from '../domain/alert/digest.ts'
import type { LastPing } from '../domain/alert/flip-context.ts'
import { flipSentenceText, withoutBody } from '../domain/alert/flip-sentence.ts'
import { droppedBodyInWords, type Fact, type Notification } from '../domain/alert/notification.ts'
import type { Attachment, Mail, MailAnswer } from '../domain/carrier/mail.ts'
import { type MailBlock, mailParts } from '../domain/mail/layout.ts'
import {
  MailChannelFields,
  type MailChannelSettings,
  mailChannel,
  NewMailChannelSettings,
} from '../domain/mail/mail-channel.ts'
import { mailDay, mailTime } from '../domain/mail/mail-time.ts'
import { endText } from '../domain/ping/body-text.ts'
import type { Ping } from '../domain/ping/ping.ts'
import { codePoints, type Static } from '../domain/schema.ts'
import { oneLine, within } from '../lib/text/text.ts'
import { TAKE_OR_MUTE } from './parts/plain-words.ts'
import { SAMPLE_ADDRESS, sampleOf } from './sample.ts'
import { type Alert, type Alerts, type Conclusion, defineTransport, operatorSetting } from './transport.ts'

type Settings = Static<typeof MailChannelSettings>

export const email = defineTransport({
  kind: 'email',
  name: 'Email',
  mark: '@',
  about: 'any address, and reports',
  carrier: 'mail',
  settings: NewMailChannelSettings,
  form: {
    fields: MailChannelFields,
    toFields: (settings) => (typeof settings === 'string' ? { value: settings } : settings),
    toSettings: (values) => values,
  },
  reads: [{ name: 'EMAIL_HOST', example: 'mail.example.org', type: 'mail-server' }],
  sample: sampleOf(
    { value: SAMPLE_ADDRESS, down: true, up: true, report: 'weekly', reminder: 'off', tz: 'Europe/Riga' },
    { value: 'jane', tz: 'Europe/Rige' },
  ),
  wants: (settings, { newStatus }) => {
    const { down, up } = mailChannel(settings)
    return newStatus === 'down' ? down : up
  },
  render: (alert, settings) => mailOf(alert, settings, shownBody(alert)),
  digest,
  fallback,
  judge,
})

/** Limits in UTF-16 units. Mail programs show the complete line that contains the name. The other texts have no limit of their own. */
const LIMITS = { name: 150, description: 10_000, siblingName: 150 } as const

/** Returns the email without the last ping's body, if the server rejected an email with that body. */
function fallback(answer: MailAnswer, alert: Alert, settings: Settings): Mail | null {
  const isRefused = answer.kind === 'refused' && answer.stage === 'message' && answer.status >= 500
  const { lastPing } = alert
  if (!isRefused || !lastPing?.bodySize) return null
  const message = { ...alert.message, newLines: [] }
  return mailOf({ ...withoutBody(alert), message }, settings, refusedBody(lastPing))
}

function mailOf(alert: Alert, settings: Settings, last: ShownBody): Mail {
  // This is checked first, because without a mail server there is nothing to render.
  operatorSetting(alert, 'EMAIL_HOST')
  const { message } = alert
  const { address, tz } = mailChannel(settings)
  const name = within(oneLine(message.name), LIMITS.name)
  const parts = mailParts({
    title: `${name} is ${message.status}`,
    tone: message.isDown ? 'bad' : 'good',
    blocks: [
      ...explanation(alert, tz),
      ...newLines(message),
      ...pages(message),
      { kind: 'facts', facts: factsOf(alert, tz) },
      ...last.blocks,
      ...siblings(alert),
    ],
    footer: footer(alert),
  })
  return {
    id: alert.delivery.id,
    to: address,
    subject: `${message.status} | ${name}`,
    ...parts,
    unsubscribeUrl: alert.unsubscribeUrl,
    ...(last.attachment ? { attachments: [last.attachment] } : {}),
  }
}

/** Builds one email about several alerts. Each check has its own section, and checks that are down come first. */
function digest(alerts: Alerts, settings: Settings): Mail {
  const [alert] = alerts
  operatorSetting(alert, 'EMAIL_HOST')
  const { address, tz } = mailChannel(settings)
  const { id, isDown, status, headline, reason, checks } = digestOf(alerts, tz)
  const project = within(oneLine(alert.message.project), LIMITS.name)
  const parts = mailParts({
    title: headline,
    tone: isDown ? 'bad' : 'good',
    blocks: [{ kind: 'paragraph', text: reason }, ...checks.flatMap((check) => section(check, checks.length > 1))],
    footer: footer(alert),
  })
  return {
    id,
    to: address,
    subject: `${status} | ${checks.length === 1 ? (checks[0]?.name ?? '') : project}`,
    ...parts,
    unsubscribeUrl: alert.unsubscribeUrl,
  }
}

/** @param isNamed false if the title already names the check */
function section({ name, status, story, link, incidentLink }: DigestCheck, isNamed: boolean): MailBlock[] {
  return [
    ...(isNamed ? [{ kind: 'heading', text: `${name} is ${status}` } as const] : []),
    ...story.map((text) => ({ kind: 'paragraph', text }) as const),
    ...pages({ link, incidentLink }),
  ]
}

function footer(alert: Alert): MailBlock[] {
  return [
    { kind: 'paragraph', text: whySent(alert) },
    { kind: 'link', label: 'Unsubscribe', url: alert.unsubscribeUrl },
  ]
}

function whySent({ siteName, message }: Alert): string {
  const project = within(oneLine(message.project), LIMITS.name)
  return `${siteName} sent this email because an integration of the project "${project}" uses this address.`
}

function explanation(alert: Alert, tz: string): MailBlock[] {
  const description = alert.message.description.trim()
  return [
    { kind: 'paragraph', text: flipSentenceText(alert, alert.now, tz) },
    ...(description ? [{ kind: 'paragraph', text: within(description, LIMITS.description) } as const] : []),
  ]
}

/** Returns links to pages. The first link is shown as a button, because it leads to what the reader should do next. */
function pages({ link, incidentLink }: Pick<Notification, 'link' | 'incidentLink'>): MailBlock[] {
  const links = [
    { label: TAKE_OR_MUTE, url: incidentLink },
    { label: 'View the check', url: link },
  ].flatMap(({ label, url }) => (url === null ? [] : [{ label, url }]))
  return links.map((one, index) => ({ kind: index === 0 ? 'button' : 'link', ...one }))
}

function newLines({ newLines: lines }: Notification): MailBlock[] {
  if (lines.length === 0) return []
  return [
    { kind: 'heading', text: 'New in the output' },
    { kind: 'preformatted', text: lines.join('\n') },
  ]
}

function factsOf({ check, flip, lastPing, message }: Alert, tz: string): Fact[] {
  return [
    { label: `Status changed to ${flip.newStatus} at`, value: mailTime(flip.createdAt, tz) },
    { label: 'Project', value: oneLine(message.project) },
    ...(message.tags.length > 0 ? [{ label: 'Tags', value: oneLine(message.tags.join(', ')) }] : []),
    ...message.timing,
    { label: 'Total pings', value: `${message.totalPings} (since ${mailDay(check.createdAt, tz)})` },
    { label: 'Last ping', value: message.lastPing },
    ...(lastPing ? originOf(lastPing, tz) : []),
  ]
}

function originOf(ping: Ping, tz: string): Fact[] {
  const way = isMail(ping) ? 'email' : `${ping.scheme.toUpperCase()} ${ping.method}`
  const from = ping.remoteAddr === null ? way : `${ping.remoteAddr} by ${way}`
  return [
    { label: 'Last ping at', value: mailTime(ping.receivedAt, tz) },
    { label: 'Last ping from', value: oneLine(from) },
  ]
}

function isMail(ping: Ping): boolean {
  return ping.scheme === 'email'
}

const BODY_LIMIT = 10_000

/** The parts of an email that show the last ping's body. */
interface ShownBody {
  readonly blocks: readonly MailBlock[]
  readonly attachment: Attachment | null
}

/** Shows the end of a long body, because programs write errors there. An email ping is attached unchanged. */
function shownBody({ lastPing }: Alert): ShownBody {
  const dropped = droppedBodyInWords(lastPing)
  if (dropped !== null) return underHeading({ kind: 'paragraph', text: dropped })
  if (!lastPing?.bodySize) return { blocks: [], attachment: null }
  return isMail(lastPing) ? mailBody(lastPing) : underHeading(...endOfBody(lastPing))
}

function underHeading(...blocks: readonly MailBlock[]): ShownBody {
  return { blocks: [{ kind: 'heading', text: 'Last output' }, ...blocks], attachment: null }
}

function mailBody({ n, body, bodySize }: LastPing): ShownBody {
  if (body?.length !== bodySize) {
    const text = `The last ping was an email of ${bodySize} bytes, too large to attach. See ping ${n} in the log.`
    return underHeading({ kind: 'paragraph', text })
  }
  return { ...underHeading({ kind: 'paragraph', text: 'See the attachment.' }), attachment: eml(body) }
}

function endOfBody({ bodyEnd, bodySize, contentType }: LastPing): MailBlock[] {
  // If the cut has split a character, the part that is shown does not contain its remaining bytes.
  const bytes = bodyEnd ?? new Uint8Array()
  const text = endText({ bytes, size: bodySize, contentType })
  if (bytes.length === bodySize && codePoints(text) <= BODY_LIMIT) return [{ kind: 'preformatted', text }]
  const note = `Showing the last ${BODY_LIMIT} characters of ${bodySize} bytes.`
  return [
    { kind: 'paragraph', text: note },
    { kind: 'preformatted', text: [...text].slice(-BODY_LIMIT).join('') },
  ]
}

function refusedBody({ n, bodySize }: LastPing): ShownBody {
  const text = `The mail server rejected this email with the body included (${bodySize} bytes). See ping ${n} in the log.`
  return underHeading({ kind: 'paragraph', text })
}

const LINE_LIMIT = 998

/**
 * Attaches an email to another email, where it must not be encoded (RFC 2046, 5.2.1). If it can't be sent unchanged, it is attached as a
 * binary file. Mail programs recognize such a file by its name, and every byte is preserved.
 */
function eml(content: Uint8Array): Attachment {
  const lines = new TextDecoder('latin1').decode(content).split('\r\n')
  const isSafe = lines.every((line) => line.length <= LINE_LIMIT && /^[\t\x20-\x7e]*$/.test(line))
  const contentType = isSafe ? 'message/rfc822' : 'application/octet-stream'
  return { filename: 'last-ping.eml', contentType, content }
}

function siblings({ message }: Alert): MailBlock[] {
  if (message.others === null) return []
  const items = message.othersDown.map(({ label, value }) => `${within(oneLine(label), LIMITS.siblingName)} (${value})`)
  return [{ kind: 'paragraph', text: message.others }, ...(items.length > 0 ? [{ kind: 'list', items } as const] : [])]
}

const STAGE_WORDS = {
  login: 'the login',
  sender: 'the sender',
  recipient: 'the address',
  message: 'the email',
} as const

function judge(answer: MailAnswer): Conclusion {
  if (answer.kind === 'accepted') return { kind: 'sent' }
  if (answer.kind === 'unreachable') return { kind: 'retry', error: answer.error, retryAfterSeconds: null }
  const { stage, status, response } = answer
  const error = `The mail server rejected ${STAGE_WORDS[stage]}: ${response}`
  // The operator configures the login and the sender, and may correct them within the day in which the email is retried.
  const mayPass = status < 500 || stage === 'login' || stage === 'sender'
  if (mayPass) return { kind: 'retry', error, retryAfterSeconds: null }
  return { kind: stage === 'recipient' && hasNoMailbox(status, response) ? 'disable' : 'fail', error }
}

/**
 * Returns true if the mailbox is unknown. RFC 3463, 3.2: the codes 5.1.x are about addresses, of which 5.1.7 and 5.1.8 are about the
 * sender's address. A server without such codes answers 550.
 */
function hasNoMailbox(status: number, response: string): boolean {
  const code = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  if (code === undefined) return status === 550
  return [550, 551, 553].includes(status) && /^5\.1\.(?![78]$)/.test(code)
}
