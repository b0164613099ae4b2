/** A timing that is tried before it is saved: the data read for it, and the division of the work. */

import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { changedTiming, type TimingSpec } from '../../../src/domain/preview/schedule-preview.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { EventLoopYield } from '../../../src/lib/work/event-loop-yield.ts'
import { previewSchedule } from '../../../src/services/advice/schedule-preview.ts'
import { getCheck, pauseCheck } from '../../../src/services/checks/checks.ts'
import { setPingLogLimit } from '../../../src/services/projects/projects.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let id: string
beforeEach(async () => {
  t = await testApp()
  const json = { schedule: '0 * * * *', grace: 600 }
  id = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })).uuid
})
afterEach(() => t.close())

const check = async (): Promise<Check> => (await getCheck(t.app.deps, t.actor, id)).check
const tried = async (spec: TimingSpec = {}, actor = t.actor) => {
  const found = await check()
  return previewSchedule(t.app.deps, actor, found, changedTiming(found, spec), [])
}
const ping = (path = '') => t.call('POST', `/ping/${id}${path}`)

async function runHourly(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    t.clock.advance({ hours: 1 })
    await ping()
  }
}

test('a check without a run is not judged', async () => {
  await ping('/log')
  await ping('/start')
  expect(await tried()).toMatchObject({ words: 'Every hour', replay: null, suggestion: null })
})

test('no more runs are judged than the strip of a check shows, and no more pings than the project keeps', async () => {
  await runHourly(40)
  expect((await tried()).replay?.runs.map(({ n }) => n)).toEqual(Array.from({ length: 30 }, (_, index) => index + 11))
  const project = await setPingLogLimit(t.app.deps, t.actor, 5)
  expect((await tried({}, { ...t.actor, project })).replay?.runs.map(({ n }) => n)).toEqual([36, 37, 38, 39, 40])
})

test('what is proposed may be in the zone of the check, while another one is tried', async () => {
  const json = { schedule: '0 3 * * *', tz: 'Europe/Riga', grace: 600 }
  id = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })).uuid
  const night = Temporal.ZonedDateTime.from('2026-03-16T03:01[Europe/Riga]')
  for (let day = 0; day < 28; day++) {
    t.clock.set(night.add({ days: day }).toInstant().toString())
    await ping()
  }
  const { suggestion } = await tried({ tz: 'Asia/Tokyo' })
  expect(suggestion?.advice.kind).toBe('zone')
  expect(suggestion?.timing).toMatchObject({ schedule: '0 3 * * *', tz: 'Europe/Riga', graceSeconds: 600 })
})

test('bodies are not read', async () => {
  await runHourly(3)
  const { store } = t.app.deps
  const withoutBodies: typeof store.pings.readLog = (checkId, before, limit, bytes) => {
    expect(bytes).toBe(0)
    return store.pings.readLog(checkId, before, limit, bytes)
  }
  const deps = {
    ...t.app.deps,
    store: replaced(store, { pings: { readLog: withoutBodies } }),
  }
  const found = await check()
  const { replay } = await previewSchedule(deps, t.actor, found, changedTiming(found, {}), [])
  expect(replay?.onTime).toBe(3)
})

test('nothing is missing while the check was paused', async () => {
  await runHourly(3)
  t.clock.advance({ minutes: 1 })
  await pauseCheck(t.app.deps, t.actor, await check())
  t.clock.advance({ hours: 12 })
  await runHourly(3)
  expect((await tried()).replay).toMatchObject({ missing: 0, late: 0 })
  expect((await tried({ timeout: 600, grace: 60 })).replay?.missing).toBeGreaterThan(0)
})

test('a period counts from the last success or failure, or from now when the next run is overdue', async () => {
  await runHourly(1)
  t.clock.advance({ minutes: 20 })
  const next = async () => (await tried({ timeout: 3_600 })).next.map(String)
  expect((await next()).slice(0, 2)).toEqual(['2026-03-04T14:00:00Z', '2026-03-04T15:00:00Z'])
  t.clock.advance({ minutes: 50 })
  expect((await next()).slice(0, 2)).toEqual(['2026-03-04T15:10:00Z', '2026-03-04T16:10:00Z'])
})

test('a schedule that ends has fewer than six runs', async () => {
  expect((await tried({ schedule: '2026-03-05' })).next.map(String)).toEqual(['2026-03-05T00:00:00Z'])
  expect((await tried({ schedule: '2020-01-01' })).next).toEqual([])
})

test('the work is done in steps, so that pings come in between', async () => {
  await runHourly(30)
  const eventLoop = new EventLoopYield()
  let steps = 0
  const step = eventLoop.step.bind(eventLoop)
  eventLoop.step = (work) => {
    steps += 1
    return step(work)
  }
  const found = await check()
  await previewSchedule({ ...t.app.deps, eventLoop }, t.actor, found, changedTiming(found, {}), [])
  expect(steps).toBe(6)
})
