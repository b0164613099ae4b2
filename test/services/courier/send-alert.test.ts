/** Internal errors while an alert is sent: no error marks a sent message as failed or loses a message. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createHttpSender } from '../../../src/delivery/http.ts'
import { testChannel } from '../../../src/services/channels/channel-test.ts'
import type { Deps } from '../../../src/services/common/deps.ts'
import { createCourier } from '../../../src/services/courier/courier.ts'
import type { Transport } from '../../../src/transports/transport.ts'
import { testRandom, webhook } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'
import { withKinds } from '../changed-kinds.ts'
import { type CourierFixture, courierFixture } from './courier-fixture.ts'

let t: TestApp
let d: CourierFixture
beforeEach(async () => {
  t = await testApp({ env: { EMAIL_HOST: 'mail.test', PUSHOVER_API_TOKEN: 'x' } })
  d = courierFixture(t)
})
afterEach(() => t.close())

const fault = () => {
  throw new Error('an internal error')
}

const changed = (functions: Partial<Transport>) => withKinds({ ...t.app.deps, random: testRandom }, functions)
const deliver = (deps: Deps) => d.deliver(createCourier(deps))
const withHttp = (http: Deps['carriers']['http']): Deps => {
  return { ...t.app.deps, random: testRandom, carriers: { ...t.app.deps.carriers, http } }
}

const outcome = async () => {
  const [entry] = await t.app.deps.store.deliveries.list(t.project.id, null, 1)
  return { state: entry?.delivery.state, error: entry?.error }
}
const faults = () =>
  t.log.filter(({ level }) => level === 'error').map(({ message, details }) => ({ message, details }))

describe('an answer that cannot be judged', () => {
  beforeEach(async () => {
    await d.addChannel()
    await d.ping(await d.addCheck(), '/fail')
  })

  test.each([200, 202, 206])('counts as sent if its status is %d, and is logged', async (status) => {
    t.answerWith(answered(status))
    await deliver(changed({ judge: fault }))
    expect(await outcome()).toEqual({ state: 'sent', error: null })
    expect(await d.channelNow()).toMatchObject({ lastError: null, disabledReason: null })
    const [delivery] = await t.app.deps.store.deliveries.list(t.project.id, null, 1)
    const details = { delivery: delivery?.delivery.id, kind: 'webhook', reason: 'Error: an internal error' }
    expect(faults()).toEqual([{ message: 'answer could not be judged', details }])
    t.clock.advance({ hours: 1 })
    await d.deliver()
    expect(t.sent).toHaveLength(1)
  })

  test.each([301, 404, 500])('is retried if its status is %d', async (status) => {
    t.answerWith(answered(status))
    await deliver(changed({ judge: fault }))
    expect(await outcome()).toEqual({ state: 'pending', error: 'The answer was not understood' })
    t.answerWith(answered(200))
    t.clock.advance({ seconds: 5 })
    await d.deliver()
    expect(await outcome()).toEqual({ state: 'sent', error: null })
  })

  test('counts as sent in a test of the channel too', async () => {
    const channel = await d.channelNow()
    expect(await testChannel(changed({ judge: fault }), t.actor, channel, 'down')).toBeNull()
  })
})

test('a message that is redirected to another address is not sent; it is retried, and its error names the address', async () => {
  const seen: string[] = []
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ method, url }) => {
      seen.push(`${method} ${new URL(url).pathname}`)
      return url.endsWith('/new') ? new Response('there') : Response.redirect('/new', 302)
    },
  })
  await d.addChannel({ settings: webhook(`${receiver.url}old`) })
  await d.ping(await d.addCheck(), '/fail')
  await deliver(withHttp(createHttpSender({ allowPrivateAddresses: true })))
  await receiver.stop(true)
  expect(seen).toEqual(['POST /old'])
  const error = `Received status code 302, redirected to ${receiver.url.origin} with another path: use the new URL`
  expect(await outcome()).toEqual({ state: 'pending', error })
})

describe('a carrier that throws', () => {
  test('leads to a retry, whether it throws at once or later', async () => {
    await d.addChannel()
    await d.ping(await d.addCheck(), '/fail')
    const error = 'Internal error: the message could not be sent; see the server log'
    await deliver(withHttp(fault))
    expect(await outcome()).toEqual({ state: 'pending', error })
    t.clock.advance({ seconds: 5 })
    await deliver(withHttp(() => Promise.reject(new Error('an internal error'))))
    expect(await outcome()).toEqual({ state: 'pending', error })
    expect(faults().map(({ message }) => message)).toEqual(['message could not be sent', 'message could not be sent'])
    t.clock.advance({ seconds: 20 })
    await d.deliver()
    expect(await outcome()).toEqual({ state: 'sent', error: null })
  })

  test('during the preparation does not hold back the message', async () => {
    await d.addChannel({ kind: 'po', settings: 'user-key|2|0' })
    const check = await d.addCheck()
    await d.ping(check, '/fail')
    await d.deliver()
    await d.ping(check)
    const { http } = t.app.deps.carriers
    await deliver(withHttp((request) => (request.url.includes('/receipts/') ? fault() : http(request))))
    expect(await outcome()).toEqual({ state: 'sent', error: null })
    expect(t.sent.map(({ url }) => url)).toEqual(Array(2).fill('https://api.pushover.net/1/messages.json'))
  })
})

test('if the fallback message cannot be rendered, the first answer is judged', async () => {
  await d.addChannel({ kind: 'email', settings: 'ops@example.org' })
  await d.ping(await d.addCheck(), '/fail')
  t.answerMailWith({ kind: 'accepted', response: '250 OK' })
  await deliver(changed({ fallback: fault }))
  expect(await outcome()).toEqual({ state: 'sent', error: null })
  expect(faults().map(({ message }) => message)).toEqual(['fallback message could not be rendered'])
})

test('an alert that could not be written is retried, and sent when the bug is fixed', async () => {
  await d.addChannel()
  await d.ping(await d.addCheck(), '/fail')
  const site = { ...t.app.deps.site, links: { ...t.app.deps.site.links, siteRoot: { toString: fault } as never } }
  await deliver({ ...t.app.deps, random: testRandom, site })
  const error = 'Internal error: the alert could not be written; see the server log'
  expect(await outcome()).toEqual({ state: 'pending', error })
  t.clock.advance({ seconds: 5 })
  await d.deliver()
  expect(await outcome()).toEqual({ state: 'sent', error: null })
})
