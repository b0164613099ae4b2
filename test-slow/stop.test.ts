/**
 * The real program from outside: signals under load, and servers that start at the same moment. Runs alone: it measures the duration of a
 * stop.
 */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { environment } from '../test/support/environment.ts'
import { type Folder, folderOnDisk } from '../test/support/folder.ts'
import { freePort } from '../test/support/free-port.ts'
import { FROM_SOURCE, untilAnswers } from '../test/support/served.ts'
import { client, expectIntact } from './support/client.ts'
import { eventually } from './support/eventually.ts'

/** Limit for a stop. The server takes five seconds at most. Docker kills it after ten. */
const STOPS_WITHIN_MS = 9_000
/** Limit for a stop that does not wait for a lock. A write waits five seconds for one. */
const STOPS_WITHOUT_LOCK_MS = 4_500
/** Limit for an immediate stop, less than the 1.5 seconds after which a stop no longer waits for requests. */
const STOPS_AT_ONCE_MS = 1_400
const CONNECTIONS = 64

let folder: Folder
const children: Bun.Subprocess[] = []
beforeEach(() => {
  folder = folderOnDisk()
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    await child.exited
  }
  folder.remove()
})

function start(databaseUrl = `sqlite:${folder.file('o.db')}`, more: Readonly<Record<string, string>> = {}) {
  const port = freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const settings = { DATABASE_URL: databaseUrl, PORT: String(port), SITE_ROOT: baseUrl, API_RATE_LIMIT: '0' }
  const child = Bun.spawn([...FROM_SOURCE.command, 'serve', '--json'], {
    cwd: FROM_SOURCE.cwd,
    env: environment({ LOG_LEVEL: 'error', ...settings, ...more }),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  children.push(child)
  return { child, baseUrl, databaseUrl, output: child.stdout.text(), errors: child.stderr.text() }
}

async function ready({ child, baseUrl, errors }: ReturnType<typeof start>): Promise<void> {
  await untilAnswers(baseUrl, child).catch(async (error: Error) => {
    child.kill('SIGKILL')
    throw new Error(`${error.message}:\n${await errors}`)
  })
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} under load stops the server in time, and every ping that was answered OK is in the log`, async () => {
    const server = start()
    await ready(server)
    const c = await client(server.databaseUrl, server.baseUrl)
    const checks = await Promise.all(Array.from({ length: 40 }, () => c.createCheck()))
    let isOver = false
    const answers = new Map<string, number>()
    const connection = async (_: unknown, index: number) => {
      for (let sent = index; !isOver; sent += 1) {
        const answer = await c.ping(checks[sent % checks.length] ?? '', `${sent}`).catch(() => 'no answer')
        answers.set(answer, (answers.get(answer) ?? 0) + 1)
        if (answer === 'no answer') break
      }
    }
    const load = Array.from({ length: CONNECTIONS }, connection)
    await Bun.sleep(500)
    const before = performance.now()
    server.child.kill(signal)
    expect(await server.child.exited).toBe(0)
    expect(performance.now() - before).toBeLessThan(STOPS_WITHIN_MS)
    isOver = true
    await Promise.all(load)
    expect([...answers.keys()].toSorted()).toEqual(['200 OK', 'no answer'])
    expect(answers.get('200 OK')).toBeGreaterThan(CONNECTIONS)
    expect(await server.errors).toBe('')
    expectIntact(folder.file('o.db'), c.acknowledged)
  }, 60_000)
}

test.each([0, 1, 3, 5, 10])(
  'a second signal %p ms after the first, as from a terminal and a package runner, does not interrupt the shutdown',
  async (milliseconds) => {
    const server = start()
    await ready(server)
    const c = await client(server.databaseUrl, server.baseUrl)
    expect(await c.ping(await c.createCheck(), 'x')).toBe('200 OK')
    server.child.kill('SIGINT')
    await Bun.sleep(milliseconds)
    server.child.kill('SIGINT')
    server.child.kill('SIGTERM')
    expect([await server.child.exited, server.child.signalCode]).toEqual([0, null])
    expect(existsSync(folder.file('o.db-wal'))).toBe(false)
  },
)

test('an idle server stops without waiting', async () => {
  // In memory, since a disk may be slow.
  const server = start('sqlite::memory:')
  await ready(server)
  const before = performance.now()
  server.child.kill('SIGTERM')
  expect(await server.child.exited).toBe(0)
  expect(performance.now() - before).toBeLessThan(STOPS_AT_ONCE_MS)
})

test('with DRAIN_SECONDS, /healthz fails before the server refuses pings', async () => {
  const server = start('sqlite::memory:', { DRAIN_SECONDS: '2' })
  await ready(server)
  const ask = async (path: string) => (await fetch(`${server.baseUrl}${path}`)).status
  const before = performance.now()
  server.child.kill('SIGTERM')
  await eventually('/healthz fails', async () => (await ask('/healthz')) === 503)
  expect(await ask(`/ping/${crypto.randomUUID()}`)).toBe(404)
  expect(await server.child.exited).toBe(0)
  expect(performance.now() - before).toBeGreaterThan(2_000)
})

test('SIGTERM stops the server in time while another process keeps the database locked', async () => {
  const server = start()
  await ready(server)
  const c = await client(server.databaseUrl, server.baseUrl)
  const check = await c.createCheck()
  using holder = new Database(folder.file('o.db'))
  holder.run('BEGIN IMMEDIATE')
  const ping = c.ping(check).catch(() => 'no answer')
  // Reads don't need the lock. The ping was sent before this read, so it waits for the lock by now.
  expect((await c.api(`checks/${check}`)).status).toBe(200)
  const before = performance.now()
  server.child.kill('SIGTERM')
  await server.child.exited
  expect(performance.now() - before).toBeLessThan(STOPS_WITHOUT_LOCK_MS)
  expect(await ping).not.toBe('200 OK')
  holder.run('ROLLBACK')
  expect(holder.query('SELECT n_pings FROM counters').values()).toEqual([[0]])
})

test('servers that start at the same moment without a database create one database and one project', async () => {
  const servers = [start(), start(), start(), start()]
  await Promise.all(servers.map(ready))
  for (const { child } of servers) child.kill('SIGTERM')
  expect(await Promise.all(servers.map(({ child }) => child.exited))).toEqual([0, 0, 0, 0])
  const printed = (await Promise.all(servers.map(({ output }) => output))).map((text) => JSON.parse(text))
  expect(printed.filter((line) => 'api_key' in line)).toHaveLength(1)
  using database = new Database(folder.file('o.db'))
  expect(database.query('SELECT name FROM projects').values()).toEqual([['Default']])
  expect(database.query('SELECT count(*) FROM keys').values()).toEqual([[3]])
  expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
}, 60_000)
