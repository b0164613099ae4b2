/**
 * Strangers who send cheap requests, each on a new connection, do not delay pings. Bun accepts connections in a loop that does not end
 * while answers bring new ones; `bun run bench --only starve` measures the remaining delay. Runs alone: it measures the delay of pings.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { keepPinging, warmUp } from '../bench/support/pinging.ts'
import { STRANGERS_REQUESTS, type StrangersJob, type StrangersResult } from '../bench/support/strangers.ts'
import { type Served, serve } from '../test/support/served.ts'

const CONNECTIONS = 16
const SECONDS = 3
/** Limit for a ping: ten times its duration on a quiet machine, and a third of a ping's delay while the loop did not end. */
const LONGEST_PING_MS = 1_000

let server: Served
let pinged: string
beforeAll(async () => {
  server = await serve({ PUBLIC_RATE_LIMIT: '300' })
  const { api_key } = await server.overdue<{ api_key: string }>('project', 'create', 'Strangers')
  const headers = { 'X-Api-Key': api_key }
  const answer = await fetch(`${server.baseUrl}/api/v3/checks/`, { method: 'POST', headers })
  pinged = ((await answer.json()) as { ping_url: string }).ping_url
  await warmUp(pinged)
})
afterAll(() => server.stop())

test.each(Object.entries(STRANGERS_REQUESTS))('%s on new connections', async (_name, request) => {
  const over = new AbortController()
  const job: StrangersJob = {
    port: Number(new URL(server.baseUrl).port),
    connections: CONNECTIONS,
    seconds: SECONDS,
    request,
  }
  const strangers = Bun.spawn([process.execPath, 'bench/support/strangers.ts'], {
    stdin: new Blob([JSON.stringify(job)]),
    stdout: 'pipe',
  })
  const [output, kept, fresh] = await Promise.all([
    strangers.stdout.text().finally(() => over.abort()),
    keepPinging(pinged, over.signal),
    keepPinging(pinged, over.signal, { keepalive: false }),
  ])
  const { answers } = JSON.parse(output) as StrangersResult
  expect(Object.values(answers).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(CONNECTIONS)
  expect(Math.max(kept, fresh)).toBeLessThan(LONGEST_PING_MS)
})
