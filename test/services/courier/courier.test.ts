import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { CONCURRENCY_LIMIT } from '../../../src/domain/alert/concurrency-limit.ts'
import { createCourier } from '../../../src/services/courier/courier.ts'
import { testRandom, webhook } from '../../support/store-builders.ts'
import { answered, type Sent, type TestApp, testApp } from '../../support/test-app.ts'
import { type CourierFixture, courierFixture, type Waiting } from './courier-fixture.ts'

let t: TestApp
let d: CourierFixture
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
})
afterEach(() => t.close())

describe('the flips of one check', () => {
  test('reach a channel in order, however often the first is tried', async () => {
    await d.addChannel()
    const id = await d.addCheck()
    await d.ping(id, '/fail')
    t.answerWith(answered(503))
    await d.deliver()
    await d.ping(id)
    await d.ping(id, '/fail')
    await d.deliver()
    expect(t.sent).toHaveLength(1)
    t.answerWith(answered(200))
    t.clock.advance({ seconds: 5 })
    for (let round = 0; round < 3; round += 1) await d.deliver()
    expect(t.sent.map(({ body }) => body)).toEqual(['Job is down', 'Job is down', 'Job is up', 'Job is down'])
  })

  test('do not wait for another channel of the check or another check of the channel', async () => {
    const stuck = await d.addChannel({ settings: webhook('https://stuck.example/', 'https://stuck.example/') })
    await d.addChannel({ name: 'fine', settings: webhook('https://fine.example/', 'https://fine.example/') })
    t.answerWith(({ url }: Sent) => answered(url.includes('stuck') ? 503 : 200))
    const id = await d.addCheck()
    await d.ping(id, '/fail')
    await d.ping(id)
    await d.deliver()
    await d.deliver()
    const other = await d.addCheck(stuck.id, 'Other')
    await d.ping(other, '/fail')
    await d.deliver()
    expect(t.sent.filter(({ url }) => url.includes('fine')).map(({ body }) => body)).toEqual([
      'Job is down',
      'Job is up',
    ])
    expect(t.sent.filter(({ url }) => url.includes('stuck')).map(({ body }) => body)).toEqual([
      'Job is down',
      'Other is down',
    ])
  })
})

describe('the deliveries of one channel', () => {
  test('are sent one after another, oldest first', async () => {
    await d.addChannel()
    const [one, other] = [await d.addCheck('*', 'One'), await d.addCheck('*', 'Other')]
    for (const [check, action] of [
      [one, '/fail'],
      [one, ''],
      [other, '/fail'],
      [one, '/fail'],
      [other, ''],
    ] as const) {
      await d.ping(check, action)
      t.clock.advance({ seconds: 1 })
    }
    const { waiting, carrier } = d.slowly()
    const bodies: string[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      await carrier.deliverDue()
      await carrier.deliverDue()
      expect(waiting).toHaveLength(nth + 1)
      bodies.push((await waiting[nth]?.sent.text()) ?? '')
      waiting[nth]?.answer()
      await carrier.drain()
    }
    expect(bodies).toEqual(['One is down', 'One is up', 'Other is down', 'One is down', 'Other is up'])
  })

  test('do not wait for one that is retried later', async () => {
    await d.addChannel()
    await d.ping(await d.addCheck('*', 'First'), '/fail')
    t.answerWith(answered(503, { 'retry-after': '600' }))
    await d.deliver()
    t.answerWith(answered(200))
    await d.ping(await d.addCheck('*', 'Second'), '/fail')
    await d.deliver()
    t.clock.advance({ seconds: 600 })
    await d.deliver()
    expect(t.sent.map(({ body }) => body)).toEqual(['First is down', 'Second is down', 'First is down'])
  })
})

describe('a slow receiver', () => {
  const URLS = { slow: 'https://slow.example/', quick: 'https://quick.example/' }
  const to = (url: string, waiting: readonly Waiting[]) => waiting.filter(({ sent }) => sent.url === url)

  test('with many deliveries takes one slot, and nobody else waits for it', async () => {
    const slow = await d.addChannel({ settings: webhook(URLS.slow) })
    const quick = await d.addChannel({ settings: webhook(URLS.quick) })
    const { waiting, carrier } = d.slowly()
    for (let index = 0; index < 300; index += 1) await d.ping(await d.addCheck(slow.id), '/fail')
    await carrier.deliverDue()
    await carrier.deliverDue()
    expect(to(URLS.slow, waiting)).toHaveLength(1)
    await d.ping(await d.addCheck(quick.id), '/fail')
    await carrier.deliverDue()
    expect(to(URLS.quick, waiting)).toHaveLength(1)
    expect(to(URLS.slow, waiting)).toHaveLength(1)

    for (let done = 0; done < waiting.length; ) {
      for (; done < waiting.length; done += 1) waiting[done]?.answer()
      await carrier.drain()
      await carrier.deliverDue()
    }
    expect(to(URLS.slow, waiting)).toHaveLength(300)
    expect(await d.nextTry()).toBeNull()
  })

  test('among very many does not exceed the concurrency limit', async () => {
    const channels = []
    for (let index = 0; index < 150; index += 1) channels.push(await d.addChannel({ name: `c${index}` }))
    await d.ping(await d.addCheck(), '/fail')
    const { waiting, carrier } = d.slowly()
    await carrier.deliverDue()
    await carrier.deliverDue()
    expect(waiting).toHaveLength(CONCURRENCY_LIMIT.total)
    for (const { answer } of waiting) answer()
    await carrier.drain()
    await carrier.deliverDue()
    expect(waiting).toHaveLength(150)
    for (const { answer } of waiting) answer()
    await carrier.drain()
    expect(await d.nextTry()).toBeNull()
  })
})

describe('a failing host', () => {
  const HOST = 'sick.example'

  test('takes its slots, however many channels lead to it, and a healthy host does not wait', async () => {
    const { waiting, carrier } = d.slowly()
    for (let index = 0; index < 30; index += 1) await d.addChannel({ host: HOST })
    for (let index = 0; index < 5; index += 1) await d.ping(await d.addCheck(), '/fail')
    for (let look = 0; look < 3; look += 1) await carrier.deliverDue()
    expect(waiting).toHaveLength(CONCURRENCY_LIMIT.perHost)
    const healthy = await d.addChannel()
    await d.ping(await d.addCheck(healthy.id), '/fail')
    await carrier.deliverDue()
    expect(waiting).toHaveLength(CONCURRENCY_LIMIT.perHost + 1)
    for (const { answer } of waiting) answer()
    await carrier.drain()
  })

  test('serves its channels in turn, so that a short queue ends before the long ones', async () => {
    const { waiting, carrier } = d.slowly()
    const long = []
    for (let index = 0; index < CONCURRENCY_LIMIT.perHost; index += 1) long.push(await d.addChannel({ host: HOST }))
    for (let index = 0; index < 10; index += 1) {
      await d.ping(await d.addCheck(long.map(({ id }) => id).join(',')), '/fail')
    }
    t.clock.advance({ seconds: 1 })
    const settings = webhook('https://short.example/')
    const short = await d.addChannel({ host: HOST, settings })
    await d.ping(await d.addCheck(short.id), '/fail')
    await carrier.deliverDue()
    for (const { answer } of waiting) answer()
    await carrier.drain()
    await carrier.deliverDue()
    expect(waiting.slice(CONCURRENCY_LIMIT.perHost).map(({ sent }) => sent.url)).toContain('https://short.example/')
    for (const { answer } of waiting) answer()
    await carrier.drain()
  })
})

describe('the loop', () => {
  test('learns when the next delivery is due, and is called when a slot becomes free', async () => {
    await d.addChannel()
    let calls = 0
    const onDeliveriesCreated = () => {
      calls += 1
    }
    const carrier = createCourier({ ...t.app.deps, random: testRandom, onDeliveriesCreated })
    expect(await carrier.deliverDue()).toBeNull()
    await d.ping(await d.addCheck(), '/fail')
    t.answerWith(answered(503))
    await d.deliver(carrier)
    expect(calls).toBe(1)
    expect(d.secondsUntil(await carrier.deliverDue())).toBe(5)
  })
})
