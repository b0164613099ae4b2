/** `sms`: whole requests to Twilio for both statuses, their sender, and conclusions on answers. */
import { describe, expect, test } from 'bun:test'
import { firstProblem, type Problem } from '../../src/domain/schema.ts'
import { sms } from '../../src/transports/sms.ts'
import type { Alert } from '../../src/transports/transport.ts'
import { CAME_UP, LINK, WENT_DOWN } from './parsed.ts'
import { STATUS_CALLBACK as CALLBACK, downAlert, hostileAlert, judged, messageOf, upAlert } from './support.ts'

const SETTINGS = { value: '+37120000000', down: true, up: true }
const OPERATOR = { TWILIO_ACCOUNT: 'AC12', TWILIO_AUTH: 'secret', TWILIO_FROM: '+15550001' }

/** Returns the request with its form parsed. */
async function sent(alert: Alert) {
  const message = await messageOf(sms, SETTINGS, alert)
  return { ...message, body: Object.fromEntries(new URLSearchParams(message.body)) }
}

const ENVELOPE = {
  method: 'POST',
  url: 'https://api.twilio.com/2010-04-01/Accounts/AC12/Messages.json',
  headers: {
    authorization: `Basic ${btoa('AC12:secret')}`,
    'content-type': 'application/x-www-form-urlencoded',
  },
}

describe('the message', () => {
  test('of a check that went down says what is missing', async () => {
    expect(await sent(downAlert({ operator: OPERATOR }))).toEqual({
      ...ENVELOPE,
      body: {
        To: '+37120000000',
        StatusCallback: CALLBACK,
        From: '+15550001',
        Body: `Overdue: Nightly backup is DOWN. ${WENT_DOWN}\n${LINK}`,
        RiskCheck: 'disable',
      },
    })
  })

  test('of a check that recovered says how long it was down', async () => {
    expect(await sent(upAlert({ operator: OPERATOR }))).toEqual({
      ...ENVELOPE,
      body: {
        To: '+37120000000',
        StatusCallback: CALLBACK,
        From: '+15550001',
        Body: `Overdue: Nightly backup is UP. ${CAME_UP}\n${LINK}`,
        RiskCheck: 'disable',
      },
    })
  })

  test("comes from the operator's messaging service, and then from no number", async () => {
    const operator = { ...OPERATOR, TWILIO_MESSAGING_SERVICE_SID: 'MG34' }
    const { body } = await sent(downAlert({ operator }))
    expect([body.MessagingServiceSid, body.From]).toEqual(['MG34', undefined])
  })

  test('keeps special characters of a name, on one line', async () => {
    expect((await sent(hostileAlert(downAlert({ operator: OPERATOR })))).body).toEqual({
      To: '+37120000000',
      StatusCallback: CALLBACK,
      From: '+15550001',
      Body:
        'Overdue: "quoted" \'single\' \\ <b>bold</b> & *star* _under_ `tick` $NAME {{x}} second line 🎉 @here' +
        ` [a](http://evil.test) is DOWN. ${WENT_DOWN}`,
      RiskCheck: 'disable',
    })
  })

  test.each(['TWILIO_ACCOUNT', 'TWILIO_AUTH', 'TWILIO_FROM'])("needs the operator's %s", (name) => {
    const alert = downAlert({ operator: { ...OPERATOR, [name]: '' } })
    expect(() => sms.render(alert, SETTINGS)).toThrow(`${name} is not set on this server`)
  })
})

test('the flags say which status is wanted', () => {
  const wants = (down: boolean, up: boolean) =>
    (['down', 'up'] as const).map((newStatus) => sms.wants({ ...SETTINGS, down, up }, { newStatus }))
  expect([wants(true, true), wants(true, false), wants(false, true), wants(false, false)]).toEqual([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])
})

test.each<[string, object, Problem]>([
  ['no number', { value: undefined }, { path: '/value', violation: 'missing' }],
  ['a number without a country', { value: '20000000' }, { path: '/value', violation: 'mismatch' }],
  ['blanks in the number', { value: '+371 20000000' }, { path: '/value', violation: 'mismatch' }],
  ['a second line', { value: '+37120000000\n1' }, { path: '/value', violation: 'mismatch' }],
  ['too many digits', { value: '+1234567890123456' }, { path: '/value', violation: 'mismatch' }],
  ['a flag that is a word', { up: 'yes' }, { path: '/up', violation: 'not a boolean' }],
  ['no flag', { down: undefined }, { path: '/down', violation: 'missing' }],
])('settings with %s are rejected', (_, given, problem) => {
  expect(firstProblem(sms.settings, { ...SETTINGS, ...given })).toEqual(problem)
})

describe('an answer', () => {
  test.each([
    [400, '{"code": 21211, "message": "Invalid To"}', 'disable: Invalid phone number'],
    [400, '{"code": 21610}', 'retry: Received status code 400'],
    [400, '{"code": "21211"}', 'retry: Received status code 400'],
    [400, 'null', 'retry: Received status code 400'],
    [400, '<html>21211</html>', 'retry: Received status code 400'],
    [201, '{"code": 21211}', 'sent'],
  ])('%d %s means %s', (status, body, conclusion) => {
    expect(judged(sms, status, body)).toBe(conclusion)
  })
})

test.each(['http://localhost:8000', 'https://192.0.2.1', 'http://[::1]:8000', 'http://monitor'])(
  'no status is asked for where Twilio could not tell it: %s',
  async (siteRoot) => {
    const alert = downAlert({ operator: OPERATOR })
    const { body } = await sent({ ...alert, links: { ...alert.links, siteRoot } })
    expect(body.StatusCallback).toBeUndefined()
    expect(body.To).toBe(SETTINGS.value)
  },
)
