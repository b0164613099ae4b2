/** Messages about a lost PostgreSQL, and long work on it. */
import { expect, test } from 'bun:test'
import { databaseAddress } from '../../src/config/database-address.ts'
import { PostgresServer } from '../../src/store/engine/postgres/connection/server.ts'
import { refusingServer } from '../../test/support/postgres/refusing-server.ts'
import { rejection } from '../../test/support/store-builders.ts'
import { eventually } from '../support/eventually.ts'
import { fixture } from '../support/fixture.ts'
import { type PostgresDatabase, startDatabase } from './support/database.ts'
import { openNetwork } from './support/network.ts'

/** Work longer than the silence after which the server checks the connection. */
const LONG_SECONDS = 3
/** Limit for noticing that nothing answers, with a margin for a loaded machine. */
const GIVEN_UP_WITHIN_MS = 8_000

const s = fixture()

async function startEmpty(): Promise<PostgresDatabase> {
  const database = await startDatabase()
  s.atEnd(() => database.cluster.remove())
  return database
}

async function connected(url: string) {
  const told: (string | null)[] = []
  const address = databaseAddress(url)
  if (address.engine !== 'postgres') throw new Error(`${url} is no PostgreSQL`)
  const onFault = (words: string | null) => void told.push(words)
  const server = new PostgresServer({ address, name: 'test', connections: 4, onFault })
  s.atEnd(() => server.close())
  await server.start()
  return { server, told }
}

test('an outage is told again when its reason changes, and each reason once', async () => {
  const database = await startEmpty()
  const { server, told } = await connected(database.url)
  const has = (words: string) => eventually(words, () => told.some((line) => line?.includes(words)))
  const isFound = () =>
    server
      .use('others', (session) => session.query('SELECT 1', []))
      .then(
        () => true,
        () => false,
      )
  await database.cluster.stop('immediate')
  await isFound()
  await has('nothing accepts connections there')
  for (let round = 0; round < 2; round += 1) {
    const refusing = refusingServer('28P01', 'password authentication failed', database.cluster.port)
    await has('refuses this user or password')
    await Bun.sleep(500)
    refusing[Symbol.dispose]()
    await Bun.sleep(500)
  }
  await database.cluster.start()
  await eventually('the database is found', isFound)
  expect(told.at(-1)).toBeNull()
  expect(new Set(told).size).toBe(told.length)
}, 60_000)

test('long work is not given up while PostgreSQL is there, however long it is silent', async () => {
  const { server, told } = await connected((await startEmpty()).url)
  const rows = await server.useAlone((session) => session.query(`SELECT pg_sleep(${LONG_SECONDS}), 1 AS one`, []))
  expect(rows[0]?.one).toBe(1)
  expect(told).toEqual([])
}, 60_000)

test('long work fails when PostgreSQL is lost in the middle of it', async () => {
  const database = await startEmpty()
  const network = await openNetwork({ host: '127.0.0.1', port: database.cluster.port })
  s.atEnd(() => network.close())
  const { server, told } = await connected(database.urlThrough(network.port))
  const began = performance.now()
  const failed = rejection(server.useAlone((session) => session.query('SELECT pg_sleep(60)', [])))
  await Bun.sleep(500)
  network.lose()
  expect(String(await failed)).toContain('losed')
  expect(performance.now() - began).toBeLessThan(GIVEN_UP_WITHIN_MS)
  expect(told[0]).toContain('does not answer')
}, 60_000)

test('long work fails when the network is lost before it has its connection', async () => {
  const database = await startEmpty()
  const network = await openNetwork({ host: '127.0.0.1', port: database.cluster.port })
  s.atEnd(() => network.close())
  const { server } = await connected(database.urlThrough(network.port))
  network.lose()
  const began = performance.now()
  await rejection(server.useAlone((session) => session.query('SELECT 1', [])))
  expect(performance.now() - began).toBeLessThan(GIVEN_UP_WITHIN_MS)
}, 60_000)
