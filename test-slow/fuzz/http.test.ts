/**
 * Requests of every form at every door of the served program, by a hundred thousand: none is an error of ours, none stays
 * without an answer, what is refused changes nothing, what is accepted can be read back, and the log tells no secret.
 */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Served, serve } from '../../test/support/served.ts'
import { byEffort } from '../support/effort.ts'
import { type House, moveIn, type Server, WRONG_KEY, WRONG_PING_KEY } from './support/house.ts'
import { judgeAnswer, sendAndLook } from './support/judge.ts'
import { watchMemory } from './support/memory.ts'
import { type Filled, fillRequest, type MadeUp } from './support/request.ts'
import { anyRequest } from './support/requests.ts'
import { SEED } from './support/seed.ts'
import { createTally } from './support/tally.ts'

const REQUESTS = byEffort(100_000, 1_000_000)
const WORKERS = 8
const TIDY_EVERY = 200
const METRICS_KEY = 'metrics-key-of-the-fuzz-suite'
const WITHIN_MS = byEffort(900_000, 7_200_000)

/** What a runtime that collects its garbage when it likes may differ by. */
const GROWTH_MEGABYTES = 64

test(
  `${REQUESTS} requests of every form find nothing`,
  async () => {
    // The lines of every level are among those of the most talkative.
    const served = await serve({ METRICS_KEY, LOG_LEVEL: 'debug' })
    try {
      const server = describeServer(served)
      const houses = await Promise.all(Array.from({ length: WORKERS }, (_, n) => moveIn(server, `Worker ${n}`)))
      const tally = createTally()
      const memory = watchMemory(served.pid)
      const count = (request: Filled, status: number) => {
        tally.count(request.kind, status)
        memory.look(tally.total() / REQUESTS)
      }
      const began = performance.now()
      await Promise.all(houses.map((house, n) => work(house, server.port, SEED + n, count)))
      const seconds = (performance.now() - began) / 1000
      const growth = memory.growth()
      process.stdout.write(
        `seed ${SEED}: ${tally.total()} requests in ${seconds.toFixed(0)} s, memory after a third ${growth.beginMegabytes.toFixed(0)} MB, at the end ${growth.endMegabytes.toFixed(0)} MB\n${tally.report()}`,
      )

      expect(tally.total()).toBeGreaterThanOrEqual(REQUESTS)
      expect(growth.endMegabytes - growth.beginMegabytes).toBeLessThan(GROWTH_MEGABYTES)
      expectSoundDatabase(server.databaseUrl)
      expectDiscreetLog(served.logs(), houses)
      expect((await fetch(`${served.baseUrl}/readyz`)).status).toBe(200)
      for (const house of houses) house.line.close()
    } finally {
      await served.stop()
    }
  },
  WITHIN_MS,
)

function describeServer({ baseUrl, databaseUrl }: Served): Server {
  using database = openDatabase(databaseUrl)
  const query = database.query<{ value: string }, []>("SELECT value FROM settings WHERE name = 'secret'")
  const secret = query.get()?.value ?? ''
  expect(secret).not.toBe('')
  return { baseUrl, databaseUrl, port: Number(new URL(baseUrl).port), secret, metricsKey: METRICS_KEY }
}

/** A failure names the seed, the smallest request that fails, and the bytes of it. */
async function work(
  house: House,
  port: number,
  seed: number,
  count: (request: Filled, status: number) => void,
): Promise<void> {
  let sent = 0
  const property = fc.asyncProperty(anyRequest, async (made: MadeUp) => {
    if (++sent % TIDY_EVERY === 0) await house.tidy()
    const request = fillRequest(made, house.lookup, port)
    try {
      const { status } = request.isLookedAt ? await sendAndLook(house, request) : await sendOnly(house, request)
      count(request, status)
    } catch (error) {
      throw new Error(`${shown(request.bytes)}\n${error instanceof Error ? error.message : error}`)
    }
  })
  await fc.assert(property, { seed, numRuns: Math.ceil(REQUESTS / WORKERS) })
  await house.tidy()
}

async function sendOnly(house: House, request: Filled) {
  const answer = await house.line.ask(request.bytes, request.method === 'HEAD')
  judgeAnswer(request, answer)
  return answer
}

const SHOWN_BYTES = 3_000

function shown(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1', 0, SHOWN_BYTES))
}

function openDatabase(databaseUrl: string): Database {
  return new Database(databaseUrl.slice('sqlite:'.length), { readonly: true })
}

function expectSoundDatabase(databaseUrl: string): void {
  using database = openDatabase(databaseUrl)
  expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  expect(database.query('PRAGMA foreign_key_check').values()).toEqual([])
}

function expectDiscreetLog(log: string, houses: readonly House[]): void {
  expect(log).not.toContain('unexpected error')
  const sent = new Set([METRICS_KEY, WRONG_KEY, WRONG_PING_KEY, ...houses.flatMap(({ secrets }) => [...secrets])])
  expect(sent.size).toBeGreaterThan(WORKERS * 10)
  expect([...sent].filter((secret) => log.includes(secret))).toEqual([])
  expect(log).not.toContain('example.org')
}
