/** Two processes write pings to the same checks at the same time: none is lost, counted twice, or waits for ever. */

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import { environment } from '../../test/support/environment.ts'
import { serve } from '../../test/support/served.ts'
import { createWebhook } from '../support/channels.ts'
import { client } from '../support/client.ts'
import { byEffort } from '../support/effort.ts'
import { fixture } from '../support/fixture.ts'
import { SEED } from '../support/seed.ts'
import { startDatabase } from './support/database.ts'
import type { Written } from './support/writer.ts'

const CHECKS = 300
const WRITERS = 2
const BATCHES = byEffort({ short: 1_000, full: 10_000, long: 100_000 })

const s = fixture()

async function write(databaseUrl: string, seed: number, checks: readonly string[]): Promise<Written> {
  const script = join(import.meta.dir, 'support/writer.ts')
  const words = [process.execPath, script, databaseUrl, String(BATCHES / WRITERS), String(seed), ...checks]
  const child = Bun.spawn(words, { env: environment({}), stdout: 'pipe', stderr: 'inherit' })
  s.atEnd(() => child.kill('SIGKILL'))
  return JSON.parse(await child.stdout.text())
}

/** Stores a project with a channel and the checks, which alert it. @returns the ids of the checks */
async function prepare(databaseUrl: string): Promise<string[]> {
  const served = await serve({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' })
  try {
    const c = await client(databaseUrl, served.baseUrl)
    await createWebhook(databaseUrl, c.projectId, 'https://example.org/', 'pager')
    const create = (_: unknown, index: number) => c.createCheck({ name: `check ${index}`, channels: '*' })
    return await Promise.all(Array.from({ length: CHECKS }, create))
  } finally {
    await served.stop()
  }
}

test(`${WRITERS} processes, ${BATCHES} batches on ${CHECKS} checks`, async () => {
  const database = await startDatabase({ settings: { synchronous_commit: 'off' } })
  s.atEnd(() => database.cluster.remove())
  const checks = await prepare(database.url)
  const began = performance.now()
  const written = await Promise.all(
    Array.from({ length: WRITERS }, (_, index) => write(database.url, SEED * WRITERS + index, checks)),
  )
  const acknowledged = written.reduce((sum, one) => sum + one.acknowledged, 0)
  const seconds = (performance.now() - began) / 1_000
  const refused = written.reduce((sum, one) => sum + one.refused, 0)
  process.stdout.write(
    `${BATCHES} batches of ${WRITERS} processes: ${acknowledged} pings in ${seconds.toFixed(1)} s, ${refused} batches refused\n`,
  )
  expect(written.flatMap(({ errors }) => errors)).toEqual([])
  expect(acknowledged).toBeGreaterThan(2 * BATCHES)

  await using sql = new SQL(database.url)
  const figures = async (statement: string) => (await sql.unsafe(statement).values()).flat().map(Number)
  expect(await figures('SELECT sum(n_pings) FROM counters')).toEqual([acknowledged])
  expect(await figures('SELECT count(*) FROM pings')).toEqual([acknowledged])
  // Numbers are distinct by the key, so a log of so many entries up to that number has no hole.
  const holes = `SELECT count(*) FROM (
    SELECT n_pings FROM checks JOIN counters USING (counter_id) LEFT JOIN pings ON check_id = checks.id
    GROUP BY checks.id, n_pings HAVING max(n) <> n_pings OR count(*) <> n_pings) AS logs`
  expect(await figures(holes)).toEqual([0])
  const broken = `SELECT count(*) FROM (
    SELECT new_status, lead(old_status, 1, status) OVER (PARTITION BY checks.id ORDER BY n) AS next,
      n_events - count(*) OVER (PARTITION BY checks.id) AS missing
    FROM checks JOIN events ON check_id = checks.id) AS chain WHERE new_status <> next OR missing <> 0`
  expect(await figures(broken)).toEqual([0])
  const [flips = 0] = await figures('SELECT count(*) FROM events')
  expect(flips).toBeGreaterThan(CHECKS)
  await sql`SELECT pg_stat_clear_snapshot()`
  expect(await figures(`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`)).toEqual([0])
}, 300_000)
