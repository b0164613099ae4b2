import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { reportedPeriods } from '../../src/domain/mail/report.ts'
import { isBefore, Temporal } from '../../src/lib/time.ts'
import { createChannel } from '../../src/services/channels/channels.ts'
import { createRetention, flipsKeptSince } from '../../src/services/retention.ts'
import { allFlips } from '../support/lists.ts'
import { webhook } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

/** Hour by which the next monthly report has been sent. */
const LATEST_HOUR = 11

describe('flips are kept', () => {
  test.each([
    ['2026-03-04T12:00:00Z', '2025-12-01T12:00:00Z'],
    ['2028-02-29T00:00:00Z', '2027-11-28T00:00:00Z'],
  ])('for 93 days: at %s since %s', (now, since) => {
    expect(flipsKeptSince(Temporal.Instant.from(now)).toString()).toBe(since)
  })

  test.each(['UTC', 'Etc/GMT+12', 'Pacific/Kiritimati', 'America/New_York', 'Europe/Riga', 'Australia/Lord_Howe'])(
    'for the two months of a report in %s until the next one comes',
    (tz) => {
      for (let month = Temporal.PlainYearMonth.from('2026-01'); month.year < 2029; month = month.add({ months: 1 })) {
        const plainTime = new Temporal.PlainTime(LATEST_HOUR)
        const next = month.add({ months: 1 }).toPlainDate({ day: 1 }).toZonedDateTime({ timeZone: tz, plainTime })
        const report = month.toPlainDate({ day: 1 }).toZonedDateTime({ timeZone: tz, plainTime }).toInstant()
        const [oldest] = reportedPeriods('monthly', tz, report)
        if (!oldest) throw new Error('a report has periods')
        expect(isBefore(flipsKeptSince(next.toInstant()), oldest.from)).toBe(true)
      }
    },
  )

  test('for the current month and the two before it, to the last moment', () => {
    for (let month = Temporal.PlainYearMonth.from('2026-01'); month.year < 2029; month = month.add({ months: 1 })) {
      const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime('UTC').toInstant()
      const end = midnight(month.add({ months: 1 }).toPlainDate({ day: 1 }))
      expect(isBefore(flipsKeptSince(end), midnight(month.subtract({ months: 2 }).toPlainDate({ day: 1 })))).toBe(true)
    }
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

  test('handles a small batch at a time, and asks to be called again at once until nothing is left', async () => {
    const ids = await Promise.all(Array.from({ length: 45 }, create))
    await Promise.all(ids.flatMap((id) => Array.from({ length: 100 }, () => t.call('GET', `/ping/${id}`))))
    const { store } = t.app.deps
    const lengths = async () => Promise.all(ids.map(async (id) => (await store.pings.list(id, 1000)).length))
    let batches = 0
    const prune = createRetention(t.app.deps)
    for (let next = await prune(); next !== null; next = await prune()) {
      expect(next).toEqual(t.clock.now())
      batches += 1
      if (batches === 1) expect(new Set(await lengths())).toEqual(new Set([10, 100]))
    }
    expect(batches).toBeGreaterThan(0)
    expect(new Set(await lengths())).toEqual(new Set([10]))
  })

  test('removes what receivers have answered after thirty days, a small batch at a time', async () => {
    const { deps } = t.app
    t.answerWith({ kind: 'answered', status: 410, headers: new Headers(), body: 'gone' })
    await createChannel(deps, t.actor, { kind: 'webhook', name: '', settings: webhook() })
    const spec = { channels: '*' }
    for (let n = 0; n < 45; n++) {
      const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: spec })
      await t.call('GET', `/ping/${uuid}/fail`)
    }
    await t.app.settle('deliveries')
    const deliveries = await deps.store.deliveries.list(t.project.id, null, 100)
    const answers = async () => {
      const kept = await Promise.all(deliveries.map(({ delivery }) => deps.store.deliveries.listAttempts(delivery.id)))
      return kept.flat().filter(({ answer }) => answer !== null).length
    }
    const sent = await answers()
    expect(sent).toBeGreaterThan(40)
    t.clock.advance({ hours: 29 * 24 })
    await t.app.settle('retention')
    expect(await answers()).toBe(sent)
    t.clock.advance({ hours: 24, minutes: 2 })
    expect(await createRetention(deps)()).toEqual(t.clock.now())
    expect(await answers()).toBe(sent - 40)
    await t.app.settle('retention')
    expect(await answers()).toBe(0)
    expect(await deps.store.deliveries.list(t.project.id, null, 100)).toHaveLength(45)
  })

  test('removes rows of the audit log after a year, a small batch at a time', async () => {
    const { store } = t.app.deps
    await Promise.all(Array.from({ length: 50 }, create))
    const before = (await store.audit.list(100)).length
    t.clock.advance({ hours: 365 * 24 })
    await create()
    await t.app.settle('retention')
    expect(await store.audit.list(100)).toHaveLength(before + 1)
    t.clock.advance({ minutes: 1 })
    expect(await createRetention(t.app.deps)()).toEqual(t.clock.now())
    expect(await store.audit.list(100)).toHaveLength(before + 1 - 40)
    await t.app.settle('retention')
    expect(await store.audit.list(100)).toHaveLength(1)
  })

  test('removes flips that are older, those of an incident with its end, and keeps the others', async () => {
    const id = await create()
    const at = async (instant: string, action: string) => {
      t.clock.set(instant)
      await t.call('GET', `/ping/${id}${action}`)
    }
    await at('2026-01-01T11:59:59.999999Z', '')
    await at('2026-01-01T12:00:00Z', '/fail')
    await at('2026-01-01T12:00:01Z', '')
    t.clock.set('2026-04-04T12:00:00Z')
    await t.app.settle('retention')
    expect((await allFlips(t.app.deps.store, id)).map(({ n }) => n)).toEqual([3, 2])
    t.clock.set('2026-04-04T12:00:01Z')
    await t.app.settle('retention')
    expect((await allFlips(t.app.deps.store, id)).map(({ n }) => n)).toEqual([3, 2])
    t.clock.set('2026-04-04T12:00:01.000001Z')
    await t.app.settle('retention')
    expect(await allFlips(t.app.deps.store, id)).toEqual([])
  })
})
