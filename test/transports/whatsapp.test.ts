/** `whatsapp`: whole requests to Twilio for both statuses, and conclusions on answers. */
import { describe, expect, test } from 'bun:test'
import { firstProblem, type Problem } from '../../src/domain/schema.ts'
import type { Alert } from '../../src/transports/transport.ts'
import { whatsapp } from '../../src/transports/whatsapp.ts'
import { STATUS_CALLBACK as CALLBACK, downAlert, hostileAlert, judged, messageOf, upAlert } from './support.ts'

const SETTINGS = { value: '+37120000000', down: true, up: true }
const OPERATOR = {
  TWILIO_ACCOUNT: 'AC12',
  TWILIO_AUTH: 'secret',
  TWILIO_FROM: '+15550001',
  TWILIO_MESSAGING_SERVICE_SID: 'MG34',
  WHATSAPP_DOWN_CONTENT_SID: 'HXdown',
  WHATSAPP_UP_CONTENT_SID: 'HXup',
}

/** Returns the request with its form, and the variables in it, parsed. */
async function sent(alert: Alert) {
  const message = await messageOf(whatsapp, SETTINGS, alert)
  const { ContentVariables = '', ...form } = Object.fromEntries(new URLSearchParams(message.body))
  return { ...message, body: { ...form, ContentVariables: JSON.parse(ContentVariables) } }
}

const message = (ContentSid: string, name: string) => ({
  method: 'POST',
  url: 'https://api.twilio.com/2010-04-01/Accounts/AC12/Messages.json',
  headers: {
    authorization: `Basic ${btoa('AC12:secret')}`,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: {
    To: 'whatsapp:+37120000000',
    StatusCallback: CALLBACK,
    From: 'whatsapp:+15550001',
    MessagingServiceSid: 'MG34',
    ContentSid,
    ContentVariables: { 1: name },
  },
})

describe('the message', () => {
  test('of a check that went down fills the template for that', async () => {
    expect(await sent(downAlert({ operator: OPERATOR }))).toEqual(message('HXdown', 'Nightly backup'))
  })

  test('of a check that recovered fills the template for that', async () => {
    expect(await sent(upAlert({ operator: OPERATOR }))).toEqual(message('HXup', 'Nightly backup'))
  })

  test('has the name on one line', async () => {
    const name =
      '"quoted" \'single\' \\ <b>bold</b> & *star* _under_ `tick` $NAME {{x}} second line 🎉 @here [a](http://evil.test)'
    expect(await sent(hostileAlert(downAlert({ operator: OPERATOR })))).toEqual(message('HXdown', name))
  })

  test.each([
    'TWILIO_ACCOUNT',
    'TWILIO_AUTH',
    'TWILIO_FROM',
    'TWILIO_MESSAGING_SERVICE_SID',
    'WHATSAPP_DOWN_CONTENT_SID',
  ])("needs the operator's %s", (name) => {
    const alert = downAlert({ operator: { ...OPERATOR, [name]: '' } })
    expect(() => whatsapp.render(alert, SETTINGS)).toThrow(`${name} is not set on this server`)
  })

  test('for a recovery needs the template for recoveries', () => {
    const alert = upAlert({ operator: { ...OPERATOR, WHATSAPP_UP_CONTENT_SID: '' } })
    expect(() => whatsapp.render(alert, SETTINGS)).toThrow('WHATSAPP_UP_CONTENT_SID is not set on this server')
  })
})

test('the flags say which status is wanted', () => {
  const wants = (down: boolean, up: boolean) =>
    (['down', 'up'] as const).map((newStatus) => whatsapp.wants({ ...SETTINGS, down, up }, { newStatus }))
  expect([wants(true, false), wants(false, true)]).toEqual([
    [true, false],
    [false, true],
  ])
})

test.each<[string, object, Problem]>([
  ['a number without a country', { value: '20000000' }, { path: '/value', violation: 'mismatch' }],
  ['a prefix of its own', { value: 'whatsapp:+37120000000' }, { path: '/value', violation: 'mismatch' }],
  ['a flag that is a number', { down: 1 }, { path: '/down', violation: 'not a boolean' }],
  ['no flag', { up: undefined }, { path: '/up', violation: 'missing' }],
])('settings with %s are rejected', (_, given, problem) => {
  expect(firstProblem(whatsapp.settings, { ...SETTINGS, ...given })).toEqual(problem)
})

describe('an answer', () => {
  test('that says the number is invalid disables the channel', () => {
    expect(judged(whatsapp, 400, '{"code": 21211}')).toBe('disable: Invalid phone number')
    expect(judged(whatsapp, 400, '{"code": 63016}')).toBe('retry: Received status code 400')
  })
})
