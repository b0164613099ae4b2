/** Shared parts of the tests of all kinds of channel: outgoing messages, ordinary and hostile alerts, and answers. */
import type { CarrierName } from '../../src/domain/carrier/carriers.ts'
import type { HttpAnswer } from '../../src/domain/carrier/http-exchange.ts'
import type { Taken } from '../../src/domain/incident/event.ts'
import { firstProblem } from '../../src/domain/schema.ts'
import type { Alert, Conclusion, Transport } from '../../src/transports/transport.ts'
import { aCheck, aFlip, anAlert, aPing, at, bytes, NOON } from '../support/builders.ts'

export interface Message {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Renders the outgoing message of any carrier; fails when the settings do not fit the kind's schema. */
export function rendered<Name extends CarrierName>(transport: Transport<Name>, settings: unknown, alert: Alert) {
  const problem = firstProblem(transport.settings, settings)
  if (problem) throw new Error(`the settings do not fit: ${JSON.stringify(problem)}`)
  return transport.render(alert, settings)
}

/** Returns the whole outgoing request; fails when the settings do not fit the kind's schema. */
export async function messageOf(transport: Transport<'http'>, settings: unknown, alert: Alert): Promise<Message> {
  return written(rendered(transport, settings, alert))
}

/** An acknowledgement: Ann has taken the incident for two hours, with a note. */
export const TAKEN: Taken = {
  by: { kind: 'person', accountId: 'a', name: 'ann@example.org' },
  until: at('14:00'),
  note: 'Disk is full',
  takenFrom: null,
}

export const ANN_IS_ON_IT = 'ann@example.org is on it until 14:00 UTC: ‘Disk is full’.'

/** Returns the whole outgoing request that says who took the incident; null when the settings want none. */
export async function acknowledgementOf(
  transport: Transport<'http'>,
  settings: unknown,
  alert: Alert = downAlert(),
  taken: Taken = TAKEN,
): Promise<Message | null> {
  const { acknowledgements } = transport
  return acknowledgements?.wants(settings) ? written(acknowledgements.render(alert, taken, settings)) : null
}

async function written(request: Request): Promise<Message> {
  return {
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  }
}

/** Returns a function that sends an alert as a channel of this kind would: it returns the whole outgoing request with its JSON parsed. */
export function senderOf(transport: Transport<'http'>, settings: unknown) {
  return async (alert: Alert = downAlert(), given = settings) => {
    const message = await messageOf(transport, given, alert)
    return { ...message, body: JSON.parse(message.body) }
  }
}

/** Returns the whole outgoing request of a kind that posts JSON and adds no headers. */
export function jsonPost(url: string, body: unknown) {
  return { method: 'POST', url, headers: { 'content-type': 'application/json' }, body }
}

/** Returns the statuses for which a channel of this kind wants a message. */
export function wanted<Name extends CarrierName>(
  transport: Transport<Name>,
  settings: unknown,
): readonly ('down' | 'up')[] {
  return (['down', 'up'] as const).filter((newStatus) => transport.wants(settings as never, { newStatus }))
}

/** A named check, described and tagged, that went down at noon because no ping came; its last ping had a body. */
export function downAlert(given: Partial<Alert> = {}): Alert {
  const check = aCheck({
    name: 'Nightly backup',
    desc: 'Database to tape',
    tags: 'prod db',
    timeoutSeconds: 7_200,
    status: 'down',
    nPings: 12,
    nEvents: 3,
    lastPingAt: at('09:00'),
  })
  const lastPing = aPing({ n: 12, receivedAt: at('09:00'), body: bytes('42 files') })
  return anAlert({ check, flip: aFlip({ n: 3 }), lastPing, projectName: 'Home lab', ...given })
}

/** The same check, up again at noon after an hour and a half. */
export function upAlert(given: Partial<Alert> = {}): Alert {
  const { check, lastPing } = downAlert()
  const down = aFlip({ n: 3, createdAt: at('10:30') })
  const flip = aFlip({ n: 4, oldStatus: 'down', newStatus: 'up', reason: '' })
  return anAlert({
    check: { ...check, status: 'up', nEvents: 4, lastPingAt: NOON },
    flip,
    previousFlip: down,
    lastPing,
    projectName: 'Home lab',
    ...given,
  })
}

/** The alert of the check that went down, with changes to its message. */
export function saying(given: Partial<Alert['message']>): Alert {
  const { message, ...alert } = downAlert()
  return { ...alert, message: { ...message, ...given } }
}

export const HOSTILE = `"quoted" 'single' \\ <b>bold</b> & *star* _under_ \`tick\` $NAME {{x}}\nsecond line\r\n\u0000\u001b\u009b\u202e 🎉 @here [a](http://evil.test)`

/** A URL with characters that are also Markdown. */
export const RUNBOOK = 'https://wiki.test/run_books/a_b-(c)?x=1&y=~2#top'

const HOSTILE_DESCRIPTION = `${HOSTILE}\nRun book: ${RUNBOOK}, tell <!channel> and @all`

/**
 * Returns an alert whose user input contains everything that breaks quoting, markup, headers and terminals; the body is 10 kB and more. The
 * check has no page.
 */
export function hostileAlert(base: Alert = downAlert()): Alert {
  const check = { ...base.check, name: HOSTILE, desc: HOSTILE_DESCRIPTION, tags: '"a" <b> 🎉 $NAME \u202e@all' }
  const lastPing = aPing({ n: 12, receivedAt: at('09:00'), body: bytes(HOSTILE + 'x'.repeat(10_000)) })
  const { message: _, ...rest } = base
  const alert = anAlert({ ...rest, check, lastPing, projectName: HOSTILE })
  return { ...alert, message: { ...alert.message, link: null } }
}

const answer = (status: number, headers: Record<string, string> = {}, body = ''): HttpAnswer => ({
  kind: 'answered',
  status,
  headers: new Headers(headers),
  body,
})

/** Returns a kind's conclusions on common answers, as texts to compare. */
export function judgements(transport: Transport<'http'>): Record<string, string> {
  const unreachable = (error: string): HttpAnswer => ({ kind: 'unreachable', error, permanent: false })
  const answers: Record<string, HttpAnswer> = {
    200: answer(200),
    204: answer(204),
    400: answer(400),
    404: answer(404),
    410: answer(410),
    429: answer(429, { 'retry-after': '30' }),
    500: answer(500),
    'time-out': unreachable('Connection timed out'),
    refused: unreachable('Connection failed'),
  }
  return Object.fromEntries(Object.entries(answers).map(([name, given]) => [name, words(transport.judge(given, NOON))]))
}

/** Returns the conclusion on one answer with a body. */
export function judged(transport: Transport<'http'>, status: number, body: string): string {
  return words(transport.judge(answer(status, {}, body), NOON))
}

/** Converts a conclusion to a text that can be compared whole. */
export function words(conclusion: Conclusion): string {
  if (conclusion.kind === 'sent') return 'sent'
  const wait =
    conclusion.kind === 'retry' && conclusion.retryAfterSeconds !== null
      ? ` after ${conclusion.retryAfterSeconds} s`
      : ''
  return `${conclusion.kind}${wait}: ${conclusion.error}`
}

/** Conclusions of kinds that are judged by status like most. */
export const USUAL_JUDGEMENTS: Readonly<Record<string, string>> = {
  200: 'sent',
  204: 'sent',
  400: 'retry: Received status code 400',
  404: 'retry: Received status code 404',
  410: 'retry: Received status code 410',
  429: 'retry after 30 s: Received status code 429',
  500: 'retry: Received status code 500',
  'time-out': 'retry: Connection timed out',
  refused: 'retry: Connection failed',
}

/** The status callback of the messages in these tests. */
export const STATUS_CALLBACK = 'https://overdue.test/api/v3/notifications/dddddddd-0000-4000-8000-000000000001/status'
