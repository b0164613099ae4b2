/** A page of deliveries: many channels as one list, in a bounded number of reads. */

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type DeliveryQuery, type ListPlace, readDeliveryList } from '../../../src/services/alerts/delivery-list.ts'
import type { DeliveryPlace } from '../../../src/store/store.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { type CourierFixture, courierFixture } from '../courier/courier-fixture.ts'

let t: TestApp
let d: CourierFixture
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
})
afterEach(() => t.close())

const ALL: DeliveryQuery = {
  text: '',
  isOpen: false,
  state: 'pending',
  since: null,
  channelId: null,
  check: null,
  place: null,
}
const read = (query: Partial<DeliveryQuery> = {}, store = t.app.deps.store) =>
  readDeliveryList({ ...t.app.deps, store }, t.actor, { ...ALL, ...query }, ({ name }) => name)

/** Creates alerts of one check each, to one channel. */
async function deliveriesFor(count: number, channelId: string): Promise<string[]> {
  const checks: string[] = []
  for (let index = 0; index < count; index++) checks.push(await d.addCheck(channelId, `Job ${index}`))
  for (const check of checks) await d.ping(check, '/fail')
  return checks
}

test('channels with nothing newer than what the page shows are looked at, but not read', async () => {
  const [older, equal, newest] = [(await d.addChannel()).id, (await d.addChannel()).id, (await d.addChannel()).id]
  await deliveriesFor(1, older)
  await deliveriesFor(1, equal)
  t.clock.advance({ seconds: 1 })
  await deliveriesFor(50, newest)
  const reads: string[] = []
  const { store } = t.app.deps
  const counting: typeof store = replaced(store, {
    deliveries: {
      read: (...all) => {
        reads.push(all[0])
        return store.deliveries.read(...all)
      },
    },
  })
  const { entries, next } = await read({}, counting)
  expect(entries).toHaveLength(50)
  expect(new Set(entries.map(({ delivery }) => delivery.channelId))).toEqual(new Set([newest]))
  expect(new Set(reads)).toEqual(new Set([newest]))
  expect(next).toMatchObject({ state: 'pending' })
})

test('a text that is in no name is looked for in a bounded number of deliveries, then the next page goes on', async () => {
  const { id } = await d.addChannel()
  const { store } = t.app.deps
  await deliveriesFor(1, id)
  const [entry] = await store.deliveries.list(t.project.id, null, 1)
  if (!entry) throw new Error('nothing is owed')
  let reads = 0
  const at = (seconds: number): DeliveryPlace => ({ id, createdAt: t.clock.now().subtract({ seconds }) })
  const endless: typeof store = replaced(store, {
    deliveries: {
      read: async (_id, _filter, before, limit) => {
        reads += 1
        const last = before === null ? at(0) : { id, createdAt: before.createdAt.subtract({ seconds: limit }) }
        return { entries: [], last }
      },
    },
  })
  const first = await read({ text: 'nowhere' }, endless)
  expect(first.entries).toEqual([])
  expect(first.next).toMatchObject({ state: 'pending', key: null })
  expect(reads).toBeLessThanOrEqual(40)
  const second = await read({ text: 'nowhere', place: first.next }, endless)
  const times = [first.next, second.next].map((place) => place?.createdAt.epochMilliseconds ?? 0)
  expect(times[1]).toBeLessThan(times[0] ?? 0)
})

test('the next page goes on although the delivery that it names is gone', async () => {
  const { id } = await d.addChannel()
  await deliveriesFor(30, id)
  const began = t.clock.now()
  t.clock.advance({ minutes: 1 })
  const checks = await deliveriesFor(50, id)
  const { next, entries } = await read()
  const last = entries.at(-1)
  expect(next?.key?.checkPublicId).toBe(last?.checkPublicId ?? '')
  for (const uuid of checks) {
    const found = await t.app.deps.store.checks.find(uuid)
    if (found?.check.publicId === last?.checkPublicId)
      await t.json('DELETE', `/api/v3/checks/${uuid}`, { key: t.keys.apiKey })
  }
  const seen = new Set<string>()
  let place: ListPlace | null = next
  for (let page = 0; page < 4 && place !== null; page++) {
    const list = await read({ place })
    for (const { delivery } of list.entries) if (delivery.createdAt.equals(began)) seen.add(delivery.id)
    place = list.next
  }
  expect([seen.size, place]).toEqual([30, null])
})
