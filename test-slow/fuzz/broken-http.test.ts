/**
 * Bytes on the socket that are no HTTP, or that two programs could read in two ways: nothing gets in behind a request, what
 * is refused is not carried out, and the server goes on.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { overdue, type Served, serve } from '../../test/support/served.ts'
import { byEffort } from '../support/effort.ts'
import { framings } from './support/framing.ts'
import { type Lane, openLane } from './support/lane.ts'
import { mutations } from './support/mutations.ts'
import { SEED } from './support/seed.ts'
import { ONE, ONE_AT_MOST, REFUSED, type Shape } from './support/shapes.ts'
import { createTally } from './support/tally.ts'
import { type Exchange, exchange } from './support/wire.ts'

const LANES = 24
const MUTATED = byEffort(10_000, 100_000)
const WITHIN_MS = byEffort(600_000, 3_600_000)

/** Where it is counted how often a request was carried out: so long that a busy machine has answered. */
const PATIENT = { quietMs: 400 }
/** Where it is only seen that nothing breaks. */
const HASTY = { quietMs: 40 }

/** Of the runtime's web server, about the message and not of us: not implemented, version not supported. */
const OF_THE_SOCKET = [501, 505]

let served: Served
let port: number
let apiKey: string
const lanes: Lane[] = []
const tally = createTally()

beforeAll(async () => {
  served = await serve({ LOG_LEVEL: 'debug' })
  port = Number(new URL(served.baseUrl).port)
  const project = await overdue<{ api_key: string }>(served.databaseUrl, 'project', 'create', 'Broken')
  apiKey = project.api_key
  while (lanes.length < LANES) lanes.push(await openLane(served.baseUrl, apiKey))
})

afterAll(async () => {
  process.stdout.write(
    `seed ${SEED}: ${tally.total()} broken requests, by the first answer (0 is none)\n${tally.report()}`,
  )
  for (const { line } of lanes) line.close()
  await served.stop()
  expect(served.logs()).not.toContain('unexpected error')
  expect(served.logs()).not.toContain(apiKey)
  expect(lanes.filter(({ outer }) => served.logs().includes(outer))).toEqual([])
})

interface Seen extends Exchange {
  readonly statuses: readonly number[]
  /** pings that came of it */
  readonly outer: number
  readonly inner: number
}

/** Each lane does one thing at a time, so what its checks tell is of that. */
async function onLanes<Thing>(things: readonly Thing[], look: (lane: Lane, thing: Thing) => Promise<string[]>) {
  const left = [...things]
  const problems: string[] = []
  const work = async (lane: Lane) => {
    for (let thing = left.shift(); thing !== undefined; thing = left.shift())
      problems.push(...(await look(lane, thing)))
  }
  await Promise.all(lanes.map(work))
  expect(problems).toEqual([])
}

async function send(lane: Lane, kind: string, parts: readonly string[]): Promise<Seen> {
  const before = await lane.pings()
  const bytes = parts.map((part) => Buffer.from(part, 'latin1'))
  const seen = await exchange(port, bytes, PATIENT)
  const after = await lane.pings()
  const statuses = seen.answers.map(({ status }) => status)
  tally.count(kind, statuses[0] ?? 0)
  return { ...seen, statuses, outer: after.outer - before.outer, inner: after.inner - before.inner }
}

const isRefusal = (status: number) => (status >= 400 && status < 500) || OF_THE_SOCKET.includes(status)

/** @returns a sentence if the promise is broken */
function held(name: string, isHeld: boolean, { statuses, outer, inner }: Seen): string[] {
  return isHeld ? [] : [`${name}: answered [${statuses}], pings ${outer} and ${inner}`]
}

describe('one by one,', () => {
  const shaped = (kind: string, shapes: Readonly<Record<string, Shape>>, promise: (seen: Seen) => boolean) =>
    onLanes(Object.entries(shapes), async (lane, [name, shape]) => {
      const seen = await send(lane, kind, shape(lane.outer, lane.inner))
      return held(name, promise(seen), seen)
    })

  test(
    'what cannot be read in one way is refused and not carried out',
    () =>
      shaped(
        'refused',
        REFUSED,
        ({ statuses, outer, inner }) => statuses.every(isRefusal) && outer === 0 && inner === 0,
      ),
    WITHIN_MS,
  )

  test(
    'a request inside another is no request',
    () => shaped('one', ONE, ({ statuses, inner }) => statuses.length === 1 && inner === 0),
    WITHIN_MS,
  )

  test(
    'what the web server of the runtime does not know lets nothing in',
    () =>
      shaped(
        'at most 1',
        ONE_AT_MOST,
        ({ statuses, outer, inner }) => statuses.slice(1).every(isRefusal) && outer <= 1 && inner === 0,
      ),
    WITHIN_MS,
  )
})

test('a body that breaks off is no ping', async () => {
  await onLanes(
    ['Content-Length: 100\r\n\r\nhalf', 'Transfer-Encoding: chunked\r\n\r\n64\r\nhalf'],
    async (lane, rest) => {
      const before = await lane.pings()
      const text = `POST ${lane.outer} HTTP/1.1\r\nHost: x\r\n${rest}`
      for (let times = 0; times < 50; times++) await exchange(port, [Buffer.from(text)], { quietMs: 0, breakOff: true })
      const after = await lane.pings()
      return after.outer === before.outer ? [] : [`${rest}: ${after.outer - before.outer} pings`]
    },
  )
})

test('requests that come before the one in front of them is answered are answered in their order, or not at all', async () => {
  const [lane] = lanes
  if (lane === undefined) throw new Error('there are lanes')
  const pages = ['/healthz', '/nowhere', '/healthz']
  const many = pages.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')
  expect((await send(lane, 'pipelined', [many])).statuses).toEqual([200, 404, 200])
  const pings = await send(lane, 'pipelined', [`GET ${lane.outer} HTTP/1.1\r\nHost: x\r\n\r\n${lane.inner}`])
  expect([[], [200], [200, 200]]).toContainEqual([...pings.statuses])
  expect(pings.outer).toBe(1)
  expect(pings.inner).toBe(Math.max(pings.statuses.length - 1, 0))
})

test(
  'where a body ends is what RFC 9112 says, or nobody is let in',
  async () => {
    const targets: readonly ((lane: Lane) => string)[] = [({ outer }) => outer, () => '/healthz']
    // The places of the checks differ from lane to lane, so each lane makes its own.
    const count = framings('', 'x').length
    const all = targets.flatMap((target) => Array.from({ length: count }, (_, n) => ({ target, n })))
    expect(all.length).toBeGreaterThan(1_000)
    await onLanes(all, async (lane, { target, n }) => {
      const framed = framings(target(lane), lane.inner)[n]
      if (framed === undefined) throw new Error('the lists are of one length')
      const seen = await send(lane, 'framing', [framed.text])
      const isInnerRight = seen.inner <= (framed.isInnerFree ? 1 : 0)
      const isOuterRight = framed.isRefused ? seen.statuses.every(isRefusal) && seen.outer === 0 : seen.outer <= 1
      return held(framed.name, isInnerRight && isOuterRight && seen.statuses.length <= 2, seen)
    })
  },
  WITHIN_MS,
)

test(
  `${MUTATED} requests with bytes put in, left out and turned about break nothing`,
  async () => {
    const work = (lane: Lane, n: number) => {
      const property = fc.asyncProperty(mutations(lane), async ({ parts, breakOff }) => {
        const bytes = parts.map((part) => Buffer.from(part, 'latin1'))
        const { answers } = await exchange(port, bytes, { ...HASTY, breakOff })
        const statuses = answers.map(({ status }) => status)
        tally.count(breakOff ? 'broken off' : 'mutated', statuses[0] ?? 0)
        const errors = statuses.filter((status) => status >= 500 && !OF_THE_SOCKET.includes(status))
        if (errors.length > 0) throw new Error(`answered ${errors} to ${JSON.stringify(parts).slice(0, 3_000)}`)
      })
      return fc.assert(property, { seed: SEED + n, numRuns: Math.ceil(MUTATED / LANES) })
    }
    await Promise.all(lanes.map(work))
    for (const lane of lanes) expect((await lane.pings()).outer).toBeGreaterThan(0)
    expect((await fetch(`${served.baseUrl}/readyz`)).status).toBe(200)
  },
  WITHIN_MS,
)
