/** Two servers on one database file: alerts that are due at the same time are sent once. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Folder, folderOnDisk } from '../test/support/folder.ts'
import { type Served, serve } from '../test/support/served.ts'
import { createWebhook } from './support/channels.ts'
import { client } from './support/client.ts'
import { eventually } from './support/eventually.ts'

const CHECKS = 200
const CHANNELS = ['first', 'second']
const PERIOD_SECONDS = 60
const SILENCE_SECONDS = 3_600
const WITHIN_MS = 60_000

let folder: Folder
let path: string
let databaseUrl: string
let servers: Served[] = []
let receiver: Bun.Server<undefined>
const received: string[] = []

const start = () => serve({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'error', INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' })

beforeAll(async () => {
  folder = folderOnDisk()
  path = folder.file('o.db')
  databaseUrl = `sqlite:${path}`
  receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      received.push(`${new URL(request.url).pathname} ${await request.text()}`)
      return new Response('thanks')
    },
  })
  const first = await start()
  const c = await client(databaseUrl, first.baseUrl)
  for (const name of CHANNELS) await createWebhook(databaseUrl, c.projectId, `${receiver.url.origin}/${name}`, name)
  const ids = await Promise.all(
    Array.from({ length: CHECKS }, (_, index) =>
      c.createCheck({ name: `check ${index}`, timeout: PERIOD_SECONDS, grace: PERIOD_SECONDS, channels: '*' }),
    ),
  )
  expect(new Set(await Promise.all(ids.map((id) => c.ping(id))))).toEqual(new Set(['200 OK']))
  await first.stop()
  fallSilent()
  servers = await Promise.all([start(), start()])
}, 120_000)

afterAll(async () => {
  for (const server of servers) await server.stop()
  await receiver.stop(true)
  folder.remove()
})

/** Moves the last pings of all checks into the past. */
function fallSilent(): void {
  using database = new Database(path)
  const shift = SILENCE_SECONDS * 1_000_000
  const { changes } = database.transaction(() => {
    database.query('UPDATE counters SET last_ping_at = last_ping_at - ?1').run(shift)
    return database.query('UPDATE checks SET alert_after = alert_after - ?1').run(shift)
  })()
  expect(changes).toBe(CHECKS)
}

function count(sql: string): unknown[][] {
  using database = new Database(path, { readonly: true })
  return database.query(sql).values()
}

test('each check goes down once, and each channel gets one alert for it', async () => {
  const expectedDeliveries = CHECKS * CHANNELS.length
  const sent = () => count(`SELECT count(*) FROM deliveries WHERE state = 'sent'`)[0]?.[0]
  await eventually('every delivery is sent', () => sent() === expectedDeliveries, WITHIN_MS)

  expect(count('SELECT status, n_events, count(*) FROM checks GROUP BY 1, 2')).toEqual([['down', 2, CHECKS]])
  expect(
    count(`SELECT reason, count(*), count(DISTINCT check_id) FROM events WHERE new_status = 'down' GROUP BY 1`),
  ).toEqual([['timeout', CHECKS, CHECKS]])
  // A flip has the time of the deadline, whichever server made it and when.
  expect(
    count(
      `SELECT count(*) FROM events JOIN checks ON checks.id = events.check_id JOIN counters USING (counter_id) WHERE new_status = 'down'
       AND events.created_at = last_ping_at + ${2 * PERIOD_SECONDS} * 1000000`,
    ),
  ).toEqual([[CHECKS]])
  expect(
    count(
      `SELECT state, attempts, count(*), count(DISTINCT check_id || event_n || channel_id) FROM deliveries GROUP BY 1, 2`,
    ),
  ).toEqual([['sent', 1, expectedDeliveries, expectedDeliveries]])
  const expected = CHANNELS.flatMap((name) => Array.from({ length: CHECKS }, (_, n) => `/${name} check ${n} is down`))
  expect(received.toSorted()).toEqual(expected.toSorted())
}, 120_000)

test('a ping to one server is visible on the other', async () => {
  const [one, two] = servers
  if (!one || !two) throw new Error('two servers run')
  const [[id] = []] = count(`SELECT id FROM checks WHERE name = 'check 0'`)
  received.length = 0
  expect(await (await fetch(`${one.baseUrl}/ping/${id}`)).text()).toBe('OK')
  expect(await (await fetch(`${two.baseUrl}/ping/${id}`)).text()).toBe('OK')
  await eventually('both channels get an alert', () => received.length >= 2)
  expect(received.toSorted()).toEqual(['/first check 0 is up', '/second check 0 is up'])
  expect(
    count(`SELECT status, n_pings, n_events FROM checks JOIN counters USING (counter_id) WHERE name = 'check 0'`),
  ).toEqual([['up', 3, 3]])
})
