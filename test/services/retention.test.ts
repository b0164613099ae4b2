import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Temporal } from '../../src/domain/time.ts'
import { flipsKeptSince, prune } from '../../src/services/retention.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

describe('flips are kept', () => {
  test.each([
    ['2026-03-04T12:00:00Z', '2026-01-01T00:00:00Z'],
    ['2026-03-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['2026-02-28T23:59:59.999999Z', '2025-12-01T00:00:00Z'],
    ['2026-01-31T23:59:59Z', '2025-11-01T00:00:00Z'],
    ['2026-01-01T00:00:00Z', '2025-11-01T00:00:00Z'],
    ['2025-12-31T23:59:59.999999Z', '2025-10-01T00:00:00Z'],
    ['2028-02-29T12:00:00Z', '2027-12-01T00:00:00Z'],
    ['2026-05-31T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['2026-04-30T22:30:00Z', '2026-02-01T00:00:00Z'],
  ])('for this month and the two before it: at %s since %s', (now, since) => {
    expect(flipsKeptSince(Temporal.Instant.from(now)).toString()).toBe(since)
  })
})

describe('pruning', () => {
  let t: TestApp
  beforeEach(async () => {
    t = await testApp({ env: { PING_LOG_LIMIT: '10' } })
  })
  afterEach(() => t.close())

  const create = async () =>
    (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: {} })).uuid

  test('does a small batch at a time, and asks to be called again at once until nothing is left to do', async () => {
    const ids = await Promise.all(Array.from({ length: 45 }, create))
    await Promise.all(ids.flatMap((id) => Array.from({ length: 100 }, () => t.call('GET', `/ping/${id}`))))
    const { store } = t.app.deps
    const lengths = async () => Promise.all(ids.map(async (id) => (await store.listPings(id, 1000)).length))
    let batches = 0
    for (let next = await prune(t.app.deps); next !== null; next = await prune(t.app.deps)) {
      expect(next).toEqual(t.clock.now())
      batches += 1
      if (batches === 1) expect(new Set(await lengths())).toEqual(new Set([10, 100]))
    }
    expect(batches).toBeGreaterThan(0)
    expect(new Set(await lengths())).toEqual(new Set([10]))
  })

  test('forgets flips of months gone by in every time zone and keeps the younger ones', async () => {
    const id = await create()
    const at = async (instant: string, action: string) => {
      t.clock.set(instant)
      await t.call('GET', `/ping/${id}${action}`)
    }
    await at('2025-12-31T09:59:59.999999Z', '')
    await at('2025-12-31T10:00:00Z', '/fail')
    await at('2026-03-31T23:59:59Z', '')
    await t.app.settle('retention')
    expect((await t.app.deps.store.listFlips(id, {})).map(({ n }) => n)).toEqual([3, 2])
    t.clock.set('2026-04-01T00:00:00Z')
    await t.app.settle('retention')
    expect((await t.app.deps.store.listFlips(id, {})).map(({ n }) => n)).toEqual([3])
  })
})
