/** `po`: whole messages, the request that cancels an emergency, settings and conclusions. */
import { describe, expect, test } from 'bun:test'
import { codePoints, firstProblem } from '../../src/domain/schema.ts'
import { po } from '../../src/transports/po.ts'
import { type Alert, MissingSetting } from '../../src/transports/transport.ts'
import { aCheck, at, CHECK_ID } from '../support/builders.ts'
import { CAME_UP, formOf, HOSTILE_IN_HTML, HOSTILE_LINE, KEY, LINK, WENT_DOWN } from './parsed.ts'
import { acknowledgementOf, downAlert, hostileAlert, judged, RUNBOOK, upAlert } from './support.ts'

const operator = { PUSHOVER_API_TOKEN: 'app-token' }
const request = {
  method: 'POST',
  url: 'https://api.pushover.net/1/messages.json',
  headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
}
const always = {
  token: 'app-token',
  user: 'user-key',
  html: '1',
  tags: KEY,
}
const view = { url: LINK, url_title: 'View on Overdue' }
const FACTS = `<b>Project:</b> Home lab
<b>Description:</b> Database to tape
<b>Tags:</b> prod, db
<b>Period:</b> 2 hours
<b>Total Pings:</b> 12
<b>Last Ping:</b> Success, 3 hours ago`

describe('the message', () => {
  test('of a check that went down', async () => {
    expect(await formOf(po, 'user-key|1|-1', downAlert({ operator }))).toEqual({
      ...request,
      body: {
        ...always,
        ...view,
        title: 'Nightly backup is DOWN',
        message: `${WENT_DOWN}\n${FACTS}`,
        priority: '1',
      },
    })
  })

  test('of a check that recovered has the priority for recoveries', async () => {
    expect(await formOf(po, 'user-key|1|-1', upAlert({ operator }))).toEqual({
      ...request,
      body: {
        ...always,
        ...view,
        title: 'Nightly backup is UP',
        message: `${CAME_UP}\n${FACTS}`,
        priority: '-1',
      },
    })
  })

  test('has one priority for both when only one is set', async () => {
    const { body: down } = await formOf(po, 'user-key|-2', downAlert({ operator }))
    const { body: up } = await formOf(po, 'user-key|-2', upAlert({ operator }))
    expect([down, up]).toMatchObject([{ priority: '-2' }, { priority: '-2' }])
  })

  test('in an emergency is repeated every five minutes for as long as Pushover allows', async () => {
    const { body } = await formOf(po, 'user-key|2', downAlert({ operator }))
    expect(body).toMatchObject({ priority: '2', retry: '300', expire: '10800' })
  })

  test('in an emergency is repeated as the operator says', async () => {
    const theirs = { ...operator, PUSHOVER_EMERGENCY_RETRY_DELAY: '60', PUSHOVER_EMERGENCY_EXPIRATION: '3600' }
    const { body } = await formOf(po, 'user-key|0|2', upAlert({ operator: theirs }))
    expect(body).toMatchObject({ priority: '2', retry: '60', expire: '3600' })
  })

  test("in an emergency stays within Pushover's limits, whatever the operator says", async () => {
    const theirs = { ...operator, PUSHOVER_EMERGENCY_RETRY_DELAY: '10', PUSHOVER_EMERGENCY_EXPIRATION: '86400' }
    const { body } = await formOf(po, 'user-key|2', downAlert({ operator: theirs }))
    expect(body).toMatchObject({ retry: '30', expire: '10800' })
  })

  test('lists the other checks that are down', async () => {
    const siblings = {
      exist: true,
      downCount: 1,
      counts: null,
      down: [{ id: CHECK_ID, name: 'A <b>', lastPingAt: at('11:00') }],
    }
    const { body } = await formOf(po, 'user-key|0', downAlert({ operator, siblings }))
    expect((body as { message: string }).message.split('\n').slice(-2)).toEqual([
      'The following checks are also down:',
      '<b>A &lt;b&gt;:</b> last ping: 1 hour ago',
    ])
  })

  test('has no markup from names', async () => {
    expect(await formOf(po, 'user-key|0', hostileAlert(downAlert({ operator })))).toEqual({
      ...request,
      body: {
        ...always,
        title: `${HOSTILE_LINE} is DOWN`,
        message: `${WENT_DOWN}
<b>Project:</b> ${HOSTILE_IN_HTML}
<b>Description:</b> ${HOSTILE_IN_HTML} Run book: ${RUNBOOK.replace('&', '&amp;')}, tell &lt;!channel&gt; and @all
<b>Tags:</b> "a", &lt;b&gt;, 🎉, $NAME, @all
<b>Period:</b> 2 hours
<b>Total Pings:</b> 12
<b>Last Ping:</b> Success, 3 hours ago`,
        priority: '0',
      },
    })
  })

  test("leaves out whole lines that exceed Pushover's limit", async () => {
    const check = aCheck({ status: 'down', name: '&'.repeat(100), desc: '<'.repeat(2000), tags: 'prod' })
    const { body } = await formOf(po, 'user-key|0', downAlert({ operator, check }))
    const { message } = body as { message: string }
    expect(codePoints(message)).toBeLessThanOrEqual(1024)
    expect(message).toBe(`No ping yet.
<b>Project:</b> Home lab
<b>Tags:</b> prod
<b>Period:</b> 1 day
<b>Total Pings:</b> 0
<b>Last Ping:</b> Success, 3 hours ago
…`)
  })

  test("needs the operator's application", () => {
    expect(() => po.render(downAlert(), 'user-key|0')).toThrow(new MissingSetting('PUSHOVER_API_TOKEN'))
  })
})

describe('an acknowledgement', () => {
  test('ends the emergency, for everybody', async () => {
    const alert = downAlert({ operator })
    expect(await acknowledgementOf(po, 'user-key|2', alert)).toMatchObject({
      method: 'POST',
      url: `https://api.pushover.net/1/receipts/cancel_by_tag/${KEY}.json`,
      body: `token=${operator.PUSHOVER_API_TOKEN}`,
    })
  })

  test.each(['user-key|0', 'user-key|1|2'])('is not wanted where nothing sounds on (%s)', async (settings) => {
    expect(await acknowledgementOf(po, settings, downAlert({ operator }))).toBeNull()
  })
})

describe('before the message', () => {
  async function prepared(settings: string, alert: Alert) {
    const cancel = po.prepare?.(alert, settings)
    if (!cancel) return cancel
    const { method, url, headers, redirect } = cancel
    return { method, url, headers: Object.fromEntries(headers), redirect, body: await cancel.text() }
  }

  test.each(['user-key|2', 'user-key|2|0'])(
    'that a check is up again, its emergency is ended (%s)',
    async (settings) => {
      expect(await prepared(settings, upAlert({ operator }))).toEqual({
        method: 'POST',
        url: `https://api.pushover.net/1/receipts/cancel_by_tag/${KEY}.json`,
        headers: request.headers,
        redirect: 'manual',
        body: 'token=app-token',
      })
    },
  )

  test('nothing is sent without an emergency, or when one begins', async () => {
    expect(await prepared('user-key|1|2', upAlert({ operator }))).toBeNull()
    expect(await prepared('user-key|2', downAlert({ operator }))).toBeNull()
  })
})

describe('the settings', () => {
  test.each([
    ['user-key|0', true, true],
    ['user-key|-3', false, false],
    ['user-key|-3|2', false, true],
    ['user-key|2|-3', true, false],
    ['user-key|-2|-1', true, true],
  ])('%s want a message: down %p, up %p', (settings, down, up) => {
    expect([po.wants(settings, { newStatus: 'down' }), po.wants(settings, { newStatus: 'up' })]).toEqual([down, up])
  })

  test.each([
    ['no priority', 'user-key', 'mismatch'],
    ['no key', '|0', 'mismatch'],
    ['a priority below -3', 'user-key|-4', 'mismatch'],
    ['a priority above 2', 'user-key|0|3', 'mismatch'],
    ['a third priority', 'user-key|0|0|0', 'mismatch'],
    ['a negative zero', 'user-key|-0', 'mismatch'],
    ['something after a line end', 'user-key|0\n', 'mismatch'],
    ['no text', { key: 'user-key' }, 'not a string'],
    ['more than 1000 characters', `${'x'.repeat(999)}|0`, 'too long'],
  ] as const)('are rejected with %s', (_, settings, violation) => {
    expect(firstProblem(po.settings, settings)).toEqual({ path: '', violation })
  })
})

describe('an answer', () => {
  test.each([
    [400, '{"user": "invalid", "errors": ["user identifier is invalid"], "status": 0}', 'disable'],
    [400, '{"token": "invalid", "status": 0}', 'retry'],
    [400, 'user=invalid', 'retry'],
    [500, '{"user": "invalid"}', 'retry'],
  ])('of %p with %s: %s', (status, body, kind) => {
    expect(judged(po, status, body)).toBe(`${kind}: Received status code ${status}`)
  })
})
