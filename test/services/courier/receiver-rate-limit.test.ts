import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../../src/domain/channel/channel.ts'
import { createCourier } from '../../../src/services/courier/courier.ts'
import { testRandom, webhook } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'
import { type CourierFixture, courierFixture } from './courier-fixture.ts'

let t: TestApp
let d: CourierFixture
let carrier: ReturnType<typeof createCourier>
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
  carrier = createCourier({ ...t.app.deps, random: testRandom })
})
afterEach(() => t.close())

const topic = (name: string): Partial<Channel> => ({
  kind: 'ntfy',
  settings: { topic: name, url: 'https://ntfy.example', priority: 3, priority_up: 3 },
})

/** Runs the loop until nothing is left to do now. @returns seconds until its next run */
const deliverAll = async () => {
  for (;;) {
    const ended = t.log.length
    const next = await carrier.deliverDue()
    await carrier.drain()
    // Each attempt ends with a log line.
    if (t.log.length === ended) return d.secondsUntil(next)
  }
}
const bodies = () => t.sent.map(({ body }) => JSON.parse(body) as { topic: string; title: string })
const titles = () => bodies().map(({ title }) => title)
const failed = () => t.app.deps.store.deliveries.list(t.project.id, 'failed', 100)
const failChecks = async (channel: Channel, count: number, prefix = 'Job') => {
  for (let index = 0; index < count; index += 1) {
    await d.ping(await d.addCheck(channel.id, `${prefix} ${index}`), '/fail')
    t.clock.advance({ milliseconds: 1 })
  }
}

describe('a receiver that accepts six messages a minute', () => {
  test('is not waited for until tomorrow when the clock was set back', async () => {
    t.clock.advance({ hours: 24 })
    await failChecks(await d.addChannel(topic('ops')), 7)
    await deliverAll()
    expect(t.sent).toHaveLength(6)
    t.clock.advance({ hours: -24 })
    await t.app.deps.store.server.pullBack(t.clock.now())
    await deliverAll()
    t.clock.advance({ seconds: 10 })
    await deliverAll()
    expect(t.sent).toHaveLength(7)
  })

  test('gets six of twenty at once and then one every ten seconds, in order, each at its first attempt', async () => {
    await failChecks(await d.addChannel(topic('ops')), 20)
    const begun = t.clock.now()
    const at: number[] = []
    let next = await deliverAll()
    for (let second = 0; t.sent.length < 20 && second < 1000; second += 1) {
      while (at.length < t.sent.length) at.push(Math.round(begun.until(t.clock.now()).total('seconds')))
      t.clock.advance({ milliseconds: Math.round((next ?? 1) * 1000) })
      next = await deliverAll()
    }
    while (at.length < 20) at.push(Math.round(begun.until(t.clock.now()).total('seconds')))
    expect(at).toEqual([0, 0, 0, 0, 0, 0, ...Array.from({ length: 14 }, (_, index) => 10 * (index + 1))])
    expect(titles()).toEqual(Array.from({ length: 20 }, (_, index) => `Job ${index} is DOWN`))
    const deliveries = await t.app.deps.store.deliveries.list(t.project.id, null, 100)
    expect(deliveries.map(({ delivery, error }) => [delivery.state, delivery.attempts, error])).toEqual(
      Array.from({ length: 20 }, () => ['sent', 1, null]),
    )
  })

  test('gets the flips of one check in order, none lost', async () => {
    await d.addChannel(topic('ops'))
    const id = await d.addCheck()
    for (let flip = 0; flip < 10; flip += 1) await d.ping(id, flip % 2 === 0 ? '/fail' : '')
    await deliverAll()
    expect(t.sent).toHaveLength(6)
    for (let count = 7; count <= 10; count += 1) {
      t.clock.advance({ milliseconds: 9_999 })
      await deliverAll()
      expect(t.sent).toHaveLength(count - 1)
      t.clock.advance({ milliseconds: 1 })
      await deliverAll()
      expect(t.sent).toHaveLength(count)
    }
    expect(titles().map((title) => title.split(' ').at(-1))).toEqual(
      Array.from({ length: 10 }, (_, flip) => (flip % 2 === 0 ? 'DOWN' : 'UP')),
    )
    expect(await d.nextTry()).toBeNull()
  })

  test('causes no error while messages wait for it', async () => {
    await failChecks(await d.addChannel(topic('ops')), 8)
    await deliverAll()
    const waiting = await t.app.deps.store.deliveries.list(t.project.id, 'pending', 100)
    expect(waiting.map(({ delivery, error }) => [delivery.attempts, error])).toEqual([
      [0, null],
      [0, null],
    ])
    expect((await d.channelNow()).lastError).toBeNull()
    expect(t.log.filter(({ level }) => level !== 'info')).toEqual([])
  })

  test('is shared by all channels that lead to it, and another topic does not wait for it', async () => {
    const [one, two] = [await d.addChannel(topic('ops')), await d.addChannel(topic('ops'))]
    const other = await d.addChannel(topic('dev'))
    for (const channel of [one, two, other]) await failChecks(channel, 5, channel.id)
    await deliverAll()
    const count = (name: string) => bodies().filter((body) => body.topic === name).length
    expect([count('ops'), count('dev')]).toEqual([6, 5])
    for (let round = 0; round < 4; round += 1) {
      t.clock.advance({ seconds: 10 })
      await deliverAll()
    }
    expect([count('ops'), count('dev')]).toEqual([10, 5])
    expect(await d.nextTry()).toBeNull()
  })

  test('counts a retry as another message', async () => {
    await failChecks(await d.addChannel(topic('ops')), 6)
    t.answerWith(answered(503))
    await deliverAll()
    t.answerWith(answered(200))
    t.clock.advance({ seconds: 5 })
    expect(await deliverAll()).toBeCloseTo(5, 1)
    expect(t.sent).toHaveLength(6)
    t.clock.advance({ seconds: 60 })
    await deliverAll()
    expect(t.sent).toHaveLength(12)
    expect(await d.nextTry()).toBeNull()
  })

  test('gets nothing more, and lets nothing wait, when its channel is disabled', async () => {
    await failChecks(await d.addChannel(topic('ops')), 20)
    const { store } = t.app.deps
    await deliverAll()
    const { id } = await d.channelNow()
    await store.channels.change(id, (channel) => ({ channel: { ...channel, disabledReason: 'gone' } }))
    t.clock.advance({ seconds: 10 })
    await deliverAll()
    expect(t.sent).toHaveLength(6)
    expect(await failed()).toHaveLength(14)
  })
})

test('a kind without a rate limit does not wait', async () => {
  await failChecks(await d.addChannel({ settings: webhook() }), 20)
  await deliverAll()
  expect(t.sent).toHaveLength(20)
})

test('settings without a rate limit key do not stop other channels; their delivery says what is wrong', async () => {
  await failChecks(await d.addChannel({ kind: 'ntfy', settings: { url: 'nowhere', priority: 3 } }), 1)
  await failChecks(await d.addChannel({ settings: webhook() }), 1)
  await deliverAll()
  expect(t.sent).toHaveLength(1)
  expect((await failed()).map(({ channelKind, error }) => [channelKind, error])).toEqual([
    ['ntfy', 'The settings are not valid'],
  ])
})
