/**
 * Two instances behind a load balancer are replaced one by one under load: pings, the API and pages. No client gets an error, because a
 * stopping instance fails `/healthz` first, and from then on the balancer uses the other one. Runs alone: server starts beside other suites
 * leave a database server without processor time for seconds, in which pings are rightly answered with 503.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { signInAdministrator } from '../../bench/support/administrator.ts'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { type PostgresDatabase, startDatabase } from '../postgres/support/database.ts'
import type { Deadline } from '../support/kills/violations.ts'
import { type RestartableServer, restartableServer } from '../support/restartable-server.ts'
import { SEED } from '../support/seed.ts'
import { type Balancer, startBalancer } from './support/balancer.ts'
import { fill } from './support/filled.ts'
import { type Load, startLoad } from './support/load.ts'
import { judge, report, untilNothingIsPending, type Verdict } from './support/verdict.ts'

const CHECKS = 200
const PINGS_PER_SECOND = 40
const READ_EVERY_MS = 50
const REPLACEMENTS = 4
const SILENT_PER_REPLACEMENT = 10
const BETWEEN_MS = 500
/** Time for several health checks of the balancer. */
const DRAIN_SECONDS = '1'

let database: PostgresDatabase

beforeAll(async () => {
  database = await startDatabase()
})

afterAll(() => database.cluster.remove())

describe.each([
  { name: 'a connection for each request', keepsAlive: false },
  { name: 'connections that are kept', keepsAlive: true },
])('with $name', ({ name, keepsAlive }) => {
  const ends: (() => unknown)[] = []
  let load: Load
  let verdict: Verdict
  let balancer: Balancer
  let wrongReads: readonly string[] = []

  beforeAll(async () => {
    const of = keepsAlive ? 'kept' : 'single'
    await database.asSuperuser(`CREATE DATABASE ${of} OWNER app`)
    const url = database.urlOf(of)
    balancer = startBalancer(keepsAlive)
    ends.push(() => balancer.stop())
    const start = async (): Promise<RestartableServer> => {
      const instance = restartableServer(url, { SITE_ROOT: balancer.baseUrl, DRAIN_SECONDS })
      ends.push(() => instance.stop())
      await instance.start()
      return instance
    }
    const instances = [await start(), await start()]
    const pass = () => {
      balancer.servers = instances.map(({ baseUrl }) => baseUrl)
    }
    pass()
    const filled = await fill(database, of, balancer.baseUrl, CHECKS)
    ends.push(() => filled.close())
    const cookie = await signInAdministrator(url)
    const silent = filled.checks.slice(-SILENT_PER_REPLACEMENT * REPLACEMENTS)
    const deadlines: Deadline[] = []
    const random = new SeededRandom(SEED)
    const checks = filled.checks.slice(0, -silent.length)
    load = startLoad({ checks, perSecond: PINGS_PER_SECOND, random, to: () => balancer.baseUrl })
    ends.push(() => load.stop())
    const reader = startReader(balancer.baseUrl, { 'X-Api-Key': filled.apiKeys[0], Cookie: cookie })
    ends.push(() => reader.stop())
    await load.succeed(silent)
    for (let index = 0; index < REPLACEMENTS; index += 1) {
      const at = Date.now() * 1_000
      const falling = silent.slice(index * SILENT_PER_REPLACEMENT, (index + 1) * SILENT_PER_REPLACEMENT)
      await filled.moveDeadlines(falling, at)
      deadlines.push(...falling.map(({ id }) => ({ checkId: id, at })))
      await instances[0]?.stop()
      instances.shift()
      instances.push(await start())
      pass()
      await Bun.sleep(BETWEEN_MS)
    }
    await load.stop()
    wrongReads = await reader.stop()
    await untilNothingIsPending(filled, deadlines.length)
    verdict = await judge(filled, load.sent, deadlines)
    report(`${REPLACEMENTS} instances replaced one by one under load, with ${name}`, {
      'connections refused, another instance asked': balancer.refused,
      'requests without an answer': balancer.failures.length,
      reads: reader.count(),
      ...verdict.figures,
    })
  }, 280_000)

  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  test('every ping is acknowledged, and none is lost', () => {
    expect(balancer.failures).toEqual([])
    expect([...new Set(load.sent.map(({ answer }) => answer))]).toEqual(['200 OK'])
    expect(verdict.violations.pings).toEqual([])
  })

  test('every list and page is answered', () => {
    expect(wrongReads).toEqual([])
  })

  test('every flip has one cause, and every cause has one flip', () => {
    expect(verdict.violations.flips).toEqual([])
  })

  test('every alert reaches its channel once', () => {
    expect(verdict.violations.deliveries).toEqual([])
    expect(verdict.figures['deliveries repeated under their id']).toBe(0)
  })
})

const READS = ['/api/v3/checks/?tag=none', '/api/v3/channels/', '/projects', '/']

interface Reader {
  count(): number
  /** @returns unexpected answers */
  stop(): Promise<readonly string[]>
}

/** Reads one path after the other, each after the previous answer: a busy machine gets fewer requests. */
function startReader(baseUrl: string, headers: Readonly<Record<string, string>>): Reader {
  const wrong: string[] = []
  let count = 0
  let isOver = false
  const read = async (path: string): Promise<void> => {
    const answer = await fetch(`${baseUrl}${path}`, { headers })
    const text = await answer.text()
    if (answer.status !== 200) wrong.push(`${path}: ${answer.status} ${text.slice(0, 200)}`)
  }
  const work = async () => {
    for (; !isOver; count += 1) {
      await read(READS[count % READS.length] ?? '/').catch((error) => wrong.push(String(error)))
      await Bun.sleep(READ_EVERY_MS)
    }
  }
  const working = work()
  return {
    count: () => count,
    async stop() {
      isOver = true
      await working
      return wrong
    },
  }
}
