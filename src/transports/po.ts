/** `po`: a push message through the message API of Pushover, repeated until seen when its priority is emergency. */
import type { Flip } from '../domain/flip.ts'
import type { Notification } from '../domain/notification.ts'
import { codePoints, type Static, Text } from '../domain/schema.ts'
import { escapeMarkup, oneLine } from '../domain/text.ts'
import { answeredObject, disableWhen } from './final-answer.ts'
import { circumstance, facts, headline, linesWithin } from './plain-words.ts'
import { type Alert, defineTransport, operatorSetting } from './transport.ts'

const Settings = Text({
  title: 'User key and priorities',
  description:
    'USER_KEY|DOWN or USER_KEY|DOWN|UP, each priority from -2 (lowest) to 2 (emergency); -3: nothing is sent. ' +
    'Without UP, the priority for down is for both.',
  maxLength: 1000,
  pattern: '^[^|\\s]+(\\|(-[123]|[012])){1,2}$',
})
type Settings = Static<typeof Settings>

export const po = defineTransport({
  kind: 'po',
  carrier: 'http',
  settings: Settings,
  wants: (settings, flip) => priorityAt(settings, flip) !== NOTHING,
  prepare,
  render,
  judge: disableWhen((answer) => answer.status === 400 && answeredObject(answer).user === 'invalid'),
  pace: (settings) => parse(settings).user,
})

const API = 'https://api.pushover.net/1'
const NOTHING = '-3'
const EMERGENCY = '2'

function parse(settings: Settings) {
  const [user = '', down = '', up = down] = settings.split('|')
  return { user, down, up }
}

function priorityAt(settings: Settings, { newStatus }: Pick<Flip, 'newStatus'>): string {
  const { down, up } = parse(settings)
  return newStatus === 'down' ? down : up
}

/** An emergency goes on sounding until it is seen or expires; when the check is up again there is no reason to. */
function prepare(alert: Alert, settings: Settings): Request | null {
  if (alert.message.isDown || parse(settings).down !== EMERGENCY) return null
  return form(`/receipts/cancel_by_tag/${alert.message.incidentKey}.json`, {
    token: operatorSetting(alert, 'PUSHOVER_API_TOKEN'),
  })
}

function render(alert: Alert, settings: Settings): Request {
  const { message, flip, operator, siteName } = alert
  const priority = priorityAt(settings, flip)
  return form('/messages.json', {
    token: operatorSetting(alert, 'PUSHOVER_API_TOKEN'),
    user: parse(settings).user,
    message: html(message),
    title: headline(message),
    html: '1',
    priority,
    tags: message.incidentKey,
    ...(message.link === null ? {} : { url: message.link, url_title: `View on ${siteName}` }),
    ...(priority === EMERGENCY ? repetition(operator) : {}),
  })
}

/** In seconds; what the documentation of the API allows for emergency priority. */
const RETRY_MIN = 30
const EXPIRE_MAX = 10_800

function repetition(operator: Alert['operator']): { retry: string; expire: string } {
  const retry = Number(operator.PUSHOVER_EMERGENCY_RETRY_DELAY ?? 300)
  const expire = Number(operator.PUSHOVER_EMERGENCY_EXPIRATION ?? EXPIRE_MAX)
  return { retry: String(Math.max(retry, RETRY_MIN)), expire: String(Math.min(expire, EXPIRE_MAX)) }
}

function form(path: string, fields: Readonly<Record<string, string>>): Request {
  return new Request(API + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

/** In characters, tags included; longer messages are refused. */
const MESSAGE_LIMIT = 1024

function html(message: Notification): string {
  const { name, status, others, othersDown } = message
  const item = (label: string, value: string) => `<b>${inline(label)}:</b> ${inline(value)}`
  const lines = [
    `<b>${inline(name)}</b> is <b>${status}</b>${circumstance(message)}.`,
    ...facts(message).map(({ label, value }) => item(label, value)),
    ...(others === null ? [] : [others]),
    ...othersDown.map(({ label, value }) => item(label, value)),
  ]
  return linesWithin(lines, MESSAGE_LIMIT, codePoints)
}

function inline(text: string): string {
  return escapeMarkup(oneLine(text))
}
