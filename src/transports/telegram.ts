/** `telegram`: a message from a bot through Telegram's Bot API. */

import { type Digest, type DigestCheck, digestIntro, digestMark, digestOf, digestText } from '../domain/alert/digest.ts'
import type { Notification } from '../domain/alert/notification.ts'
import type { HttpAnswer } from '../domain/carrier/http-exchange.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { escapeHtml, oneLine, printable, within } from '../lib/text/text.ts'
import type { Instant } from '../lib/time.ts'
import { factsOf } from './parts/facts.ts'
import { answeredObject, objectIn, withMessage } from './parts/final-answer.ts'
import { jsonRequest } from './parts/json-request.ts'
import { htmlLink } from './parts/message-text.ts'
import { outputsWithin } from './parts/outputs.ts'
import { TAKE_OR_MUTE } from './parts/plain-words.ts'
import { sampleOf } from './sample.ts'
import { type Alert, type Conclusion, defineTransport, judgeByStatus, operatorSetting } from './transport.ts'

const Settings = Type.Object({
  id: Type.Union(
    [
      Type.Integer(),
      Text({ maxLength: 100, pattern: '^(?:-?\\d+|@\\w+)$', means: 'a number, or the @name of a channel' }),
    ],
    {
      title: 'Chat',
      description: "The chat's number, or the `@name` of a public channel. The bot must be a member.",
    },
  ),
  thread_id: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], {
      title: 'Topic',
      description: "The topic's number, in a group with topics.",
    }),
  ),
  type: Type.Optional(
    Text({ maxLength: 20, title: 'Type of the chat', description: 'Informational.', isUnasked: true }),
  ),
  name: Type.Optional(
    Text({ maxLength: 200, title: 'Name of the chat', description: 'Informational.', isUnasked: true }),
  ),
})
type Settings = Static<typeof Settings>

export const telegram = defineTransport({
  kind: 'telegram',
  name: 'Telegram',
  mark: 'TG',
  about: 'bot',
  carrier: 'http',
  settings: Settings,
  reads: [{ name: 'TELEGRAM_TOKEN', example: '123456:ABC…' }],
  sample: sampleOf({ id: -1001234567890, thread_id: 42 }, { id: '', thread_id: 'x' }),
  wants: () => true,
  render: (alert, settings) => sendMessage(alert, settings, html(alert.message)),
  digest: (alerts, settings) => sendMessage(alerts[0], settings, digestHtml(digestOf(alerts))),
  judge,
  rateLimitKey: ({ id }) => String(id),
})

function sendMessage(alert: Alert, { id, thread_id }: Settings, text: string): Request {
  const token = operatorSetting(alert, 'TELEGRAM_TOKEN')
  return jsonRequest(`https://api.telegram.org/bot${token}/sendMessage`, {
    chat_id: id,
    ...(typeof thread_id === 'number' ? { message_thread_id: thread_id } : {}),
    text,
    parse_mode: 'html',
  })
}

/** Limits in UTF-16 units. Their sum is below Telegram's limit of 4096 per message, which does not count tags and entities. */
const LIMITS = { name: 200, sentence: 500, description: 400, fact: 200, outputs: 1000, other: 60 } as const

function html(message: Notification): string {
  const text = (value: string, limit: number) => escapeHtml(within(printable(value), limit))
  const name = escapeHtml(within(oneLine(message.name), LIMITS.name))
  const linked = message.link === null ? `<b>${name}</b>` : htmlLink(name, message.link)
  const take = message.incidentLink === null ? '' : ` ${htmlLink(TAKE_OR_MUTE, message.incidentLink)}`
  const headline = `${message.isDown ? '🔴' : '🟢'} ${linked} is <b>${message.status}</b>.${take}`
  const others = message.othersDown.map(({ label, value }) => {
    return `- ${escapeHtml(within(oneLine(label), LIMITS.other))} (${escapeHtml(value)})`
  })
  return [
    headline,
    text(message.sentence, LIMITS.sentence),
    ...(message.description ? [text(message.description, LIMITS.description)] : []),
    ...factsOf(message).map(({ label, value }) => `<b>${label}:</b> ${text(value, LIMITS.fact)}`),
    ...outputsWithin(message, LIMITS.outputs).map(({ label, value }) => {
      return `<b>${label}:</b>\n<pre>${escapeHtml(value)}</pre>`
    }),
    ...(message.others === null ? [] : ['', message.others, ...others]),
  ].join('\n')
}

const DIGEST_LIMIT = 4096

function digestHtml(digest: Digest): string {
  const write = (check: DigestCheck) => {
    const { status, story, link } = check
    const name = escapeHtml(check.name)
    const linked = link === null ? `<b>${name}</b>` : htmlLink(name, link)
    const lines = story.map((line) => escapeHtml(within(line, LIMITS.sentence)))
    return [`${digestMark(check)} ${linked} is <b>${status}</b>.`, ...lines]
  }
  return digestText(digest, { intro: digestIntro(digest), limit: DIGEST_LIMIT, write, writeLink: htmlLink })
}

/** Telegram's errors for a chat that will never accept a message again. */
const FINAL: ReadonlySet<unknown> = new Set([
  'Forbidden: the group chat was deleted',
  'Forbidden: bot was blocked by the user',
  'Forbidden: user is deactivated',
  'Forbidden: bot was kicked from the group chat',
  'Forbidden: bot was kicked from the supergroup chat',
  'Bad Request: chat not found',
])

function judge(answer: HttpAnswer, now: Instant): Conclusion {
  const conclusion = judgeByStatus(answer, now)
  if (conclusion.kind !== 'retry' || answer.kind !== 'answered') return conclusion
  const { description, parameters } = answeredObject(answer)
  const { migrate_to_chat_id: id, retry_after: wait } = objectIn(parameters)
  // The old chat number will never accept a message again.
  if (Number.isSafeInteger(id)) {
    const error = `The group became a supergroup with the chat number ${id}`
    return { kind: 'retry', error, retryAfterSeconds: null, moved: { id } }
  }
  const error = withMessage(conclusion.error, description)
  if (FINAL.has(description)) return { kind: 'disable', error }
  const retryAfterSeconds = conclusion.retryAfterSeconds ?? (typeof wait === 'number' && wait >= 0 ? wait : null)
  return { kind: 'retry', error, retryAfterSeconds }
}
