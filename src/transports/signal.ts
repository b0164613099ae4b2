/** `signal`: a message through the operator's signal-cli daemon. */

import { digestIntro, digestOf, digestText, plainCheck } from '../domain/alert/digest.ts'
import type { Notification } from '../domain/alert/notification.ts'
import type { SignalAnswer, SignalCall } from '../domain/carrier/signal-cli.ts'
import { redact } from '../domain/redaction.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { oneLine, printable, within } from '../lib/text/text.ts'
import { factsOf } from './parts/facts.ts'
import { objectIn } from './parts/final-answer.ts'
import { outputsOf } from './parts/outputs.ts'
import { TAKE_OR_MUTE } from './parts/plain-words.ts'
import { statusFlags, wantsByFlag } from './parts/status-flags.ts'
import { PHONE_SAMPLE } from './sample.ts'
import { type Alert, type Conclusion, defineTransport, operatorSetting } from './transport.ts'

const Settings = Type.Object({
  value: Text({
    title: 'Phone number or username',
    description: 'A number in international format, +1234567890, or a username with its digits, name.123',
    maxLength: 50,
    means: 'a phone number such as +1234567890, or a username such as name.123',
    pattern: '^(?:\\+[0-9]{5,15}|[A-Za-z_][A-Za-z0-9_]{2,31}\\.[0-9]{2,9})$',
  }),
  ...statusFlags,
})
type Settings = Static<typeof Settings>

export const signal = defineTransport({
  kind: 'signal',
  name: 'Signal',
  mark: 'SI',
  about: 'signal-cli',
  carrier: 'signal',
  settings: Settings,
  reads: [{ name: 'SIGNAL_CLI_SOCKET', example: '/run/signal-cli/socket' }],
  sample: PHONE_SAMPLE,
  wants: wantsByFlag,
  render: (alert, settings) => call(alert, alert.delivery.id, settings, styled(lines(alert.message))),
  digest: (alerts, settings) => {
    const digest = digestOf(alerts)
    const message = digestText(digest, { intro: digestIntro(digest), limit: DIGEST_LIMIT, write: plainCheck })
    return call(alerts[0], digest.id, settings, { message, textStyle: [] })
  },
  judge,
  rateLimitKey: ({ value }) => value,
})

/** Builds a `send` call, whose parameters are documented in signal-cli(1) and signal-cli-jsonrpc(5). */
function call(alert: Alert, id: string, { value }: Settings, text: StyledText): SignalCall {
  return {
    socket: operatorSetting(alert, 'SIGNAL_CLI_SOCKET'),
    id,
    method: 'send',
    params: {
      recipient: [value.startsWith('+') ? value : `u:${value}`],
      ...text,
    },
  }
}

interface StyledText {
  readonly message: string
  readonly textStyle: readonly string[]
}

interface Span {
  readonly text: string
  readonly style?: 'BOLD' | 'MONOSPACE'
}

const plain = (text: string): Span => ({ text })
const bold = (text: string): Span => ({ text, style: 'BOLD' })

/** Limits in UTF-16 units. Signal turns a longer message into an attachment. */
const DIGEST_LIMIT = 2000
const LIMITS = { name: 200, sentence: 500, description: 500, fact: 300, body: 1000, other: 60 } as const

function lines(message: Notification): Span[][] {
  const { isDown, name, status, description, others, othersDown, link, incidentLink } = message
  const details = link === null ? [] : [{ label: 'Full details', value: link }]
  const take = incidentLink === null ? [] : [{ label: TAKE_OR_MUTE, value: incidentLink }]
  const facts = [...factsOf(message), ...take, ...details]
  const text = (value: string, limit: number) => within(printable(value), limit)
  return [
    [plain(isDown ? '🔴 ' : '🟢 '), bold(within(oneLine(name), LIMITS.name)), plain(' is '), bold(status), plain('.')],
    [plain(text(message.sentence, LIMITS.sentence))],
    ...(description ? [[plain(text(description, LIMITS.description))]] : []),
    ...facts.map(({ label, value }) => [bold(`${label}:`), plain(` ${text(value, LIMITS.fact)}`)]),
    ...outputsOf(message).flatMap(({ label, value }) => [
      [bold(`${label}:`)],
      [{ text: text(value, LIMITS.body), style: 'MONOSPACE' } as const],
    ]),
    ...(others === null ? [] : [[], [plain(others)]]),
    ...(others === null
      ? []
      : othersDown.map(({ label, value }) => [plain(`- ${within(oneLine(label), LIMITS.other)} (${value})`)])),
  ]
}

/** Adds styles as `start:length:STYLE` in UTF-16 units, so text from users can't start or end a style. */
function styled(linesOfSpans: readonly Span[][]): StyledText {
  let message = ''
  const textStyle: string[] = []
  for (const { text, style } of linesOfSpans.flatMap((line, index) => (index === 0 ? line : [plain('\n'), ...line]))) {
    if (style !== undefined && text !== '') textStyle.push(`${message.length}:${text.length}:${style}`)
    message += text
  }
  return { message, textStyle }
}

function judge(answer: SignalAnswer): Conclusion {
  if (answer.kind === 'unreachable') return { kind: 'retry', error: answer.error, retryAfterSeconds: null }
  const { result, error = null } = answer
  const { code, message, data } = objectIn(error)
  const { results } = objectIn(error === null ? result : objectIn(data).response)
  const failure = (Array.isArray(results) ? results : []).map(objectIn).find(({ type }) => type !== 'SUCCESS')
  if (failure === undefined && error === null && result !== undefined) return { kind: 'sent' }
  return judgeFailure(failure ?? {}, code, typeof message === 'string' ? message : '')
}

/** signal-cli's error code for rate limiting by Signal's servers. */
const RATE_LIMITED = -5

/** @param result signal-cli's result for the only recipient @param code JSON-RPC error code */
function judgeFailure(result: Readonly<Record<string, unknown>>, code: unknown, message: string): Conclusion {
  const { type, token, retryAfterSeconds } = result
  if (type === 'UNREGISTERED_FAILURE' || message.startsWith('Unregistered user')) {
    return { kind: 'disable', error: 'Recipient not found' }
  }
  // If a captcha is required, the next retry is a day later, but sending works as soon as the captcha is solved.
  if (typeof token === 'string' || /captcha|proof required/i.test(message)) return retry(CAPTCHA, null)
  if (type === 'RATE_LIMIT_FAILURE' || code === RATE_LIMITED) return retry(CAPTCHA_LATER, retryAfterSeconds)
  // A code is preferred, because signal-cli's message may quote the recipient.
  const what = [type, code, within(redact(oneLine(message)), 100)].find((value) => value !== undefined && value !== '')
  return retry(`signal-cli call failed (${what ?? 'no result'})`, null)
}

const CAPTCHA = 'Signal requires a captcha; the operator of this server must solve it (submitRateLimitChallenge)'
const CAPTCHA_LATER = 'Signal limits the sending rate; if this lasts, the operator of this server must solve a captcha'

function retry(error: string, wait: unknown): Conclusion {
  return { kind: 'retry', error, retryAfterSeconds: typeof wait === 'number' && wait >= 0 ? wait : null }
}
