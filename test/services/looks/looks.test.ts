/** The loop that looks at checks for advice. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { unpackedMinutes } from '../../../src/domain/run/day-minutes.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { rules } from '../../../src/services/common/rules.ts'
import { readFacts } from '../../../src/services/looks/facts.ts'
import { createLooks, lookNow } from '../../../src/services/looks/looks.ts'
import { readSurroundings } from '../../../src/services/looks/surroundings.ts'
import type { StoredAdvice } from '../../../src/store/store.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { aChannel, aCheck, anAuthor, aSignal } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const store = () => t.app.deps.store
const HOUR = 3_600
const DAY = 24 * HOUR

async function create(json: object): Promise<string> {
  return (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })).uuid
}
const ping = (id: string, tail = '') => t.call('GET', `/ping/${id}${tail}`)
const edit = (id: string, json: object) => t.json('POST', `/api/v3/checks/${id}`, { key: t.keys.apiKey, json })
const look = () => t.app.settle('advice')
const stored = async (id: string): Promise<StoredAdvice> => {
  const found = await store().advice.find(id)
  if (!found) throw new Error('nothing is stored')
  return found
}
const kinds = async (id: string) => (await stored(id)).advice.map(({ kind }) => kind)
const webhook = () => store().by(anAuthor()).channels.create(aChannel(t.project))

/** Sends nightly runs that begin at three and take so many minutes. */
async function nights(id: string, minutes: readonly number[]): Promise<void> {
  for (const each of minutes) {
    await ping(id, '/start')
    t.clock.advance({ seconds: each * 60 })
    await ping(id)
    t.clock.advance({ seconds: DAY - each * 60 })
  }
}

describe('the loop of advice', () => {
  beforeEach(async () => {
    await webhook()
    t.clock.set('2026-05-04T03:00:02Z')
  })
  const nightly = () => create({ name: 'backup', schedule: '0 3 * * *', tz: 'UTC', grace: HOUR, channels: '*' })

  test('finds what does not fit, and withdraws it after the fix', async () => {
    const id = await nightly()
    await nights(id, [70, 75, 66, 80])
    await look()
    expect(await stored(id)).toMatchObject({ kind: 'grace', variant: 'runs', lookedN: 8 })
    const [advice] = (await stored(id)).advice
    expect(advice?.fix).toEqual({ do: 'set', settings: { grace: 90 * 60 } })
    await edit(id, { grace: 90 * 60 })
    await look()
    expect(await stored(id)).toMatchObject({ kind: null, advice: [], fixed: { kind: 'grace' } })
    await nights(id, [70])
    await look()
    expect(await kinds(id)).toEqual([])
  })

  test('finds it again when the fix is taken back', async () => {
    const id = await nightly()
    await nights(id, [70, 75, 66, 80])
    await look()
    await edit(id, { grace: 90 * 60 })
    await look()
    expect(await kinds(id)).toEqual([])
    await edit(id, { grace: HOUR })
    await look()
    expect(await stored(id)).toMatchObject({ kind: 'grace', fixed: null })
  })

  test('says nothing of a check that fits its job, and looks again later', async () => {
    const id = await nightly()
    await nights(id, [10, 12, 9, 11, 10])
    await look()
    const { lookAfter, advice } = await stored(id)
    expect(advice).toEqual([])
    expect(lookAfter).toEqual(t.clock.now().add({ hours: 24 }))
    await ping(id)
    await look()
    expect((await stored(id)).lookedN).toBe(10)
    t.clock.advance({ seconds: DAY })
    await look()
    expect((await stored(id)).lookedN).toBe(11)
  })

  test('looks at once at a check that silence has brought down', async () => {
    const id = await nightly()
    await nights(id, [10, 12, 9, 11])
    await look()
    const { lookAfter } = await stored(id)
    t.clock.advance({ seconds: 2 * HOUR })
    await t.app.settle('overdue')
    await look()
    expect((await stored(id)).lookAfter).not.toEqual(lookAfter)
  })

  test('counts the days of runs once, with what was missed', async () => {
    const id = await nightly()
    await nights(id, [10, 12])
    await look()
    t.clock.advance({ seconds: DAY })
    await nights(id, [20])
    await ping(id, '/fail')
    await t.call('GET', `/ping/${id}`, { headers: { 'User-Agent': 'Slackbot-LinkExpanding 1.0' } })
    await edit(id, { name: 'Backup' })
    await look()
    await look()
    const days = (await store().checkDays.list([id], '')).get(id) ?? []
    const MINUTE = 60_000_000
    const plain = days.map(({ day, runs, failed, missed, longest, minutes }) => {
      return [day, runs, failed, missed, longest && longest / MINUTE, unpackedMinutes(minutes)]
    })
    expect(plain).toEqual([
      ['2026-05-04', 1, 0, 0, 10, [180]],
      ['2026-05-05', 1, 0, 0, 12, [180]],
      ['2026-05-06', 0, 0, 1, null, []],
      ['2026-05-07', 1, 0, 0, 20, [180]],
      ['2026-05-08', 1, 1, 0, null, [180]],
    ])
  })

  test('looks at runs whose durations have fractions of a millisecond', async () => {
    const id = await nightly()
    for (let night = 0; night < 2; night++) {
      await ping(id, '/start')
      t.clock.advance({ minutes: 10, microseconds: 345 })
      await ping(id)
      t.clock.advance({ hours: 23, minutes: 49, seconds: 59, milliseconds: 999, microseconds: 655 })
    }
    await look()
    const days = (await store().checkDays.list([id], '')).get(id) ?? []
    expect(days.map(({ runs, longest }) => [runs, longest])).toEqual([
      [1, 600_000_000],
      [1, 600_000_000],
    ])
  })

  test('is told of refused exit statuses, and of a channel that is turned off', async () => {
    const id = await nightly()
    await nights(id, [10])
    t.clock.advance({ seconds: HOUR })
    await ping(id, '/3221225477')
    await t.app.settle('refused')
    await t.app.settle('overdue')
    await look()
    expect(await stored(id)).toMatchObject({ kind: 'ignored', variant: 'status' })
    const [channel] = await store().channels.list(t.project.id)
    await store().channels.change(channel?.id ?? '', (before) => ({ channel: { ...before, disabledReason: 'gone' } }))
    await look()
    expect(await kinds(id)).toEqual(['untold', 'ignored'])
  })

  test('comes before the third alert of a job that runs a little early, so that this one can say why', async () => {
    t.clock.set('2026-05-03T20:00:00Z')
    const id = await nightly()
    t.clock.set('2026-05-04T02:59:50Z')
    for (let day = 1; day <= 3; day++) {
      await ping(id)
      if (day === 3) break
      t.clock.advance({ seconds: HOUR + 60 })
      await t.app.settle('overdue')
      await look()
      expect(await kinds(id)).toEqual([])
      t.clock.advance({ seconds: DAY - HOUR - 60 })
    }
    // A minute before the third deadline.
    t.clock.advance({ seconds: HOUR - 50 })
    await look()
    expect(await stored(id)).toMatchObject({ kind: 'time', variant: 'early', lookedN: 3 })
  })

  test('knows how long a check is paused whose log begins in the pause', async () => {
    const id = await nightly()
    t.clock.advance({ seconds: 30 * DAY })
    await t.json('POST', `/api/v3/checks/${id}/pause`, { key: t.keys.apiKey, json: {} })
    t.clock.advance({ seconds: DAY })
    await edit(id, { methods: 'POST' })
    await ping(id)
    t.clock.advance({ seconds: 5 * DAY })
    await look()
    expect(await kinds(id)).toEqual([])
    t.clock.advance({ seconds: 2 * DAY })
    await look()
    expect(await kinds(id)).toEqual(['unwatched'])
  })

  test('does not say since when a check is paused that came so from elsewhere', async () => {
    const check = aCheck(t.project, { status: 'paused', createdAt: t.clock.now() })
    await store()
      .by(anAuthor())
      .checks.upsert(check, null, (fresh) => ({ check: fresh }), rules(t.app.deps))
    t.clock.advance({ seconds: 30 * DAY })
    await look()
    expect(await kinds(check.id)).not.toContain('unwatched')
  })

  test('compares the checks of a project, and a look at one check keeps what was found', async () => {
    const [id, twin] = [
      await nightly(),
      await create({ name: 'twin', schedule: '0 3 * * *', tz: 'UTC', grace: HOUR, channels: '*' }),
    ]
    for (let day = 0; day < 12; day++) {
      const later = ((day * 7) % 11) * 20
      t.clock.advance({ seconds: later })
      const arrivals = [id, twin].map((id) => {
        return { target: { kind: 'id', id } as const, signal: aSignal(), receivedAt: t.clock.now() }
      })
      await store().pings.commit(arrivals, rules(t.app.deps))
      t.clock.advance({ seconds: DAY - later })
    }
    await look()
    expect(await kinds(id)).toEqual(['twins'])
    expect((await lookNow(t.app.deps, id))?.advice.map(({ kind }) => kind)).toEqual(['twins'])
  })

  test('passes over a check at which it cannot look, and looks at the others', async () => {
    const [broken, id] = [await nightly(), await create({ name: 'lonely', timeout: HOUR })]
    await nights(id, [1])
    const list = async (checkId: string) => {
      if (checkId === broken) throw new Error('a mistake')
      return { items: [], next: null }
    }
    t.clock.advance({ seconds: DAY })
    await createLooks({ ...t.app.deps, store: replaced(store(), { flips: { list } }) })()
    expect(await kinds(id)).toEqual(['untold', 'unwatched'])
    expect(t.log.filter(({ message }) => message === 'a check could not be examined')).toHaveLength(1)
    expect((await stored(broken)).lookAfter).toEqual(t.clock.now().add({ hours: 1 }))
  })

  test('does as much as fits into a second, or two while it is behind, and the rest later', async () => {
    await t.close()
    let seconds = 0
    t = await testApp({ stopwatch: () => (seconds += 0.05) })
    for (let count = 0; count < 40; count++) await create({ name: `job ${count}`, timeout: HOUR })
    await look()
    const looked = async () => {
      const { items } = await store().checks.list(t.project.id, {}, null)
      const found = await store().advice.findMany(items.map(({ check }: { check: Check }) => check.id))
      return found.filter((one) => one && Temporal.Instant.compare(one.lookAfter, t.clock.now()) > 0).length
    }
    expect(await looked()).toBe(20)
    await look()
    expect(await looked()).toBe(40)
    t.clock.advance({ seconds: HOUR })
    await look()
    expect(await looked()).toBe(10)
  })

  test('knows of a pause after which a late ping of the time before it was the first to come', async () => {
    const id = await nightly()
    const began = t.clock.now()
    t.clock.advance({ seconds: HOUR })
    const paused = t.clock.now()
    await t.call('POST', `/api/v3/checks/${id}/pause`, { key: t.keys.apiKey })
    t.clock.advance({ seconds: HOUR })
    await t.call('POST', `/api/v3/checks/${id}/resume`, { key: t.keys.apiKey })
    const resumed = t.clock.now()
    t.clock.advance({ seconds: HOUR })
    await ping(id)
    await ping(id, `?at=${began.epochMilliseconds}`)
    const found = await store().checks.find(id)
    const around = await readSurroundings(t.app.deps, t.project.id, { readAt: began, pings: [] })
    if (!found || !around) throw new Error('nothing is stored')
    const { facts } = await readFacts(t.app.deps, found, around, { lookedN: 0, changedAt: 0 }, t.clock.now())
    expect(facts.log[0]?.at).toBe(began.epochMilliseconds)
    const [from, until] = [paused.epochMilliseconds, resumed.epochMilliseconds]
    expect(facts.away).toEqual([{ why: 'pause', from, until }])
  })

  test('counts no message of an incident that a silence held to its end, and asks nobody for being muted', async () => {
    const id = await create({ name: 'flapping', timeout: DAY, grace: HOUR, channels: '*' })
    const turns = async (count: number) => {
      for (let index = 0; index < count; index++) {
        await ping(id, index % 2 === 0 ? '' : '/fail')
        t.clock.advance({ seconds: HOUR })
      }
    }
    await ping(id, '/silence?for=150m')
    await turns(12)
    await look()
    const [advice] = (await stored(id)).advice
    expect(advice?.kind).toBe('flapping')
    expect(advice?.says[0]).toBe('6 of the last 12 runs failed: 11 changes and 9 messages in ')
    expect(await kinds(id)).toEqual(['flapping'])
  })

  test('is measured', async () => {
    await t.close()
    t = await testApp({ env: { METRICS_KEY: 'key' } })
    await create({ name: 'lonely', timeout: HOUR, channels: '' })
    t.clock.advance({ seconds: 2 * DAY })
    await look()
    const text = await (await t.call('GET', '/metrics', { headers: { Authorization: 'Bearer key' } })).text()
    expect(text).toContain('overdue_advice{kind="untold"} 1\n')
    expect(text).toContain('overdue_advice{kind="zone"} 0\n')
    expect(text).toContain('overdue_advice_looks_total 1\n')
  })
})
