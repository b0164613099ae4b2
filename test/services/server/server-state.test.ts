/** State of this server on the first page. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Measurements } from '../../../src/services/common/ports/measurements.ts'
import { readServerState } from '../../../src/services/server/server-state.ts'
import { at, NOON } from '../../support/builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let seconds = 100
beforeEach(async () => {
  seconds = 100
  t = await testApp()
})
afterEach(() => t.close())

const read = (measurements = new Measurements()) =>
  readServerState({ ...t.app.deps, measurements, stopwatch: () => seconds })

const run = { dueAt: null, startedAt: NOON, endedAt: NOON, hasFailed: false }

test('a server watches while its loop runs well often enough', async () => {
  const measurements = new Measurements()
  expect(await read(measurements)).toMatchObject({ isWatching: false, lastLookAt: null })
  const loop = measurements.startLoop('overdue', 100, 30)
  expect(await read(measurements)).toMatchObject({ isWatching: true, lastLookAt: null })
  loop.record(run, 110)
  seconds = 139
  expect(await read(measurements)).toMatchObject({ isWatching: true, lastLookAt: at('11:59:31') })
  loop.record({ ...run, hasFailed: true }, 139)
  seconds = 140
  expect(await read(measurements)).toMatchObject({ isWatching: false, lastLookAt: at('11:59:30') })
})

test('an outage is told for a day', async () => {
  const outage = { from: at('10:00'), until: at('11:00') }
  await t.app.deps.store.server.recordAlive(at('11:00'), outage)
  expect((await read()).outage).toEqual(outage)
  t.clock.advance({ hours: 23 })
  expect((await read()).outage).toEqual(outage)
  t.clock.advance({ seconds: 1 })
  expect((await read()).outage).toBeNull()
})

test('a failed backup is told until the next one succeeds', async () => {
  expect((await read()).backup).toBeNull()
  const { server } = t.app.deps.store
  const measurements = new Measurements({ inFile: true })
  expect((await read(measurements)).backup).toEqual({ newest: null, failedAt: null, isOld: false })
  const newest = { at: at('03:00'), bytes: 212_000_000, seconds: 3, file: '/b/o.db' }
  await server.recordBackup(newest)
  await server.recordBackupFailure({ at: at('04:00'), reason: 'the disk is full' })
  expect((await read(measurements)).backup).toEqual({ newest, failedAt: at('04:00'), isOld: false })
  const next = { ...newest, at: at('05:00') }
  await server.recordBackup(next)
  expect((await read(measurements)).backup).toEqual({ newest: next, failedAt: null, isOld: false })
})

test('a backup is old when there was none for a week, also if there never was one', async () => {
  const measurements = new Measurements({ inFile: true })
  t.clock.advance({ hours: 168 })
  expect((await read(measurements)).backup?.isOld).toBe(false)
  t.clock.advance({ seconds: 1 })
  expect((await read(measurements)).backup?.isOld).toBe(true)
  await t.app.deps.store.server.recordBackup({ at: t.clock.now(), bytes: 1, seconds: null, file: '/b/o.db' })
  expect((await read(measurements)).backup?.isOld).toBe(false)
})
