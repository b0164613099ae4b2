/** The connections of PostgreSQL are few: Overdue takes no more than it was allowed, and says so when it gets none. */
import { SQL } from 'bun'
import { expect, test } from 'bun:test'
import { fixture } from '../support/fixture.ts'
import { type PostgresDatabase, startDatabase } from './support/database.ts'
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

/** Takes all connections that are left, as other programs may do. @returns how to give them back */
async function takeRest(database: PostgresDatabase): Promise<() => Promise<void>> {
  const taken: SQL[] = []
  for (;;) {
    const sql = new SQL(database.cluster.tcpUrl('postgres'), { max: 1, connectionTimeout: 5 })
    try {
      await sql`SELECT 1`
      taken.push(sql)
    } catch {
      await sql.close({ timeout: 0 })
      break
    }
  }
  let given: Promise<unknown> | null = null
  const give = async () => {
    given ??= Promise.all(taken.map((sql) => sql.close({ timeout: 0 })))
    await given
  }
  s.atEnd(give)
  return give
}

test('a server under load never has more than DATABASE_CONNECTIONS', async () => {
  const database = await startSmall()
  const t = await underLoad({ database, atEnd: s.atEnd, settings: { DATABASE_CONNECTIONS: String(ALLOWED) } })
  const pages = ['api/v3/checks/', 'readyz', `api/v3/checks/${t.checks[0]}/pings/`]
  const counts: number[] = []
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 30 }, (_, index) => t.get(pages[index % pages.length] ?? '')))
    counts.push(await connectionsOf(database))
  }
  process.stdout.write(`connections with ${ALLOWED} allowed: ${Math.min(...counts)} to ${Math.max(...counts)}\n`)
  expect(Math.max(...counts)).toBeLessThanOrEqual(ALLOWED)
  await t.expectRecovery('a limit of connections')
  expect(t.load.pings.filter(({ answer }) => answer !== '200 OK')).toEqual([])
}, 90_000)

test('connections that others have taken are told of, and pings succeed once there are some', async () => {
  const database = await startSmall()
  const t = await underLoad({ database, atEnd: s.atEnd })
  await database.asSuperuser(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'`,
  )
  const give = await takeRest(database)
  // The server may have been faster.
  while ((await killOne(database)) > 0) await Bun.sleep(20)
  await t.untilRefused()
  await t.expectTold('too many connections')
  await Bun.sleep(1_000)
  await give()
  await t.expectRecovery('connections exhausted')
}, 90_000)
