/** Connections to a PostgreSQL, and transactions that wait for one. Runs with TEST_ENGINE=postgres. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { databaseAddress } from '../../../../../src/config/database-address.ts'
import { CHECK_FIELDS } from '../../../../../src/domain/check/fields.ts'
import { LIST_WITH_CHANNELS } from '../../../../../src/store/checks/checks.ts'
import type { Purpose } from '../../../../../src/store/engine/postgres/connection/pools.ts'
import { PostgresServer } from '../../../../../src/store/engine/postgres/connection/server.ts'
import { ENGINE, testDatabase } from '../../../../support/databases.ts'
import type { TestDatabase } from '../../../../support/opened-stores.ts'
import { refusalOf } from '../../../../support/store-builders.ts'

if (ENGINE === 'postgres') {
  let made: TestDatabase
  let server: PostgresServer
  beforeEach(async () => {
    made = await testDatabase()
    const address = databaseAddress(made.url)
    if (address.engine !== 'postgres') throw new Error(`${made.url} is no PostgreSQL`)
    server = new PostgresServer({ address, name: 'test', connections: 4, onFault: () => {} })
    await server.start()
  })
  afterEach(async () => {
    await server.close()
    await made.remove()
  })

  const ask = (purpose: Purpose) => server.use(purpose, (session) => session.query('SELECT 1 AS one', []))

  test('pings are refused when no connection of theirs gets free, and other work goes on meanwhile', async () => {
    const gate = Promise.withResolvers<void>()
    const holding = server.use('pings', () => gate.promise)
    const refused = refusalOf(ask('pings'))
    for (const purpose of ['others', 'read'] as const) expect([...(await ask(purpose))]).toEqual([{ one: 1 }])
    expect(await refused).toMatchObject({
      code: 'unavailable',
      data: { reason: 'too many requests wait for the database' },
    })
    gate.resolve()
    await holding
    expect([...(await ask('pings'))]).toEqual([{ one: 1 }])
  })

  test('a list is read by indexes, even if its tables were small when PostgreSQL looked at them last', async () => {
    const fields = Object.values(CHECK_FIELDS).map(({ column, initial }) => [column, initial === false ? 0 : initial])
    const settings = JSON.stringify(Object.fromEntries(fields))
    await server.useAlone(async (session) => {
      await session.script(`
        INSERT INTO projects (id, name, badge_key, ping_log_limit, created_at) VALUES ('p', 'p', 'p', 100, 0);
        INSERT INTO counters (counter_id, n_pings) SELECT k, 0 FROM generate_series(1, 20) AS k;
        INSERT INTO checks SELECT (jsonb_populate_record(NULL::checks, jsonb_build_object(
          'id', k::text, 'project_id', 'p', 'status', 'new', 'n_events', 0, 'badge_key', k::text, 'unique_key', k::text,
          'created_at', k, 'counter_id', k, 'public_id', k::text) || '${settings}'
        )).* FROM generate_series(1, 20) AS k;
        ANALYZE`)
    })
    const steps = await server.use('read', (session) => session.query(`EXPLAIN ${LIST_WITH_CHANNELS}`, ['p', 0]))
    const plan = steps.map((step) => step['QUERY PLAN']).join('\n')
    expect(plan).toContain('checks_of_project')
    expect(plan).toContain('counters_pkey')
    expect(plan).not.toMatch(/Hash|Seq Scan|Sort/)
  })
}
