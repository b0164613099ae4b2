/** A server that was stopped for a day. The test moves the times in its database back instead of waiting. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Folder, folderOnDisk } from '../test/support/folder.ts'
import { overdue, type Served, serve } from '../test/support/served.ts'

const CHECKS = 40
const DAY = 86_400_000_000

let folder: Folder
/** stopped after the test even when it fails */
let running: Served | null = null
beforeAll(() => {
  folder = folderOnDisk()
})
afterAll(async () => {
  await running?.stop()
  folder.remove()
})

test('after an outage of a day, checks that ping within their grace time cause no alerts', async () => {
  const DATABASE_URL = `sqlite:${folder.file('o.db')}`
  const before = await serve({ DATABASE_URL })
  running = before
  const { api_key } = await overdue<{ api_key: string }>(DATABASE_URL, 'project', 'create', 'Outage')
  const headers = { 'X-Api-Key': api_key }
  const create = async (): Promise<string> => {
    const answer = await fetch(`${before.baseUrl}/api/v3/checks/`, { method: 'POST', headers })
    return ((await answer.json()) as { uuid: string }).uuid
  }
  const checks = await Promise.all(Array.from({ length: CHECKS }, create))
  const pingAll = (baseUrl: string) => Promise.all(checks.map((uuid) => fetch(`${baseUrl}/ping/${uuid}`)))
  await pingAll(before.baseUrl)
  running = null
  await before.stop()

  const file = new Database(folder.file('o.db'))
  file.run(`UPDATE counters SET last_ping_at = last_ping_at - ${DAY}`)
  file.run(`UPDATE checks SET timeout_seconds = 60, grace_seconds = 60, alert_after = last_ping_at + 120000000
    FROM counters WHERE counters.counter_id = checks.counter_id`)
  file.run(`UPDATE settings SET value = CAST(CAST(value AS INTEGER) - ${DAY} AS TEXT) WHERE name = 'alive'`)
  file.close()

  const server = await serve({ DATABASE_URL })
  running = server
  const statuses = async () => {
    const answer = await fetch(`${server.baseUrl}/api/v3/checks/`, { headers })
    return ((await answer.json()) as { checks: { status: string }[] }).checks.map(({ status }) => status)
  }
  // Long enough for a few runs of the loop, each of which would otherwise mark them all as down.
  await Bun.sleep(2_500)
  expect(await statuses()).toEqual(checks.map(() => 'grace'))
  await pingAll(server.baseUrl)
  expect(await statuses()).toEqual(checks.map(() => 'up'))
  running = null
  await server.stop()
  expect(server.logs()).toContain('no server was running')

  const after = new Database(folder.file('o.db'), { readonly: true })
  const rows = (sql: string) => after.query<{ count: number }, []>(sql).get()?.count
  expect(rows("SELECT COUNT(*) AS count FROM events WHERE new_status = 'down'")).toBe(0)
  expect(rows('SELECT COUNT(*) AS count FROM deliveries')).toBe(0)
  expect(
    rows("SELECT COUNT(*) AS count FROM checks JOIN counters USING (counter_id) WHERE status = 'up' AND n_pings = 2"),
  ).toBe(CHECKS)
  after.close()
})
