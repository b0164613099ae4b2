/** `call`: the whole request to Twilio, the spoken text, and conclusions on answers. */
import { describe, expect, test } from 'bun:test'
import { firstProblem, type Problem } from '../../src/domain/schema.ts'
import { call } from '../../src/transports/call.ts'
import type { Alert } from '../../src/transports/transport.ts'
import { aCheck } from '../support/builders.ts'
import { STATUS_CALLBACK as CALLBACK, downAlert, hostileAlert, judged, messageOf } from './support.ts'

const SETTINGS = { value: '+37120000000' }
const OPERATOR = { TWILIO_ACCOUNT: 'AC12', TWILIO_AUTH: 'secret', TWILIO_FROM: '+15550001' }

/** Returns the request with its form parsed. */
async function sent(alert: Alert) {
  const message = await messageOf(call, SETTINGS, alert)
  return { ...message, body: Object.fromEntries(new URLSearchParams(message.body)) }
}

describe('the call', () => {
  test('says which check is down', async () => {
    expect(await sent(downAlert({ operator: OPERATOR }))).toEqual({
      method: 'POST',
      url: 'https://api.twilio.com/2010-04-01/Accounts/AC12/Calls.json',
      headers: {
        authorization: `Basic ${btoa('AC12:secret')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: {
        From: '+15550001',
        To: '+37120000000',
        StatusCallback: CALLBACK,
        Twiml:
          '<Response><Say>Hello! A message from Overdue: The check "Nightly backup" is down. No ping since 09:00 UTC. Due 11:00, one hour of grace ended 12:00.</Say></Response>',
      },
    })
  })

  test('cannot be changed by a name', async () => {
    expect((await sent(hostileAlert(downAlert({ operator: OPERATOR })))).body).toEqual({
      From: '+15550001',
      To: '+37120000000',
      StatusCallback: CALLBACK,
      Twiml:
        '<Response><Say>Hello! A message from Overdue: The check ""quoted" \'single\' \\ &lt;b&gt;bold&lt;/b&gt; &amp;' +
        ' *star* _under_ `tick` $NAME {{x}} second line 🎉 @here [a](http://evil.test)" is down. No ping since 09:00 UTC. Due 11:00, one hour of grace ended 12:00.</Say></Response>',
    })
  })

  test('escapes the name of the site too', async () => {
    const alert = downAlert({
      operator: OPERATOR,
      siteName: 'A & <B>',
      check: aCheck({ name: '</Say><Dial>1</Dial>' }),
    })
    expect((await sent(alert)).body.Twiml).toBe(
      '<Response><Say>Hello! A message from A &amp; &lt;B&gt;: The check "&lt;/Say&gt;&lt;Dial&gt;1&lt;/Dial&gt;"' +
        ' is down. No ping yet.</Say></Response>',
    )
  })

  test.each(['TWILIO_ACCOUNT', 'TWILIO_AUTH', 'TWILIO_FROM'])("needs the operator's %s", (name) => {
    const alert = downAlert({ operator: { ...OPERATOR, [name]: '' } })
    expect(() => call.render(alert, SETTINGS)).toThrow(`${name} is not set on this server`)
  })
})

test('there is no call when a check recovers', () => {
  expect([call.wants(SETTINGS, { newStatus: 'down' }), call.wants(SETTINGS, { newStatus: 'up' })]).toEqual([
    true,
    false,
  ])
})

test.each<[string, object, Problem]>([
  ['no number', {}, { path: '/value', violation: 'missing' }],
  ['a number without a country', { value: '20000000' }, { path: '/value', violation: 'mismatch' }],
  ['a name', { value: '+Operator' }, { path: '/value', violation: 'mismatch' }],
  ['a number as a number', { value: 37120000000 }, { path: '/value', violation: 'not a string' }],
])('settings with %s are rejected', (_, given, problem) => {
  expect(firstProblem(call.settings, given)).toEqual(problem)
})

describe('an answer', () => {
  test('that says the number is invalid disables the channel', () => {
    expect(judged(call, 400, '{"code": 21211}')).toBe('disable: Invalid phone number')
    expect(judged(call, 400, '{"code": 21217}')).toBe('retry: Received status code 400')
  })
})
