/** `po`: a push message through Pushover. If its priority is emergency, it is repeated until it is acknowledged. */

import type { Notification } from '../domain/alert/notification.ts'
import type { Flip } from '../domain/check/flip.ts'
import { codePoints, type Static, Text, Type } from '../domain/schema.ts'
import { escapeMarkup, oneLine } from '../lib/text/text.ts'
import { answeredObject, disableWhen } from './parts/final-answer.ts'
import { facts, headline, linesWithin } from './parts/plain-words.ts'
import { sampleSecret } from './sample.ts'
import { type Alert, defineTransport, operatorSetting } from './transport.ts'

const Settings = Text({
  title: 'User key and priorities',
  description:
    'USER_KEY|DOWN or USER_KEY|DOWN|UP with priorities from -2 (lowest) to 2 (emergency); -3 sends nothing. ' +
    'Without UP, DOWN applies to both.',
  maxLength: 1000,
  pattern: '^[^|\\s]+(\\|(-[123]|[012])){1,2}$',
})
type Settings = Static<typeof Settings>

/** Names of Pushover's numeric priorities. */
const PRIORITIES = [
  ['-3', 'Nothing is sent'],
  ['-2', 'Lowest'],
  ['-1', 'Low'],
  ['0', 'Normal'],
  ['1', 'High'],
  ['2', 'Emergency: repeated until somebody confirms it'],
] as const

const Priority = (title: string) =>
  Type.Union(
    PRIORITIES.map(([value, words]) => Type.Literal(value, { title: words })),
    { title, default: '0' },
  )

const Fields = Type.Object({
  user: Text({
    title: 'User key',
    description: 'Shown when you sign in to Pushover. The key of a group works too.',
    maxLength: 900,
    pattern: '^[^|\\s]+$',
    means: 'a key without spaces',
    isSecret: true,
  }),
  down: Priority('Priority when a check goes down'),
  up: Priority('Priority when a check recovers'),
})

export const po = defineTransport({
  kind: 'po',
  name: 'Pushover',
  mark: 'PO',
  about: 'push',
  carrier: 'http',
  settings: Settings,
  form: { fields: Fields, toFields: parse, toSettings: ({ user, down, up }) => `${user}|${down}|${up}` },
  reads: [
    { name: 'PUSHOVER_API_TOKEN', example: 'a…' },
    { name: 'PUSHOVER_EMERGENCY_RETRY_DELAY', example: '300', isOptional: true },
    { name: 'PUSHOVER_EMERGENCY_EXPIRATION', example: '10800', isOptional: true },
  ],
  sample: {
    typed: { user: sampleSecret('po'), down: '2', up: '-1' },
    settings: `${sampleSecret('po')}|2|-1`,
    mistyped: { user: 'two words' },
  },
  wants: (settings, flip) => priorityAt(settings, flip) !== NOTHING,
  prepare,
  render,
  acknowledgements: { wants: (settings) => parse(settings).down === EMERGENCY, render: cancelEmergency },
  judge: disableWhen((answer) => answer.status === 400 && answeredObject(answer).user === 'invalid'),
  rateLimitKey: (settings) => parse(settings).user,
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

function prepare(alert: Alert, settings: Settings): Request | null {
  return alert.message.isDown || parse(settings).down !== EMERGENCY ? null : cancelEmergency(alert)
}

/**
 * Cancels an emergency. Otherwise it would sound until it is acknowledged in the app or expires, even after the check has recovered or a
 * member has acknowledged the incident.
 */
function cancelEmergency(alert: Alert): Request {
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

/** The API's limits for emergency priority, in seconds. */
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

/** Maximum length of a message in characters, including tags. Longer messages are rejected. */
const MESSAGE_LIMIT = 1024

function html(message: Notification): string {
  const { sentence, others, othersDown } = message
  const item = (label: string, value: string) => `<b>${inline(label)}:</b> ${inline(value)}`
  const lines = [
    inline(sentence),
    ...facts(message).map(({ label, value }) => item(label, value)),
    ...(others === null ? [] : [others]),
    ...othersDown.map(({ label, value }) => item(label, value)),
  ]
  return linesWithin(lines, MESSAGE_LIMIT, codePoints)
}

function inline(text: string): string {
  return escapeMarkup(oneLine(text))
}
