/** DATABASE_URL names several hosts, and another one begins to accept writes; or the only one stops accepting them. */
import { expect, test } from 'bun:test'
import { freePort } from '../../test/support/free-port.ts'
import { fixture } from '../support/fixture.ts'
import { type PostgresDatabase, startDatabase } from './support/database.ts'
import { promote, startStandby } from './support/standby.ts'
import { underLoad } from './support/trial.ts'

const s = fixture()

async function primary(): Promise<PostgresDatabase> {
  const database = await startDatabase()
  s.atEnd(() => database.cluster.remove())
  return database
}

async function pair() {
  const first = await primary()
  const second = await startStandby(first)
  s.atEnd(() => second.cluster.remove())
  return { first, second }
}

test('a host that is down is passed over', async () => {
  const database = await primary()
  const databaseUrl = database.urlThrough(freePort(), database.cluster.port)
  const t = await underLoad({ database, databaseUrl, atEnd: s.atEnd })
  await database.cluster.stop('fast')
  await t.untilRefused()
  await database.cluster.start()
  await t.expectRecovery('restart of the second of two hosts')
}, 90_000)

test('a standby is passed over, and found once it takes the place of the first', async () => {
  const { first, second } = await pair()
  const databaseUrl = second.urlThrough(second.cluster.port, first.cluster.port)
  const t = await underLoad({ database: first, databaseUrl, atEnd: s.atEnd })
  await first.cluster.stop('immediate')
  await t.untilRefused()
  await t.expectTold('standby')
  await promote(second)
  await t.expectRecovery('switch to the standby', second)
}, 90_000)

test('a standby that takes over while the first one is paused is found, and nothing is written to the first', async () => {
  const { first, second } = await pair()
  const databaseUrl = first.urlThrough(first.cluster.port, second.cluster.port)
  const t = await underLoad({ database: first, databaseUrl, atEnd: s.atEnd })
  first.cluster.signal('SIGSTOP')
  await t.untilRefused()
  await promote(second)
  await t.expectRecovery('switch while the first is paused', second)
}, 90_000)

test('without its standby the database never answers a commit: pings are refused until it is back', async () => {
  const { first, second } = await pair()
  const t = await underLoad({ database: first, atEnd: s.atEnd })
  await second.cluster.stop('fast')
  await t.untilRefused()
  await t.expectTold('standby')
  await Bun.sleep(8_000)
  const [row] = await first.asSuperuser<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE usename = 'app'`,
  )
  expect(Number(row?.count)).toBeLessThan(30)
  await second.cluster.start()
  await t.expectRecovery('no synchronous standby')
}, 90_000)

test('a database that was made read only refuses pings until it accepts writes', async () => {
  const database = await primary()
  const t = await underLoad({ database, atEnd: s.atEnd })
  await database.asSuperuser('ALTER SYSTEM SET default_transaction_read_only = on')
  await database.asSuperuser('SELECT pg_reload_conf()')
  await t.untilRefused()
  await t.expectTold('does not accept writes')
  await database.asSuperuser('ALTER SYSTEM SET default_transaction_read_only = off')
  await database.asSuperuser('SELECT pg_reload_conf()')
  await t.expectRecovery('read only')
}, 90_000)
