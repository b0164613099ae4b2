/**
 * Generated requests to every endpoint of the served program: none causes a server error, each is
 * answered, a refused one changes nothing, an accepted one can be read back, and no secret is logged.
 */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Served, serve } from '../../test/support/served.ts'
import { byEffort } from '../support/effort.ts'
import { SEED } from '../support/seed.ts'
import { anyRequest } from './support/any-request.ts'
import { type FilledRequest, fillRequest, type GeneratedRequest } from './support/generated-request.ts'
import { watchMemory } from './support/memory.ts'
import { createStatusCounts } from './support/status-counts.ts'
import { sendAndVerify, verifyAnswer } from './support/verify-answer.ts'
import {
  createWorkerProject,
  type Server,
  type WorkerProject,
  WRONG_KEY,
  WRONG_PING_KEY,
} from './support/worker-project.ts'

const REQUESTS = byEffort({ short: 10_000, full: 100_000, long: 1_000_000 })
const WORKERS = 8
const RESET_EVERY = 200
const METRICS_KEY = 'metrics-key-of-the-fuzz-suite'
const WITHIN_MS = byEffort({ short: 900_000, long: 7_200_000 })

/** Limit of growth, which allows for garbage that the runtime has not collected yet. */
const GROWTH_MEGABYTES = 64

test(
  `${REQUESTS} generated requests break no promise`,
  async () => {
    // The debug level includes the lines of all others.
    const served = await serve({ METRICS_KEY, LOG_LEVEL: 'debug' })
    try {
      const server = describeServer(served)
      const workers = await Promise.all(
        Array.from({ length: WORKERS }, (_, n) => createWorkerProject(server, `Worker ${n}`)),
      )
      const counts = createStatusCounts()
      const memory = watchMemory(served.pid)
      const count = (request: FilledRequest, status: number) => {
        counts.count(request.kind, status)
        memory.look(counts.total() / REQUESTS)
      }
      const began = performance.now()
      await Promise.all(workers.map((worker, n) => work(worker, server.port, SEED + n, count)))
      const seconds = (performance.now() - began) / 1000
      const growth = memory.growth()
      process.stdout.write(
        `${counts.total()} requests in ${seconds.toFixed(0)} s, resident memory after a third ${growth.beginMegabytes.toFixed(0)} MB, at the end ${growth.endMegabytes.toFixed(0)} MB\n${counts.report()}`,
      )

      expect(counts.total()).toBeGreaterThanOrEqual(REQUESTS)
      expect(growth.endMegabytes - growth.beginMegabytes).toBeLessThan(GROWTH_MEGABYTES)
      expectIntactDatabase(server.databaseUrl)
      expectNoSecrets(served.logs(), workers)
      expect((await fetch(`${served.baseUrl}/readyz`)).status).toBe(200)
      for (const worker of workers) worker.connection.close()
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

/** Sends generated requests. A failure shows the seed, the smallest failing request and its bytes. */
async function work(
  worker: WorkerProject,
  port: number,
  seed: number,
  count: (request: FilledRequest, status: number) => void,
): Promise<void> {
  let sent = 0
  const property = fc.asyncProperty(anyRequest, async (made: GeneratedRequest) => {
    if (++sent % RESET_EVERY === 0) await worker.reset()
    const request = fillRequest(made, worker.lookup, port)
    try {
      const { status } = request.isVerified ? await sendAndVerify(worker, request) : await sendOnly(worker, request)
      count(request, status)
    } catch (error) {
      throw new Error(`${shown(request.bytes)}\n${error instanceof Error ? error.message : error}`)
    }
  })
  await fc.assert(property, { seed, numRuns: Math.ceil(REQUESTS / WORKERS) })
  await worker.reset()
}

async function sendOnly(worker: WorkerProject, request: FilledRequest) {
  const answer = await worker.connection.send(request.bytes, request.method === 'HEAD')
  verifyAnswer(request, answer)
  return answer
}

const SHOWN_BYTES = 3_000

function shown(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1', 0, SHOWN_BYTES))
}

function openDatabase(databaseUrl: string): Database {
  return new Database(databaseUrl.slice('sqlite:'.length), { readonly: true })
}

function expectIntactDatabase(databaseUrl: string): void {
  using database = openDatabase(databaseUrl)
  expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  expect(database.query('PRAGMA foreign_key_check').values()).toEqual([])
}

function expectNoSecrets(log: string, workers: readonly WorkerProject[]): void {
  expect(log).not.toContain('unexpected error')
  const sent = new Set([METRICS_KEY, WRONG_KEY, WRONG_PING_KEY, ...workers.flatMap(({ secrets }) => [...secrets])])
  expect(sent.size).toBeGreaterThan(WORKERS * 10)
  expect([...sent].filter((secret) => log.includes(secret))).toEqual([])
  expect(log).not.toContain('example.org')
}
