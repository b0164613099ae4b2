/** PostgreSQL has few connections: Overdue takes no more than it may, and reports it when it gets none. */

import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { serve } from '../../test/support/served.ts'
import { rejection } from '../../test/support/store-builders.ts'
import { eventually } from '../support/eventually.ts'
import { fixture } from '../support/fixture.ts'
import { PASSWORD, type PostgresDatabase, startDatabase } from './support/database.ts'
import { underLoad } from './support/trial.ts'

const MOST = 20
const ALLOWED = 5

const s = fixture()

async function startSmall(): Promise<PostgresDatabase> {
  const database = await startDatabase({ settings: { max_connections: String(MOST), max_wal_senders: '2' } })
  s.atEnd(() => database.cluster.remove())
  return database
}

async function connectionsOf(database: PostgresDatabase): Promise<number> {
  const [row] = await database.asSuperuser<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE usename = 'app'`,
  )
  return Number(row?.count)
}

/** Resolves when all present connections of the server have ended. */
async function endConnections(database: PostgresDatabase): Promise<void> {
  const ended = await database.asSuperuser<{ pid: number }>(
    `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'`,
  )
  const pids = ended.map(({ pid }) => pid)
  await eventually('the connections have ended', async () => {
    const rows = await database.asSuperuser<{ pid: number }>('SELECT pid FROM pg_stat_activity')
    return !rows.some(({ pid }) => pids.includes(pid))
  })
}

/** Takes all connections, as other programs may do. @returns a function that releases them */
async function takeAll(database: PostgresDatabase): Promise<() => Promise<void>> {
  const taken: SQL[] = []
  const give = async () => {
    for (const sql of taken.splice(0)) await sql.close({ timeout: 0 })
  }
  s.atEnd(give)
  const take = async (): Promise<SQL> => {
    const sql = new SQL(database.cluster.tcpUrl('postgres'), { max: 1, connectionTimeout: 5 })
    taken.push(sql)
    await sql`SELECT 1`
    return sql
  }
  const first = await take()
  // Keeps the server from connecting first.
  await first`ALTER ROLE app CONNECTION LIMIT 0`
  await first`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'`
  while (
    await take().then(
      () => true,
      () => false,
    )
  ) {}
  expect(taken.length).toBeGreaterThan(MOST / 2)
  await first`ALTER ROLE app CONNECTION LIMIT -1`
  return give
}

test('a server under load never has more than DATABASE_CONNECTIONS', async () => {
  const database = await startSmall()
  const t = await underLoad({ database, atEnd: s.atEnd, settings: { DATABASE_CONNECTIONS: String(ALLOWED) } })
  const lists = ['checks/', 'badges/', `checks/${t.checks[0]}/pings/`]
  const counts: number[] = []
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 30 }, (_, index) => t.get(lists[index % lists.length] ?? '')))
    counts.push(await connectionsOf(database))
  }
  process.stdout.write(`connections with ${ALLOWED} allowed: ${Math.min(...counts)} to ${Math.max(...counts)}\n`)
  expect(Math.max(...counts)).toBeLessThanOrEqual(ALLOWED)
  await t.expectRecovery('a limit of connections')
  expect(t.load.pings.filter(({ answer }) => answer !== '200 OK')).toEqual([])
}, 90_000)

test('connections that others have taken are told of, and pings succeed once they are given back', async () => {
  const database = await startSmall()
  const t = await underLoad({ database, atEnd: s.atEnd })
  const giveBack = await takeAll(database)
  await t.untilRefused()
  await t.expectTold('too many connections')
  await Bun.sleep(1_000)
  await giveBack()
  await t.expectRecovery('connections exhausted')
}, 90_000)

test('fewer connections than allowed go to pings first, and the rest is told of', async () => {
  const database = await startSmall()
  const t = await underLoad({ database, atEnd: s.atEnd })
  await database.asSuperuser('ALTER ROLE app CONNECTION LIMIT 3')
  await endConnections(database)
  await t.untilAcknowledged()
  const from = performance.now()
  await t.expectTold('too many connections')
  await Bun.sleep(2_000)
  expect(await connectionsOf(database)).toBeLessThanOrEqual(3)
  expect(t.load.pings.filter(({ sentAt, answer }) => sentAt >= from && answer !== '200 OK')).toEqual([])
  await database.asSuperuser('ALTER ROLE app CONNECTION LIMIT -1')
  await t.expectRecovery('three connections')
}, 90_000)

test('a server that gets no connection does not start, and says why', async () => {
  const database = await startSmall()
  await database.asSuperuser('ALTER ROLE app CONNECTION LIMIT 0')
  const message = String(await rejection(serve({ DATABASE_URL: database.url })))
  expect(message).toContain('PostgreSQL has too many connections')
  expect(message).toContain('DATABASE_CONNECTIONS')
  expect(message).not.toContain(PASSWORD)
}, 90_000)
