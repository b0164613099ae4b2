/** Commits that other processes are notified of at once. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createStore } from '../../src/store/sql-store/sql-store.ts'
import { briefDatabase } from '../support/databases.ts'
import { openUrl } from '../support/open-url.ts'
import { A_TRACE, anAuthor, only, type StoreFixture, storeFixture } from '../support/store-builders.ts'

let notices = 0
/** ids of the checks that the last notice named */
let named: readonly string[] = []
let g: StoreFixture
beforeEach(async () => {
  g = await storeFixture(async () => {
    const { url, remove } = await briefDatabase()
    const database = await openUrl(url)
    database.notify = (changed) => {
      notices += 1
      named = changed.map(({ checkId }) => checkId)
    }
    const store = createStore(database)
    const close = async () => {
      await store.close()
      await remove()
    }
    return { store, another: null, close }
  })
})
afterEach(() => g.close())

/** Returns the number of notices that the work sends. */
async function told(work: () => Promise<unknown>): Promise<number> {
  const before = notices
  await work()
  return notices - before
}

test('a ping that changes a status is told, and one that changes only counters and times is not', async () => {
  const check = await g.check()
  expect(await told(() => g.ping(check))).toBe(1)
  expect(await told(() => g.ping(check))).toBe(0)
  expect(await told(() => g.ping(check, { action: 'start' }))).toBe(0)
  expect(await told(() => g.ping(check, { action: 'fail' }))).toBe(1)
})

test('of the checks that a batch has pinged, those that flip are named', async () => {
  const [steady, failing] = [await g.check(), await g.check()]
  await g.commit(g.arrival(steady), g.arrival(failing))
  expect(named).toEqual([steady.id, failing.id])
  await g.commit(g.arrival(steady), g.arrival(failing, { action: 'fail' }), g.arrival(steady))
  expect(named).toEqual([failing.id])
})

test('a check that goes down by itself is told, and one that is only looked at is not', async () => {
  const check = await g.check({ timeoutSeconds: 60, graceSeconds: 60 })
  await g.ping(check)
  expect(await told(() => g.judgeOverdue())).toBe(0)
  g.clock.advance({ seconds: 121 })
  expect(await told(() => g.judgeOverdue())).toBe(1)
})

test('a check that is created or deleted is told', async () => {
  const { store } = g
  expect(await told(() => g.check())).toBe(1)
  const check = await g.check()
  expect(await told(() => store.by(anAuthor()).checks.delete(check.id))).toBe(1)
  expect(await told(() => store.by(anAuthor()).checks.delete(check.id))).toBe(0)
})

test('an alert that is tried is told, since pages of other processes say who was told', async () => {
  const check = await g.check({}, [await g.channel()])
  await g.ping(check, { action: 'fail' })
  const order = only(await g.claim())
  const at = g.clock.now()
  const retry = { state: 'pending', error: 'status 500', nextAttemptAt: at.add({ seconds: 30 }) } as const
  expect(await told(() => g.store.deliveries.record([order.delivery], retry, A_TRACE, at))).toBe(1)
  expect(named).toEqual([check.id])
})
