/** What was answered with OK survives `kill -9`: the real program, killed in the middle of its work, over and over. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isNews } from '../src/domain/flip.ts'
import { overdue } from '../test/support/served.ts'
import { mortalServer } from './support/mortal-server.ts'

const ROUNDS = 20
const CONNECTIONS = 32
const CHECKS = 50
const ACTIONS = ['', '', '', '/start', '/fail', '/0', '/1', '/log']
/** The API shows a check's last 1000 pings at most, so no check is sent more than fit. */
const MOST_PINGS_OF_A_CHECK = 950
const LONGEST_PAUSE_MS = 20

/** One ping that was answered; the numbers come from one counter, so they tell which of two events came first. */
interface Acknowledged {
  readonly agent: string
  readonly sentAt: number
  readonly answeredAt: number
}

interface CheckUnderFire {
  readonly id: string
  readonly pingUrl: string
  sent: number
  readonly acknowledged: Acknowledged[]
}

const directory = mkdtempSync(join(tmpdir(), 'overdue-crash-'))
const databaseFile = join(directory, 'o.db')
const databaseUrl = `sqlite:${databaseFile}`
const server = await mortalServer(databaseUrl)
const { baseUrl } = server
const agents = new Set<string>()
let events = 0
let apiKey = ''
let channelId = ''
let checks: CheckUnderFire[] = []

beforeAll(async () => {
  await server.start()
  const project = await overdue<{ id: string; api_key: string }>(databaseUrl, 'project', 'create', 'Crash')
  await overdue(databaseUrl, 'project', 'set', project.id, '--ping-log-limit', '1000')
  apiKey = project.api_key
  // Nobody listens there: each delivery stays owed, or is at least on record as tried.
  const settings = Object.fromEntries(
    ['down', 'up'].flatMap((status) => [
      [`method_${status}`, 'POST'],
      [`url_${status}`, 'http://127.0.0.1:9/'],
      [`body_${status}`, ''],
      [`headers_${status}`, {}],
    ]),
  )
  const channel = [
    'channel',
    'create',
    '--project',
    project.id,
    '--kind',
    'webhook',
    '--settings',
    JSON.stringify(settings),
  ]
  channelId = (await overdue<{ id: string }>(databaseUrl, ...channel)).id
  checks = await Promise.all(
    Array.from({ length: CHECKS }, async (_, index) => {
      const wish = { name: `Check ${index}`, timeout: 86_400, grace: 86_400, channels: '*' }
      const check = await api<{ uuid: string; ping_url: string }>('checks/', wish)
      return { id: check.uuid, pingUrl: check.ping_url, sent: 0, acknowledged: [] }
    }),
  )
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round > 0) await server.start()
    await pingUntilKilled(100 + Math.random() * 500)
  }
  await server.start()
}, 240_000)

afterAll(async () => {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
})

test('every acknowledged ping is counted and in the log', async () => {
  expect(checks.flatMap(({ acknowledged }) => acknowledged).length).toBeGreaterThan(ROUNDS * CONNECTIONS)
  for (const check of checks) {
    const { n_pings } = await api<{ n_pings: number }>(`checks/${check.id}`)
    expect(n_pings).toBeGreaterThanOrEqual(check.acknowledged.length)
    const logged = new Set((await pingsOf(check)).map(({ ua }) => ua))
    expect(check.acknowledged.filter(({ agent }) => !logged.has(agent))).toEqual([])
  }
})

test('the log holds only pings that were sent, numbered without a gap, in the order of their answers', async () => {
  for (const check of checks) {
    const log = (await pingsOf(check)).toReversed()
    expect(log.map(({ n }) => n)).toEqual(log.map((_, index) => index + 1))
    expect(log.filter(({ ua }) => !agents.has(ua))).toEqual([])

    const known = new Map(check.acknowledged.map((ping) => [ping.agent, ping]))
    let latestSentAt = 0
    for (const { ua } of log) {
      const ping = known.get(ua)
      if (ping === undefined) continue
      // A ping answered before another was even sent stands before it.
      expect(ping.answeredAt).toBeGreaterThan(latestSentAt)
      latestSentAt = Math.max(latestSentAt, ping.sentAt)
    }
  }
})

test('the database is sound, and every flip that is news owes or has made its delivery', async () => {
  await server.stop()
  using database = new Database(databaseFile, { readonly: true })
  expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  expect(database.query('PRAGMA foreign_key_check').values()).toEqual([])

  type FlipRow = { check_id: string; n: number; oldStatus: 'new' | 'up' | 'down'; newStatus: 'up' | 'down' }
  const flips = database
    .query<FlipRow, []>(
      'SELECT check_id, n, old_status AS oldStatus, new_status AS newStatus FROM flips ORDER BY check_id, n',
    )
    .all()
  const delivered = database.query<{ key: string }, [string]>(
    `SELECT check_id || ' ' || flip_n AS key FROM deliveries WHERE channel_id = ?`,
  )
  const owed = flips.filter(isNews).map((flip) => `${flip.check_id} ${flip.n}`)
  expect(owed.length).toBeGreaterThan(CHECKS)
  expect(new Set(delivered.all(channelId).map(({ key }) => key))).toEqual(new Set(owed))

  // Each flip starts where the one before ended, and the check stands where its last flip left it.
  for (const check of checks) {
    const own = flips.filter(({ check_id }) => check_id === check.id)
    expect(own.map(({ oldStatus }) => oldStatus)).toEqual([
      'new',
      ...own.slice(0, -1).map(({ newStatus }) => newStatus),
    ])
    const query = database.query<{ status: string; n_flips: number }, [string]>(
      'SELECT status, n_flips FROM checks WHERE id = ?',
    )
    expect(query.get(check.id)).toEqual({ status: own.at(-1)?.newStatus ?? 'new', n_flips: own.length })
  }
})

/** Each connection sends pings one after the other, with short pauses, until the server dies under it. */
async function pingUntilKilled(milliseconds: number): Promise<void> {
  let isAlive = true
  const connection = async () => {
    while (isAlive) {
      const check = pick(checks)
      if (check.sent < MOST_PINGS_OF_A_CHECK) {
        check.sent += 1
        await ping(check)
      }
      await Bun.sleep(Math.random() * LONGEST_PAUSE_MS)
    }
  }
  const connections = Array.from({ length: CONNECTIONS }, connection)
  await Bun.sleep(milliseconds)
  await server.kill()
  isAlive = false
  await Promise.all(connections)
}

async function ping(check: CheckUnderFire): Promise<void> {
  const agent = crypto.randomUUID()
  agents.add(agent)
  events += 1
  const sentAt = events
  const isPost = Math.random() < 0.3
  try {
    const response = await fetch(check.pingUrl + pick(ACTIONS), {
      method: isPost ? 'POST' : 'GET',
      headers: { 'User-Agent': agent },
      ...(isPost ? { body: `output of ${agent}` } : {}),
    })
    if (response.status !== 200 || (await response.text()) !== 'OK') throw new Error(`answered ${response.status}`)
    events += 1
    check.acknowledged.push({ agent, sentAt, answeredAt: events })
  } catch (error) {
    // A broken connection is what a killed server leaves; a wrong answer is not.
    if (error instanceof Error && error.message.startsWith('answered')) throw error
  }
}

function pick<T>(values: readonly T[]): T {
  const value = values[Math.floor(Math.random() * values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

function pingsOf(check: CheckUnderFire): Promise<{ n: number; ua: string }[]> {
  return api<{ pings: { n: number; ua: string }[] }>(`checks/${check.id}/pings/`).then(({ pings }) => pings)
}

/** @param wish sent as a POST when given */
async function api<Answer>(path: string, wish?: object): Promise<Answer> {
  const response = await fetch(`${baseUrl}/api/v3/${path}`, {
    method: wish === undefined ? 'GET' : 'POST',
    headers: { 'X-Api-Key': apiKey },
    ...(wish === undefined ? {} : { body: JSON.stringify(wish) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json() as Promise<Answer>
}
