import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { version } from '../../../package.json'
import { createApp } from '../../../src/app/app.ts'
import { createDeps } from '../../../src/app/deps.ts'
import { readConfig } from '../../../src/config/config.ts'
import { formatFamilies } from '../../../src/domain/metrics/exposition.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import type { Deps } from '../../../src/services/common/deps.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { createHeartbeat } from '../../../src/services/server/outage.ts'
import { collectServerMetrics } from '../../../src/services/server/server-metrics.ts'
import { readExposition } from '../../domain/support/exposition-reader.ts'
import { briefDatabase } from '../../support/databases.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { webhook } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

async function restarted(env: Readonly<Record<string, string>>): Promise<TestApp> {
  await t.close()
  return testApp({ env })
}

/** Returns the values by name and labels: `name` or `name a b`. */
async function read(deps: Deps = t.app.deps): Promise<Record<string, number>> {
  const samples = readExposition(formatFamilies(await collectServerMetrics(deps)))
  return Object.fromEntries(
    samples.map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(' '), Number(value)]),
  )
}

const createCheck = async (json: object = {}) =>
  (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })).uuid

describe('pings', () => {
  test('are counted by result', async () => {
    const [uuid, key] = [await createCheck({ slug: 'a' }), t.keys.pingKey]
    await createCheck({ slug: 'b' })
    await createCheck({ slug: 'b' })
    const paths = [uuid, uuid, `${uuid}/300`, crypto.randomUUID(), `${key}/a`, `${key}/b`, `${key}/new?create=1`]
    for (const path of paths) await t.call('GET', `/ping/${path}`)
    expect(await read()).toMatchObject({
      'overdue_pings_total ok': 3,
      'overdue_pings_total created': 1,
      'overdue_pings_total rejected': 1,
      'overdue_pings_total not-found': 1,
      'overdue_pings_total ambiguous': 1,
      'overdue_pings_total failed': 0,
      overdue_commit_batch_size_count: 7,
    })
  })

  test('that could not be written are counted as failed, and their commit is not', async () => {
    const config = readConfig({ DATABASE_URL: (await briefDatabase()).url })
    const deps = await createDeps(config, () => {})
    const app = createApp(config, {
      ...deps,
      store: replaced(deps.store, { pings: { commit: () => Promise.reject(new Error('no')) } }),
    })
    await app.handle(new Request(`http://localhost/ping/${crypto.randomUUID()}`))
    expect(await read(app.deps)).toMatchObject({
      'overdue_pings_total ok': 0,
      'overdue_pings_total failed': 1,
      overdue_commit_duration_seconds_count: 0,
    })
    await app.stop()
  })

  test('that are written together are one commit, as long as it took', async () => {
    let seconds = 0
    const config = readConfig({ DATABASE_URL: (await briefDatabase()).url })
    // The stopwatch is read before a commit and after it.
    const deps = await createDeps(config, () => {}, { stopwatch: () => (seconds += 0.02) })
    const app = createApp(config, deps)
    const { keys } = await createProject(app.deps, 'P')
    const ping = (slug: string) => app.handle(new Request(`http://localhost/ping/${keys.pingKey}/${slug}?create=1`))
    await Promise.all(['a', 'b', 'c'].map(ping))
    await ping('a')
    const metrics = await read(app.deps)
    expect(metrics.overdue_commit_duration_seconds_sum).toBeCloseTo(0.04)
    expect(metrics).toMatchObject({
      'overdue_commit_batch_size_bucket 1': 1,
      'overdue_commit_batch_size_bucket 2': 1,
      'overdue_commit_batch_size_bucket 4': 2,
      overdue_commit_batch_size_sum: 4,
      'overdue_commit_duration_seconds_bucket 0.01': 0,
      'overdue_commit_duration_seconds_bucket 0.025': 2,
      overdue_commit_duration_seconds_count: 2,
    })
    await app.stop()
  })
})

test('loops are measured by name: lag, last run, failures', async () => {
  const figures = t.app.deps.measurements.startLoop('overdue', 0, 30)
  expect(await read()).not.toHaveProperty('overdue_loop_last_run_timestamp_seconds overdue')
  const dueAt = t.clock.now()
  const startedAt = t.clock.advance({ milliseconds: 250 })
  figures.record({ dueAt, startedAt, endedAt: startedAt, hasFailed: true }, 1)
  expect(await read()).toMatchObject({
    'overdue_loop_lag_seconds_bucket overdue 0.1': 0,
    'overdue_loop_lag_seconds_bucket overdue 0.5': 1,
    'overdue_loop_lag_seconds_sum overdue': 0.25,
    'overdue_loop_last_run_timestamp_seconds overdue': 1772625600.25,
    'overdue_loop_failures_total overdue': 1,
  })
})

test('deliveries: how many are pending, the age of the oldest, and attempts by result', async () => {
  await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: '', settings: webhook() })
  const uuid = await createCheck({ channels: '*' })
  expect(await read()).toMatchObject({
    overdue_deliveries_pending: 0,
    overdue_deliveries_oldest_pending_seconds: 0,
  })
  await t.call('GET', `/ping/${uuid}/fail`)
  t.clock.advance({ seconds: 40 })
  expect(await read()).toMatchObject({
    overdue_deliveries_pending: 1,
    overdue_deliveries_oldest_pending_seconds: 40,
  })
  t.answerWith(answered(500))
  await t.app.settle('deliveries')
  t.answerWith(answered(200))
  t.clock.advance({ hours: 1 })
  await t.app.settle('deliveries')
  expect(await read()).toMatchObject({
    overdue_deliveries_pending: 0,
    'overdue_deliveries_total retried webhook': 1,
    'overdue_deliveries_total sent webhook': 1,
    'overdue_deliveries_total failed webhook': 0,
  })
})

test('the last outage is shown once there was one', async () => {
  const { store, now } = t.app.deps
  expect(await read()).not.toHaveProperty('overdue_last_outage_start_timestamp_seconds')
  const from = now()
  const until = t.clock.advance({ hours: 1 })
  await store.server.recordAlive(until, { from, until })
  expect(await read()).toMatchObject({
    overdue_last_outage_start_timestamp_seconds: 1772625600,
    overdue_last_outage_end_timestamp_seconds: 1772629200,
  })
})

test('the servers that live are counted, and this one has a name', async () => {
  t = await restarted({ INSTANCE_NAME: 'east' })
  expect(await read()).toMatchObject({ overdue_instances: 0, 'overdue_instance_info east': 1 })
  await createHeartbeat(t.app.deps)()
  await createHeartbeat({ ...t.app.deps, instance: { id: 'w', name: 'west' } })()
  expect(await read()).toMatchObject({ overdue_instances: 2, overdue_instance_clock_ahead_seconds: 0 })
})

test('the process reports its version, start time, memory and CPU time', async () => {
  const metrics = await read()
  expect(metrics).toMatchObject({
    [`overdue_build_info ${version}`]: 1,
    process_start_time_seconds: 1772625600,
  })
  expect(metrics.process_resident_memory_bytes).toBeGreaterThan(10_000_000)
  expect(metrics.process_cpu_seconds_total).toBeGreaterThan(0)
})

test('the size of the database is given by the parts that its engine has', async () => {
  const { store } = t.app.deps
  const deps = {
    ...t.app.deps,
    store: replaced(store, { server: { size: async () => ({ main: 4_096, other: 512 }) } }),
  }
  const [family] = (await collectServerMetrics(deps)).filter(({ name }) => name === 'overdue_database_size_bytes')
  expect(family?.samples).toEqual([
    { labels: { file: 'main' }, value: 4_096 },
    { labels: { file: 'other' }, value: 512 },
  ])
  expect(Object.keys(await store.server.size())).toContain('main')
})

test('no label contains text from clients', async () => {
  const uuid = await createCheck({ name: 'Secret job', tags: 'secret-tag', slug: 'secret-slug' })
  await t.call('GET', `/ping/${uuid}`, { headers: { 'user-agent': 'secret agent' } })
  const text = formatFamilies(await collectServerMetrics(t.app.deps))
  expect(text).not.toMatch(/secret/i)
  expect(text).not.toContain(uuid)
})
