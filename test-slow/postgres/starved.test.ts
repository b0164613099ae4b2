/**
 * Long lists are read all the time, or cannot be read at all: pings do not wait for them. Runs alone: it measures the duration of pings
 * while it loads the machine.
 */
import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { TRY_AGAIN } from '../support/client.ts'
import { fixture } from '../support/fixture.ts'
import { type PostgresDatabase, startDatabase } from './support/database.ts'
import { underLoad } from './support/trial.ts'

const CHECKS = 20_000
const READERS = 8
const READING_MS = 10_000
/** Limit for a read: PostgreSQL's time for a statement that reads, with a margin for a loaded machine. */
const READ_WITHIN_MS = 15_000

const s = fixture()

async function start() {
  const database = await startDatabase()
  s.atEnd(() => database.cluster.remove())
  return { database, t: await underLoad({ database, atEnd: s.atEnd }) }
}

/** Adds copies of a check that was never pinged. PostgreSQL does not analyze the tables afterwards. */
async function addChecks(database: PostgresDatabase, count: number): Promise<void> {
  const copy = (table: string, changes: string) => `
    INSERT INTO ${table} SELECT fresh.* FROM (SELECT * FROM ${table} ORDER BY counter_id LIMIT 1) AS one,
      generate_series(1, ${count}) AS k,
      jsonb_populate_record(NULL::${table}, to_jsonb(one) || jsonb_build_object(${changes})) AS fresh`
  await database.asSuperuser(copy('counters', `'counter_id', 1000000 + k, 'n_pings', 0`), 'app')
  const id = `('10000000-0000-4000-8000-' || lpad(k::text, 12, '0'))`
  const distinct = `'id', ${id}, 'badge_key', ${id}, 'unique_key', md5(${id}), 'public_id', md5(${id})`
  const fresh = `'created_at', created_at + 1000000 + k, 'status', 'new', 'n_events', 0, 'alert_after', NULL`
  await database.asSuperuser(copy('checks', `${distinct}, 'counter_id', 1000000 + k, ${fresh}`), 'app')
}

test(`${READERS} readers of ${CHECKS} checks let no ping fail`, async () => {
  const { database, t } = await start()
  await addChecks(database, CHECKS)
  const from = performance.now()
  let lists = 0
  const read = async () => {
    while (performance.now() - from < READING_MS) {
      const answer = await t.get('checks/')
      const { checks } = (await answer.json()) as { checks: unknown[] }
      expect(checks).toHaveLength(t.checks.length + CHECKS)
      lists += 1
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
  const times = t.load.pings.filter(({ sentAt }) => sentAt >= from).map(({ sentAt, answeredAt }) => answeredAt - sentAt)
  const at = (part: number) => (times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0).toFixed(0)
  process.stdout.write(`${lists} lists, ${times.length} pings: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`)
  await t.expectRecovery('long lists')
  expect(t.load.pings.filter(({ answer }) => answer !== '200 OK')).toEqual([])
}, 120_000)

test('a table that somebody keeps locked fails pings and reads in time, and nothing is left of it afterwards', async () => {
  const { database, t } = await start()
  await using sql = new SQL(database.cluster.tcpUrl('app'), { max: 1 })
  await sql.begin(async (locked) => {
    await locked`LOCK TABLE counters IN ACCESS EXCLUSIVE MODE`
    await t.untilRefused()
    const began = performance.now()
    const answers = await Promise.all([1, 2].map(() => t.get('checks/')))
    for (const answer of answers) expect([answer.status, await answer.json()]).toEqual([503, { error: TRY_AGAIN }])
    expect(performance.now() - began).toBeLessThan(READ_WITHIN_MS)
    expect(t.served.logs()).toContain('another transaction keeps')
  })
  await t.expectRecovery('a locked table')
}, 90_000)
