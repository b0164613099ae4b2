/**
 * Malformed and ambiguous HTTP on the socket: no request can be smuggled in behind another, refused requests have no effect, and the server
 * keeps running.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { overdue, type Served, serve } from '../../test/support/served.ts'
import { byEffort } from '../support/effort.ts'
import { SEED } from '../support/seed.ts'
import { type CheckPair, createCheckPair } from './support/check-pair.ts'
import { type Exchange, exchange } from './support/connection.ts'
import { framings } from './support/framing.ts'
import { ONE, ONE_AT_MOST, REFUSED, type Shape } from './support/malformed-requests.ts'
import { mutations } from './support/mutations.ts'
import { createStatusCounts } from './support/status-counts.ts'

const PAIRS = 24
const MUTATED = byEffort({ short: 1_000, full: 10_000, long: 100_000 })
const WITHIN_MS = byEffort({ short: 600_000, long: 3_600_000 })

/** Pause for tests that count executed requests: long enough for an answer from a busy machine. */
const WAIT_FOR_ANSWERS = { quietMs: 400 }
/** Pause for tests that only check that nothing breaks. */
const WAIT_BRIEFLY = { quietMs: 40 }

/** Errors that Bun's web server answers before our code runs: not implemented, version not supported. */
const BUN_ERRORS = [501, 505]

let served: Served
let port: number
let apiKey: string
const pairs: CheckPair[] = []
const counts = createStatusCounts()

beforeAll(async () => {
  served = await serve({ LOG_LEVEL: 'debug' })
  port = Number(new URL(served.baseUrl).port)
  const project = await overdue<{ api_key: string }>(served.databaseUrl, 'project', 'create', 'Broken')
  apiKey = project.api_key
  while (pairs.length < PAIRS) pairs.push(await createCheckPair(served.baseUrl, apiKey))
})

afterAll(async () => {
  process.stdout.write(
    `${counts.total()} broken requests, by the status of the first answer (0: no answer)\n${counts.report()}`,
  )
  for (const { connection } of pairs) connection.close()
  await served.stop()
  expect(served.logs()).not.toContain('unexpected error')
  expect(served.logs()).not.toContain(apiKey)
  expect(pairs.filter(({ outer }) => served.logs().includes(outer))).toEqual([])
})

interface Seen extends Exchange {
  readonly statuses: readonly number[]
  /** number of logged pings */
  readonly outer: number
  readonly inner: number
}

/** Runs the checks on pairs. Each pair is used for one thing at a time, so its counts belong to that thing. */
async function onPairs<Thing>(things: readonly Thing[], check: (pair: CheckPair, thing: Thing) => Promise<string[]>) {
  const left = [...things]
  const problems: string[] = []
  const work = async (pair: CheckPair) => {
    for (let thing = left.shift(); thing !== undefined; thing = left.shift())
      problems.push(...(await check(pair, thing)))
  }
  await Promise.all(pairs.map(work))
  expect(problems).toEqual([])
}

async function send(pair: CheckPair, kind: string, parts: readonly string[]): Promise<Seen> {
  const before = await pair.pings()
  const bytes = parts.map((part) => Buffer.from(part, 'latin1'))
  const seen = await exchange(port, bytes, WAIT_FOR_ANSWERS)
  const after = await pair.pings()
  const statuses = seen.answers.map(({ status }) => status)
  counts.count(kind, statuses[0] ?? 0)
  return { ...seen, statuses, outer: after.outer - before.outer, inner: after.inner - before.inner }
}

const isRefusal = (status: number) => (status >= 400 && status < 500) || BUN_ERRORS.includes(status)

/** @returns a sentence when `isHeld` is false */
function held(name: string, isHeld: boolean, { statuses, outer, inner }: Seen): string[] {
  return isHeld ? [] : [`${name}: answered [${statuses}], pings ${outer} and ${inner}`]
}

describe('a malformed request', () => {
  const shaped = (kind: string, shapes: Readonly<Record<string, Shape>>, promise: (seen: Seen) => boolean) =>
    onPairs(Object.entries(shapes), async (pair, [name, shape]) => {
      const seen = await send(pair, kind, shape(pair.outer, pair.inner))
      return held(name, promise(seen), seen)
    })

  test(
    'that is ambiguous is refused and has no effect',
    () =>
      shaped(
        'refused',
        REFUSED,
        ({ statuses, outer, inner }) => statuses.every(isRefusal) && outer === 0 && inner === 0,
      ),
    WITHIN_MS,
  )

  test(
    'inside the body of another request is not carried out',
    () => shaped('one', ONE, ({ statuses, inner }) => statuses.length === 1 && inner === 0),
    WITHIN_MS,
  )

  test(
    'with syntax that Bun does not support lets no second request through',
    () =>
      shaped(
        'at most 1',
        ONE_AT_MOST,
        ({ statuses, outer, inner }) => statuses.slice(1).every(isRefusal) && outer <= 1 && inner === 0,
      ),
    WITHIN_MS,
  )
})

test('a ping whose body breaks off is not logged', async () => {
  await onPairs(
    ['Content-Length: 100\r\n\r\nhalf', 'Transfer-Encoding: chunked\r\n\r\n64\r\nhalf'],
    async (pair, rest) => {
      const before = await pair.pings()
      const text = `POST ${pair.outer} HTTP/1.1\r\nHost: x\r\n${rest}`
      for (let times = 0; times < 50; times++) await exchange(port, [Buffer.from(text)], { quietMs: 0, breakOff: true })
      const after = await pair.pings()
      return after.outer === before.outer ? [] : [`${rest}: ${after.outer - before.outer} pings`]
    },
  )
})

test('pipelined requests are answered in order, or not at all', async () => {
  const [pair] = pairs
  if (pair === undefined) throw new Error('there is no pair of checks')
  const pages = ['/healthz', '/nowhere', '/healthz']
  const many = pages.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')
  expect((await send(pair, 'pipelined', [many])).statuses).toEqual([200, 404, 200])
  const pings = await send(pair, 'pipelined', [`GET ${pair.outer} HTTP/1.1\r\nHost: x\r\n\r\n${pair.inner}`])
  expect([[], [200], [200, 200]]).toContainEqual([...pings.statuses])
  expect(pings.outer).toBe(1)
  expect(pings.inner).toBe(Math.max(pings.statuses.length - 1, 0))
})

test(
  'a body ends where RFC 9112 says, or the request is refused',
  async () => {
    const targets: readonly ((pair: CheckPair) => string)[] = [({ outer }) => outer, () => '/healthz']
    // Each pair has other URLs, so each builds its own requests.
    const count = framings('', 'x').length
    const all = targets.flatMap((target) => Array.from({ length: count }, (_, n) => ({ target, n })))
    expect(all.length).toBeGreaterThan(1_000)
    await onPairs(all, async (pair, { target, n }) => {
      const framed = framings(target(pair), pair.inner)[n]
      if (framed === undefined) throw new Error('the lists differ in length')
      const seen = await send(pair, 'framing', [framed.text])
      const isInnerRight = seen.inner <= (framed.isInnerFree ? 1 : 0)
      const isOuterRight = framed.isRefused ? seen.statuses.every(isRefusal) && seen.outer === 0 : seen.outer <= 1
      return held(framed.name, isInnerRight && isOuterRight && seen.statuses.length <= 2, seen)
    })
  },
  WITHIN_MS,
)

test(
  `${MUTATED} requests with inserted, removed and swapped bytes cause no server error`,
  async () => {
    const work = (pair: CheckPair, n: number) => {
      const property = fc.asyncProperty(mutations(pair), async ({ parts, breakOff }) => {
        const bytes = parts.map((part) => Buffer.from(part, 'latin1'))
        const { answers } = await exchange(port, bytes, { ...WAIT_BRIEFLY, breakOff })
        const statuses = answers.map(({ status }) => status)
        counts.count(breakOff ? 'broken off' : 'mutated', statuses[0] ?? 0)
        const errors = statuses.filter((status) => status >= 500 && !BUN_ERRORS.includes(status))
        if (errors.length > 0) throw new Error(`answered ${errors} to ${JSON.stringify(parts).slice(0, 3_000)}`)
      })
      return fc.assert(property, { seed: SEED + n, numRuns: Math.ceil(MUTATED / PAIRS) })
    }
    await Promise.all(pairs.map(work))
    for (const pair of pairs) expect((await pair.pings()).outer).toBeGreaterThan(0)
    expect((await fetch(`${served.baseUrl}/readyz`)).status).toBe(200)
  },
  WITHIN_MS,
)
