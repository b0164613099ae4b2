import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Actor } from '../../../src/domain/actor.ts'
import { getDelivery, listDeliveries, retryFailed, whoWasTold } from '../../../src/services/alerts/deliveries.ts'
import { getKeyActor } from '../../../src/services/projects/keys.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { A_TRACE, refusalOf, TAKE_ALL } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'
import { type CourierFixture, courierFixture } from '../courier/courier-fixture.ts'

let t: TestApp
let d: CourierFixture
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
  await d.addChannel()
})
afterEach(() => t.close())

const retry = async (id: string) => retryFailed(t.app.deps, t.actor, await getDelivery(t.app.deps, id))
const list = () => listDeliveries(t.app.deps, t.actor, null, 10)
const idOfNewest = async () => (await list())[0]?.delivery.id ?? ''

test.each(['nothing', '', 'abc', '00000000-0000-4000-8000-000000000000'])('%j is not a delivery', async (name) => {
  const { code, message, data } = await refusalOf(retry(name))
  expect([code, message, data]).toEqual(['delivery-not-found', `there is no delivery "${name}"`, { name }])
})

test('a beginning that several ids have is ambiguous', async () => {
  const { store } = t.app.deps
  await d.ping(await d.addCheck(), '/fail')
  const found = await store.deliveries.find(await idOfNewest(), 1)
  const twins = replaced(store, { deliveries: { find: async () => [...found, ...found] } })
  const { code, data } = await refusalOf(getDelivery({ store: twins }, 'abcd'))
  expect([code, data]).toEqual(['delivery-ambiguous', { name: 'abcd' }])
})

test('a delivery that is pending or was sent cannot be retried', async () => {
  await d.ping(await d.addCheck(), '/fail')
  const name = await idOfNewest()
  const told = async () => {
    const { code, message, data } = await refusalOf(retry(name))
    return [code, message, data]
  }
  expect(await told()).toEqual([
    'delivery-not-failed',
    `delivery ${name} is pending already`,
    { name, project: 'Tests', state: 'pending' },
  ])
  await d.deliver()
  expect(await told()).toEqual([
    'delivery-not-failed',
    `delivery ${name} was sent`,
    { name, project: 'Tests', state: 'sent' },
  ])
})

test('a delivery cannot be retried while a later alert waits', async () => {
  const check = await d.addCheck()
  t.answerWith(answered(410))
  await d.ping(check, '/fail')
  await d.deliver(d.strict())
  const name = await idOfNewest()
  await t.app.deps.store.channels.change((await d.channelNow()).id, (channel) => ({
    channel: { ...channel, disabledReason: null },
  }))
  await d.ping(check)
  expect((await list()).map(({ delivery }) => delivery.state)).toEqual(['pending', 'failed'])
  const { code, message, data } = await refusalOf(retry(name))
  expect([code, data]).toEqual(['delivery-superseded', { name, project: 'Tests' }])
  expect(message).toStartWith(`delivery ${name} cannot be retried now: a later alert`)
})

test('who may only read learns that an alert did not arrive, and not what the receiver said', async () => {
  await d.ping(await d.addCheck(), '/fail')
  const { store } = t.app.deps
  const [order] = await store.deliveries.claim(t.clock.now(), t.clock.now().add({ seconds: 10 }), TAKE_ALL)
  if (!order) throw new Error('no delivery is due')
  const refused = 'the mail server refused: 550 5.1.1 <ops@example.org> unknown'
  const result = { state: 'failed', error: refused, disablesChannel: false } as const
  await store.deliveries.record([order.delivery], result, A_TRACE, t.clock.now())
  const reader = await getKeyActor(t.app.deps, t.keys.apiKeyReadonly, null)
  const errors = async (actor: Actor) =>
    (await whoWasTold(t.app.deps, actor, [{ checkId: order.check.id, n: order.flip.n }])).map(({ error }) => error)
  expect(await errors(t.actor)).toEqual([refused])
  expect(await errors(reader)).toEqual(['It was not accepted'])
})
