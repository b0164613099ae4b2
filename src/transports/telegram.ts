/** `telegram`: a bot's messages by Telegram's Bot API (behaviour of the peer, 5.5). */
import type { HttpAnswer } from '../domain/http-exchange.ts'
import type { Notification } from '../domain/notification.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { escapeHtml, oneLine, printable, within } from '../domain/text.ts'
import type { Instant } from '../domain/time.ts'
import { factsOf, reasonOrDowntime } from './facts.ts'
import { answeredObject, objectIn, withMessage } from './final-answer.ts'
import { jsonRequest } from './json-request.ts'
import { type Alert, defineTransport, judgeByStatus, operatorSetting, type Verdict } from './transport.ts'

const Settings = Type.Object({
  id: Type.Union([Type.Integer(), Text({ maxLength: 100, pattern: '^(?:-?\\d+|@\\w+)$' })], {
    title: 'Chat',
    description: "The chat's number, or `@name` of a public channel. The bot has to be in it.",
  }),
  thread_id: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], { title: 'Topic', description: 'In a group with topics: its number.' }),
  ),
  type: Type.Optional(Text({ maxLength: 20, title: 'Type of the chat', description: 'For your information.' })),
  name: Type.Optional(Text({ maxLength: 200, title: 'Name of the chat', description: 'For your information.' })),
})
type Settings = Static<typeof Settings>

export const telegram = defineTransport({
  kind: 'telegram',
  carrier: 'http',
  settings: Settings,
  wants: () => true,
  render,
  judge,
  pace: ({ id }) => String(id),
})

function render(alert: Alert, { id, thread_id }: Settings): Request {
  const token = operatorSetting(alert, 'TELEGRAM_TOKEN')
  return jsonRequest(`https://api.telegram.org/bot${token}/sendMessage`, {
    chat_id: id,
    ...(typeof thread_id === 'number' ? { message_thread_id: thread_id } : {}),
    text: html(alert.message),
    parse_mode: 'html',
  })
}

/** In UTF-16 units; together they stay below the 4096 that a message may have, tags and entities not counted. */
const LIMITS = { name: 200, description: 500, fact: 300, body: 1000, other: 60 } as const

function html(message: Notification): string {
  const text = (value: string, limit: number) => escapeHtml(within(printable(value), limit))
  const name = escapeHtml(within(oneLine(message.name), LIMITS.name))
  const why = reasonOrDowntime(message)
  const linked = message.link === null ? `<b>${name}</b>` : `<a href="${escapeHtml(message.link)}">${name}</a>`
  const headline = `${message.isDown ? '🔴' : '🟢'} ${linked} is <b>${message.status}</b>.`
  const facts = [...(why ? [why] : []), ...factsOf(message)]
  const others = message.othersDown.map(({ label, value }) => {
    return `- ${escapeHtml(within(oneLine(label), LIMITS.other))} (${escapeHtml(value)})`
  })
  return [
    headline,
    ...(message.description ? [text(message.description, LIMITS.description)] : []),
    ...facts.map(({ label, value }) => `<b>${label}:</b> ${text(value, LIMITS.fact)}`),
    ...(message.body ? [`<b>Last Ping Body:</b>\n<pre>${text(message.body, LIMITS.body)}</pre>`] : []),
    ...(message.others === null ? [] : ['', message.others, ...others]),
  ].join('\n')
}

/** Telegram's words for a chat that will not take a message again. */
const FINAL: ReadonlySet<unknown> = new Set([
  'Forbidden: the group chat was deleted',
  'Forbidden: bot was blocked by the user',
  'Forbidden: user is deactivated',
  'Forbidden: bot was kicked from the group chat',
  'Forbidden: bot was kicked from the supergroup chat',
  'Bad Request: chat not found',
])

function judge(answer: HttpAnswer, now: Instant): Verdict {
  const verdict = judgeByStatus(answer, now)
  if (verdict.kind !== 'retry' || answer.kind !== 'answered') return verdict
  const { description, parameters } = answeredObject(answer)
  const { migrate_to_chat_id: id, retry_after: wait } = objectIn(parameters)
  // No message reaches the old number again.
  if (Number.isSafeInteger(id)) {
    const error = `The group became a supergroup: its chat is ${id} from now on`
    return { kind: 'retry', error, retryAfterSeconds: null, moved: { id } }
  }
  const error = withMessage(verdict.error, description)
  if (FINAL.has(description)) return { kind: 'disable', error }
  const retryAfterSeconds = verdict.retryAfterSeconds ?? (typeof wait === 'number' && wait >= 0 ? wait : null)
  return { kind: 'retry', error, retryAfterSeconds }
}
