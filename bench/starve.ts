/** Strangers who use a new connection for each request: the delay of pings beside them, and whether alerts are sent in time. */
import { Database } from 'bun:sqlite'
import { systemClock } from '../src/app/system-clock.ts'
import { addSeconds, type Instant } from '../src/lib/time.ts'
import type { Bench } from './support/bench.ts'
import { outputOf, startChild } from './support/children.ts'
import { progress, whole } from './support/figures.ts'
import { GRACE_SECONDS, TIMEOUT_SECONDS } from './support/model.ts'
import { keepPinging, warmUp } from './support/pinging.ts'
import { databaseFile, databaseUrl, prepareDatabase } from './support/prepare.ts'
import { type App, startApp, stopServer } from './support/servers.ts'
import {
  STRANGERS_REQUESTS,
  type StrangersJob,
  type StrangersRequest,
  type StrangersResult,
} from './support/strangers.ts'
import type { Aim, Row } from './support/table.ts'

/** Number of connections in each round. */
const CONNECTIONS = [4, 16, 8, 4, 16]
const LONGEST_PING_MS = 100
const LATEST_ALERT_MS = 1_000
/** Time from the start of a round to its load. */
const LEAD_SECONDS = 10
const GRACE_OF_CHILD_SECONDS = 30
/** Pause for a heartbeat, which the server writes every ten seconds. A supposed outage is judged then. */
const HEARTBEAT_MS = 12_000
const PAUSE_MS = 100

export async function measureStarve(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, request] of Object.entries(STRANGERS_REQUESTS)) rows.push(await oneLoad(bench, name, request))
  return rows
}

async function oneLoad(bench: Bench, name: string, request: StrangersRequest): Promise<Row> {
  const found: Found[] = []
  for (let round = 0; round < bench.options.rounds; round += 1) {
    const connections = CONNECTIONS[round % CONNECTIONS.length] ?? 0
    const result = await oneRound(bench, connections, request)
    found.push(result)
    const { kept, fresh, alert, answers } = result
    progress(
      `round ${round + 1}  ${name}, ${connections} connections, ${whole(answers)} answers: longest ping ${whole(kept)} ms kept, ${whole(fresh)} ms new; alert ${whole(alert)} ms after the deadline`,
    )
  }
  const of = (figure: keyof Found) => found.map((one) => one[figure])
  return {
    what: `longest ping beside strangers on new connections: ${name}`,
    figures: [
      { name: 'on a kept connection', values: of('kept'), digits: 0, unit: ' ms' },
      { name: 'on a new one', values: of('fresh'), digits: 0, unit: ' ms' },
      { name: 'from a deadline to its alert', values: of('alert'), digits: 0, unit: ' ms' },
      {
        name: 'strangers answered',
        values: of('answers').map((count) => count / bench.options.seconds),
        digits: 0,
        unit: '/s',
      },
    ],
    ratio: null,
    aim: alwaysBelow([...of('kept'), ...of('fresh')], LONGEST_PING_MS),
  }
}

/** Returns an aim that is met when each value is below the bound: one ping that waits is one too many. */
function alwaysBelow(values: readonly number[], bound: number): Aim {
  return { text: `each < ${bound} ms`, isMet: Math.max(...values) < bound }
}

interface Found {
  /** milliseconds of the longest ping on a kept connection */
  readonly kept: number
  /** milliseconds of the longest ping on a connection of its own */
  readonly fresh: number
  /** milliseconds from a deadline in the middle of the load to its alert */
  readonly alert: number
  /** number of answers to strangers */
  readonly answers: number
}

async function oneRound(bench: Bench, connections: number, request: StrangersRequest): Promise<Found> {
  const { seconds } = bench.options
  const directory = bench.newDirectory()
  const deadline = addSeconds(systemClock(), LEAD_SECONDS + seconds / 2)
  const { app, pinged, receiver } = await serveUntil(deadline, directory)
  const begin = addSeconds(deadline, -seconds / 2).epochMilliseconds
  if (Date.now() > begin) throw new Error('the server was not up in time for the load')
  await Bun.sleep(begin - Date.now())

  const over = new AbortController()
  const job: StrangersJob = { port: app.port, connections, seconds, request }
  const load = outputOf(
    startChild(['bench/support/strangers.ts']),
    JSON.stringify(job),
    seconds + GRACE_OF_CHILD_SECONDS,
  )
  const [output, kept, fresh, unready] = await Promise.all([
    load.finally(() => over.abort()),
    keepPinging(pinged, over.signal),
    keepPinging(pinged, over.signal, { keepalive: false }),
    keepAskingReadiness(app, over.signal),
  ])
  await Bun.sleep(HEARTBEAT_MS)
  const spared = countSpared(directory)
  await Promise.all([stopServer(app), receiver.stop(true)])
  const { answers } = JSON.parse(output) as StrangersResult
  const alert = (receiver.arrivedAt ?? Number.NaN) - deadline.epochMilliseconds
  if (!(alert < LATEST_ALERT_MS)) bench.reportProblem(`starve: an alert went out ${whole(alert)} ms after its deadline`)
  if (spared > 0) bench.reportProblem(`starve: ${spared} checks were spared, although the server was up`)
  if (unready > 0) bench.reportProblem(`starve: /readyz failed ${unready} times`)
  return { kept, fresh, alert, answers: Object.values(answers).reduce((sum, count) => sum + count, 0) }
}

/** Starts a server with two checks and a webhook. One check is due at the deadline, the other one is pinged by then. */
async function serveUntil(deadline: Instant, directory: string) {
  const { paths, apiKey } = await prepareDatabase(directory, 2, addSeconds(deadline, -TIMEOUT_SECONDS - GRACE_SECONDS))
  const receiver = alertReceiver()
  const words = ['channel', 'create', '--project', 'bench', '--kind', 'webhook', '--name', 'Hook']
  const settings = ['--settings', JSON.stringify({ url: receiver.url })]
  const environment = { DATABASE_URL: databaseUrl(directory), INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' }
  await outputOf(startChild(['src/main.ts', ...words, ...settings], environment), '', GRACE_OF_CHILD_SECONDS)
  const app = await startApp(directory, { INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' })
  const baseUrl = `http://127.0.0.1:${app.port}`
  const [due = '', other = ''] = paths
  const headers = { 'X-Api-Key': apiKey }
  const body = JSON.stringify({ channels: '*' })
  await fetch(`${baseUrl}${due.replace('/ping/', '/api/v3/checks/')}`, { method: 'POST', headers, body })
  await warmUp(`${baseUrl}${other}`)
  return { app, pinged: `${baseUrl}${other}`, receiver }
}

/** Records the arrival of the first alert. */
function alertReceiver() {
  let arrivedAt: number | null = null
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      arrivedAt ??= Date.now()
      return new Response()
    },
  })
  return {
    url: server.url.href,
    stop: (now: boolean) => server.stop(now),
    /** milliseconds of Unix time */
    get arrivedAt() {
      return arrivedAt
    },
  }
}

/** @returns number of answers that said the server is not ready */
async function keepAskingReadiness({ port }: App, over: AbortSignal): Promise<number> {
  let failed = 0
  while (!over.aborted) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
    await answer.body?.cancel()
    if (!answer.ok) failed += 1
    await Bun.sleep(PAUSE_MS)
  }
  return failed
}

function countSpared(directory: string): number {
  const connection = new Database(databaseFile(directory), { readonly: true })
  const row = connection
    .query<{ spared: number }, []>('SELECT count(*) AS spared FROM counters WHERE spared_until > 0')
    .get()
  connection.close()
  return row?.spared ?? 0
}
