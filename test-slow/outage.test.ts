/** A server that was stopped for a day: the times in its file are moved back instead of waiting. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { freePort } from '../test/support/served.ts'
import { type Folder, temporaryFolder } from '../test/support/sqlite.ts'
import { client } from './support/load.ts'

const CHECKS = 40
const DAY = 86_400_000_000
const PATIENCE_MS = 15_000

let folder: Folder
let child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>
let port: number
let baseUrl: string

const databaseUrl = () => `sqlite:${folder.file('o.db')}`

async function start(): Promise<void> {
  const { PATH = '', HOME = '' } = process.env
  child = Bun.spawn([process.execPath, 'src/main.ts', 'serve'], {
    cwd: join(import.meta.dir, '..'),
    env: { PATH, HOME, DATABASE_URL: databaseUrl(), PORT: String(port), SITE_ROOT: baseUrl, API_RATE_LIMIT: '0' },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const isUp = async () => (await fetch(`${baseUrl}/api/v3/status/`).catch(() => null))?.status === 200
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await Bun.sleep(10)) if (await isUp()) return
  throw new Error('the server does not answer')
}

/** @returns what it has logged */
async function stop(): Promise<string> {
  child.kill('SIGTERM')
  await child.exited
  return child.stderr.text()
}

beforeAll(async () => {
  folder = temporaryFolder()
  port = await freePort()
  baseUrl = `http://127.0.0.1:${port}`
})
afterAll(() => {
  child.kill('SIGKILL')
  folder.remove()
})

test('after a day nobody is told of checks that ping within their grace time', async () => {
  await start()
  const c = await client(databaseUrl(), baseUrl)
  const checks = await Promise.all(Array.from({ length: CHECKS }, () => c.createCheck()))
  await Promise.all(checks.map((uuid) => fetch(`${baseUrl}/ping/${uuid}`)))
  await stop()

  const file = new Database(folder.file('o.db'))
  file.run(`UPDATE checks SET last_ping_at = last_ping_at - ${DAY}, timeout_seconds = 60, grace_seconds = 60`)
  file.run('UPDATE checks SET alert_after = last_ping_at + 120000000')
  file.run(`UPDATE settings SET value = CAST(CAST(value AS INTEGER) - ${DAY} AS TEXT) WHERE name = 'alive'`)
  file.close()

  await start()
  const statuses = async () => {
    const { checks: listed } = await c.json<{ checks: { status: string }[] }>('checks/')
    return listed.map(({ status }) => status)
  }
  // A few ticks of the loop, each of which would bring them all down.
  await Bun.sleep(2_500)
  expect(await statuses()).toEqual(checks.map(() => 'grace'))
  await Promise.all(checks.map((uuid) => fetch(`${baseUrl}/ping/${uuid}`)))
  expect(await statuses()).toEqual(checks.map(() => 'up'))
  expect(await stop()).toContain('no server was running')

  const after = new Database(folder.file('o.db'), { readonly: true })
  const rows = (sql: string) => after.query<{ count: number }, []>(sql).get()?.count
  expect(rows("SELECT COUNT(*) AS count FROM flips WHERE new_status = 'down'")).toBe(0)
  expect(rows('SELECT COUNT(*) AS count FROM deliveries')).toBe(0)
  expect(rows("SELECT COUNT(*) AS count FROM checks WHERE status = 'up' AND n_pings = 2")).toBe(CHECKS)
  after.close()
})
