import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createCourier } from '../../../src/services/courier/courier.ts'
import type { Store } from '../../../src/store/store.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { TAKE_ALL, testRandom } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'
import { type CourierFixture, courierFixture } from './courier-fixture.ts'

let t: TestApp
let d: CourierFixture
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
})
afterEach(() => t.close())

const LEASE_SECONDS = 10

const deliveriesFor = async () => {
  await d.addChannel()
  await d.ping(await d.addCheck(), '/fail')
}

/** Runs the loop once a second. */
const tick = async (carrier: { deliverDue(): Promise<unknown> }, seconds: number) => {
  for (let second = 0; second < seconds; second += 1) {
    t.clock.advance({ seconds: 1 })
    await carrier.deliverDue()
  }
}

describe('a long attempt', () => {
  test('is not repeated by this process or another, however long it takes', async () => {
    await deliveriesFor()
    const [here, there] = [d.slowly(), d.slowly()]
    await here.carrier.deliverDue()
    for (let second = 0; second < 100; second += 1) {
      await tick(here.carrier, 1)
      await there.carrier.deliverDue()
    }
    expect([here.waiting.length, there.waiting.length]).toEqual([1, 0])
    here.waiting[0]?.answer()
    await here.carrier.drain()
    expect(await d.nextTry()).toBeNull()
  })

  test('renews its lease several times before it ends; a short attempt never does', async () => {
    await deliveriesFor()
    const { store } = t.app.deps
    const renewed: number[] = []
    const counting: Store = replaced(store, {
      deliveries: {
        renewLeases: (leases, endsAt) => {
          renewed.push(leases.length)
          return store.deliveries.renewLeases(leases, endsAt)
        },
      },
    })
    let answer = () => {}
    const http = () => new Promise<ReturnType<typeof answered>>((resolve) => (answer = () => resolve(answered(200))))
    const deps = { ...t.app.deps, store: counting, random: testRandom, carriers: { ...t.app.deps.carriers, http } }
    const carrier = createCourier(deps)
    await carrier.deliverDue()
    await tick(carrier, 2)
    expect(renewed).toEqual([])
    await tick(carrier, 28)
    expect(renewed).toEqual(Array.from({ length: 10 }, () => 1))
    answer()
    await carrier.drain()
    await tick(carrier, 10)
    expect(renewed).toHaveLength(10)
  })

  test('in a process that is killed is repeated within one lease, however long it took', async () => {
    await deliveriesFor()
    const killed = d.slowly()
    await killed.carrier.deliverDue()
    await tick(killed.carrier, 25)
    t.clock.advance({ milliseconds: LEASE_SECONDS * 1000 - 2001 })
    await d.deliver()
    expect(t.sent).toHaveLength(0)
    t.clock.advance({ milliseconds: 2001 })
    await d.deliver()
    expect(t.sent).toHaveLength(1)
    expect(await d.nextTry()).toBeNull()
  })

  test('in a process that stalled for longer than its lease goes on if no other process claimed it', async () => {
    await deliveriesFor()
    const { waiting, carrier } = d.slowly()
    await carrier.deliverDue()
    t.clock.advance({ seconds: 60 })
    await carrier.deliverDue()
    expect(waiting).toHaveLength(1)
    expect(await d.nextTry()).toBe(LEASE_SECONDS)
    waiting[0]?.answer()
    await carrier.drain()
    expect(await d.nextTry()).toBeNull()
  })

  test('that another process claimed meanwhile does not disturb that one, and its result is ignored', async () => {
    await deliveriesFor()
    const { waiting, carrier } = d.slowly()
    await carrier.deliverDue()
    t.clock.advance({ seconds: 60 })
    t.answerWith(answered(503))
    await d.deliver()
    expect(t.sent).toHaveLength(1)
    await tick(carrier, 1)
    expect(await d.nextTry()).toBe(9)
    waiting[0]?.answer()
    await carrier.drain()
    expect(await d.nextTry()).toBe(9)
    expect((await d.channelNow()).lastError).toBe('Received status code 503')
    t.answerWith(answered(200))
    t.clock.advance({ seconds: 9 })
    await d.deliver()
    expect(t.sent).toHaveLength(2)
    expect(await d.nextTry()).toBeNull()
  })

  test('that ends while its lease is renewed keeps the Retry-After of its receiver', async () => {
    await deliveriesFor()
    const { store } = t.app.deps
    let answer = () => {}
    const http = () =>
      new Promise<ReturnType<typeof answered>>((resolve) => {
        answer = () => resolve(answered(429, { 'Retry-After': '3600' }))
      })
    const slowStore: Store = replaced(store, {
      deliveries: {
        async renewLeases(leases, endsAt) {
          answer()
          await carrier.drain()
          await store.deliveries.renewLeases(leases, endsAt)
        },
      },
    })
    const deps = { ...t.app.deps, store: slowStore, random: testRandom, carriers: { ...t.app.deps.carriers, http } }
    const carrier = createCourier(deps)
    await carrier.deliverDue()
    await tick(carrier, 3)
    expect(await d.nextTry()).toBe(3600)
  })
})

describe('a crash', () => {
  test('between sending and recording sends again after the lease, under the same delivery id', async () => {
    await deliveriesFor()
    const ids: string[] = []
    const { store } = t.app.deps
    const crashing: Store = replaced(store, {
      deliveries: {
        record: async (deliveries) => {
          ids.push(...deliveries.map(({ id }) => id))
          throw new Error('the process is gone')
        },
      },
    })
    await d.deliver(createCourier({ ...t.app.deps, store: crashing }))
    expect(t.sent).toHaveLength(1)
    t.clock.advance({ milliseconds: LEASE_SECONDS * 1000 - 1 })
    await d.deliver()
    expect(t.sent).toHaveLength(1)
    t.clock.advance({ milliseconds: 1 })
    const recording: Store = replaced(store, {
      deliveries: {
        record: (deliveries, result, trace, now) => {
          ids.push(...deliveries.map(({ id }) => id))
          return store.deliveries.record(deliveries, result, trace, now)
        },
      },
    })
    await d.deliver(createCourier({ ...t.app.deps, store: recording }))
    expect(t.sent).toHaveLength(2)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    t.clock.advance({ hours: 1 })
    await d.deliver()
    expect(t.sent).toHaveLength(2)
  })

  test('before sending loses nothing', async () => {
    await deliveriesFor()
    const { store, now } = t.app.deps
    expect(await store.deliveries.claim(now(), now().add({ seconds: LEASE_SECONDS }), TAKE_ALL)).toHaveLength(1)
    t.clock.advance({ seconds: LEASE_SECONDS })
    await d.deliver()
    expect(t.sent).toHaveLength(1)
  })
})
