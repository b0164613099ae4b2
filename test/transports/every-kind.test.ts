/** What holds for every kind of channel: no link to a missing page, no ping secret, no invisible characters. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { registry } from '../../src/transports/index.ts'
import type { Alert } from '../../src/transports/transport.ts'
import { aCheck, anAlert, aPing, bytes, CHECK_ID } from '../support/builders.ts'
import { downAlert, rendered, upAlert } from './support.ts'

const operator = {
  APPRISE_URL: 'https://apprise.test',
  EMAIL_HOST: 'mail.test',
  MATRIX_ACCESS_TOKEN: 'x',
  MATRIX_HOMESERVER: 'https://matrix.test',
  PUSHOVER_API_TOKEN: 'x',
  SIGNAL_CLI_SOCKET: '/run/signal',
  TELEGRAM_TOKEN: 'x',
  TRELLO_APP_KEY: 'x',
  TWILIO_ACCOUNT: 'x',
  TWILIO_AUTH: 'x',
  TWILIO_FROM: '+1555000',
  TWILIO_MESSAGING_SERVICE_SID: 'x',
  WHATSAPP_DOWN_CONTENT_SID: 'x',
  WHATSAPP_UP_CONTENT_SID: 'x',
}
const hook = 'https://hooks.test/x'
const phone = { value: '+37120000000', down: true, up: true }
const push = { url: 'https://push.test', priority: 5, priority_up: 5 }

/** For all kinds but `webhook` and `shell`, whose users write the whole message. */
const SETTINGS: Readonly<Record<string, unknown>> = {
  apprise: 'json://hooks.test',
  call: { value: phone.value },
  discord: hook,
  email: 'ops@example.org',
  github: { token: 'x', repo: 'a/b', labels: [] },
  googlechat: hook,
  gotify: { ...push, token: 'x' },
  matrix: '!a:b',
  mattermost: hook,
  msteamsw: hook,
  ntfy: { ...push, topic: 'x' },
  opsgenie: { key: 'x', region: 'us' },
  pagertree: hook,
  pd: 'x',
  po: 'x|0',
  pushbullet: 'x',
  rocketchat: hook,
  signal: phone,
  slack: hook,
  sms: phone,
  spike: hook,
  telegram: { id: 1 },
  trello: { token: 'x', list_id: 'x' },
  victorops: hook,
  whatsapp: phone,
  zulip: { site: 'https://zulip.test', bot_email: 'a@b', api_key: 'x', mtype: 'stream', to: 'x' },
}

/** Every text of the message as its receiver reads it. */
async function textsOf(kind: string, alert: Alert): Promise<string[]> {
  const transport = registry.get(kind as never)
  if (!transport) throw new Error(`no such kind: ${kind}`)
  const message: unknown = rendered(transport, SETTINGS[kind], { ...alert, operator })
  if (!(message instanceof Request)) return stringsIn(message)
  const query = [...new URL(message.url).searchParams.values()]
  const isForm = message.headers.get('content-type')?.includes('urlencoded')
  const body = await message.text()
  return [
    ...query,
    ...(isForm ? [...new URLSearchParams(body).values()] : stringsIn(body === '' ? '' : JSON.parse(body))),
  ]
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** As the test of a channel. */
function withoutPage(alert: Alert): Alert {
  return { ...alert, message: { ...alert.message, link: null } }
}

test('every kind is here', () => {
  expect([...Object.keys(SETTINGS), 'shell', 'webhook'].toSorted()).toEqual([...registry.keys()].toSorted())
})

describe.each(Object.keys(SETTINGS))('a message of kind %s', (kind) => {
  test.each([
    ['down', withoutPage(downAlert())],
    ['up', withoutPage(upAlert())],
  ])('about a check without a page has no link to one when it goes %s', async (_, alert) => {
    const texts = (await textsOf(kind, alert)).join('\n')
    expect(texts).not.toMatch(
      /cloaked|\/checks\/|href=""|\(\)|\bnull\b|undefined|[Ss]how the check|[Vv]iew |details:?\s*$/,
    )
  })

  test('does not reveal the ping secret of a check with a name', async () => {
    const check = { ...downAlert().check }
    for (const alert of [downAlert(), withoutPage(downAlert()), upAlert(), downAlert({ check })]) {
      expect((await textsOf(kind, alert)).join('\n')).not.toContain(CHECK_ID)
    }
  })

  test('has no control characters and no bidirectional controls in any text', async () => {
    const unseen = fc.constantFrom(
      '\u0000',
      '\u001b[31m',
      '\r\n',
      '\r',
      '\u007f',
      '\u009b',
      '\u061c',
      '\u200e',
      '\u200f',
    )
    const bidi = fc.constantFrom(
      '\u202a',
      '\u202b',
      '\u202c',
      '\u202d',
      '\u202e',
      '\u2066',
      '\u2067',
      '\u2068',
      '\u2069',
    )
    const text = fc.array(fc.oneof(unseen, bidi, fc.constantFrom('a', ' ', '\t', '*', '🎉', 'https://a.test')), {
      maxLength: 12,
    })
    const words = text.map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(words, words, words, words, words, async (name, desc, tags, projectName, body) => {
        const check = aCheck({ status: 'down', name, desc, tags })
        const siblings = { exist: true, downCount: 1, down: [{ id: CHECK_ID, name, lastPingAt: null }] }
        const alert = anAlert({
          check,
          projectName,
          siblings,
          lastPing: aPing({ body: bytes(body), remoteAddr: name }),
        })
        for (const shown of await textsOf(kind, alert)) {
          expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
        }
      }),
      { numRuns: 30 },
    )
  })
})
