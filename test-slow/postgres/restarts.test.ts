/** PostgreSQL is restarted, or crashes: pings get 503, no acknowledged ping is lost, and the server continues by itself. */
import { expect, test } from 'bun:test'
import { fixture } from '../support/fixture.ts'
import { startDatabase } from './support/database.ts'
import { underLoad } from './support/trial.ts'

const s = fixture()

async function trial() {
  const database = await startDatabase()
  s.atEnd(() => database.cluster.remove())
  return { database, t: await underLoad({ database, atEnd: s.atEnd }) }
}

test('stopped in order and started again', async () => {
  const { database, t } = await trial()
  await database.cluster.stop('fast')
  await t.untilRefused()
  await t.expectTold('check that PostgreSQL runs')
  await Bun.sleep(2_000)
  await database.cluster.start()
  await t.expectRecovery('restart')
}, 90_000)

test('stopped at once, as by a crash, and started again', async () => {
  const { database, t } = await trial()
  await database.cluster.stop('immediate')
  await t.untilRefused()
  await t.expectTold('check that PostgreSQL runs')
  await Bun.sleep(2_000)
  await database.cluster.start()
  await t.expectRecovery('immediate stop')
}, 90_000)

test('restarted at once, as for an update', async () => {
  const { database, t } = await trial()
  await database.cluster.stop('fast')
  await database.cluster.start()
  await t.expectRecovery('restart without a pause')
}, 90_000)

test('the connections are ended one after the other by an administrator', async () => {
  const { database, t } = await trial()
  const backends = await database.asSuperuser<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE datname = 'app'`)
  expect(backends.length).toBeGreaterThan(0)
  for (const { pid } of backends) {
    await database.asSuperuser(`SELECT pg_terminate_backend(${pid})`)
    await Bun.sleep(200)
  }
  await t.expectRecovery('connections ended')
}, 90_000)

test('a process of the database is killed, after which all recover together', async () => {
  const { database, t } = await trial()
  const [backend] = await database.asSuperuser<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = 'app' ORDER BY backend_start LIMIT 1`,
  )
  if (backend === undefined) throw new Error('the server has no connection')
  process.kill(backend.pid, 'SIGKILL')
  await t.untilRefused()
  await database.untilAnswers()
  await t.expectRecovery('one process killed')
}, 90_000)
