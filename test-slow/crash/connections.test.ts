/** Ten thousand connections that idle and hundreds that dawdle: others are served meanwhile, and the bounds hold. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { descriptorsOf, memoryOf } from '../../bench/support/process-figures.ts'
import { REQUEST_BODY_LIMIT } from '../../src/http/body.ts'
import { byEffort } from '../support/effort.ts'
import { eventually } from '../support/eventually.ts'
import { type Client, expectSound } from '../support/load.ts'
import { readiness, scene } from '../support/scene.ts'

const SLOW_OF_A_KIND = byEffort(100, 400)
/** Descriptors that the server and this process need besides. */
const OTHERS = 5 * SLOW_OF_A_KIND + 500
const IDLE = Math.min(10_000, openFilesLimit() - OTHERS)
const ENDLESS = 60
const AT_ONCE = 250
/** The server's own time, which is looked at every four seconds, and what a loaded machine needs. */
const CLOSED_WITHIN_MS = 60_000
const ANSWERED_WITHIN_MS = 3_000
/** Far above what an idle connection takes, far below what would fill a small machine. */
const BYTES_OF_A_CONNECTION = 20_000

const s = scene()

function openFilesLimit(): number {
  return Number(/Max open files +(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 0)
}

const residentBytes = (pid: number) => memoryOf(pid).residentMegabytes * 2 ** 20

interface Crowd {
  readonly open: number
  /** of whom the server has said anything */
  readonly answered: number
  write(bytes: string): void
  leave(): void
}

/** @param first what each says at once; it is silent from then on */
async function crowd(port: number, count: number, first = ''): Promise<Crowd> {
  const sockets = new Set<Bun.Socket>()
  let answered = 0
  const connect = () =>
    Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open(socket) {
          sockets.add(socket)
          if (first !== '') socket.write(first)
        },
        data() {
          answered += 1
        },
        close: (socket) => void sockets.delete(socket),
        error: (socket) => void sockets.delete(socket),
      },
    })
  for (let made = 0; made < count; made += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - made) }, connect))
  }
  return {
    get open() {
      return sockets.size
    },
    get answered() {
      return answered
    },
    write: (bytes) => {
      for (const socket of sockets) socket.write(bytes)
    },
    leave: () => {
      for (const socket of sockets) socket.end()
    },
  }
}

/** By what they do: how a request begins, and what follows each second. */
const SLOW: Readonly<Record<string, (check: string) => readonly [first: string, then: string]>> = {
  'send a header byte by byte': () => ['GET / HTTP/1.1\r\nX: ', 'a'],
  'send header after header': () => ['GET / HTTP/1.1\r\n', 'a: b\r\n'],
  'announce a body and send none': (check) => [
    `POST /ping/${check} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n`,
    '',
  ],
  'send a body byte by byte': (check) => [
    `POST /ping/${check} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n`,
    'a',
  ],
  'send a body chunk by chunk': (check) => [
    `POST /ping/${check} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`,
    '1\r\na\r\n',
  ],
}

/** @returns how long the slowest ping took, in milliseconds */
async function pingInTime(c: Client, check: string): Promise<number> {
  const began = performance.now()
  expect(await c.ping(check)).toBe('200 OK')
  const took = performance.now() - began
  expect(took).toBeLessThan(ANSWERED_WITHIN_MS)
  return took
}

test(`${IDLE} connections that idle and ${5 * SLOW_OF_A_KIND} slow ones keep nobody waiting, and are closed`, async () => {
  const { served, c } = await s.serverWithClient()
  const port = Number(new URL(served.baseUrl).port)
  const check = await c.createCheck()
  const victim = await c.createCheck({ name: 'of the slow ones' })
  for (let warm = 0; warm < 200; warm += 1) await c.ping(check)
  const before = { memory: residentBytes(served.pid), descriptors: descriptorsOf(served.pid) }

  const idle = await crowd(port, IDLE)
  s.atEnd(() => idle.leave())
  await eventually('all are let in', () => descriptorsOf(served.pid) >= before.descriptors + IDLE)
  const each = (residentBytes(served.pid) - before.memory) / IDLE
  expect(each).toBeLessThan(BYTES_OF_A_CONNECTION)

  const slow = await Promise.all(
    Object.values(SLOW).map(async (kind) => {
      const [first, then] = kind(victim)
      const group = await crowd(port, SLOW_OF_A_KIND, first)
      s.atEnd(() => group.leave())
      return { group, then }
    }),
  )
  let slowest = 0
  await eventually(
    'all are closed',
    async () => {
      for (const { group, then } of slow) group.write(then)
      slowest = Math.max(slowest, await pingInTime(c, check))
      await Bun.sleep(950)
      return idle.open === 0 && slow.every(({ group }) => group.open === 0)
    },
    CLOSED_WITHIN_MS,
  )
  await eventually('the descriptors are given back', () => descriptorsOf(served.pid) <= before.descriptors + 20)
  expect(slow.map(({ group }) => group.answered)).toEqual(slow.map(() => 0))
  expect((await c.json<{ n_pings: number }>(`checks/${victim}`)).n_pings).toBe(0)
  expect(await readiness(served)).toStartWith('200 database: ok\n')
  expect(residentBytes(served.pid) - before.memory).toBeLessThan(IDLE * BYTES_OF_A_CONNECTION)
  const figures = {
    bytesEach: Math.round(each),
    slowestPingMs: Math.round(slowest),
    before,
    after: residentBytes(served.pid),
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  await served.stopped()
  expect(served.logs()).not.toContain('unexpected error')
  expectSound(s.path, c.acknowledged)
}, 180_000)

test('bodies that do not end are pings, and little is kept of each', async () => {
  const { served, c } = await s.serverWithClient()
  const check = await c.createCheck()
  for (let warm = 0; warm < 50; warm += 1) await c.ping(check)
  const before = residentBytes(served.pid)
  const first = `POST /ping/${check} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`
  const endless = await crowd(Number(new URL(served.baseUrl).port), ENDLESS, first)
  s.atEnd(() => endless.leave())
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  let peak = 0
  // Each sends twice as much as is waited for.
  for (let sent = 0; sent < 2 * REQUEST_BODY_LIMIT; sent += 65_536) {
    endless.write(chunk)
    await Bun.sleep(10)
    peak = Math.max(peak, residentBytes(served.pid))
  }
  await eventually('each is answered', () => endless.answered >= ENDLESS)
  expect(peak - before).toBeLessThan(ENDLESS * REQUEST_BODY_LIMIT)
  expect(await c.ping(check)).toBe('200 OK')
  expect((await c.json<{ n_pings: number }>(`checks/${check}`)).n_pings).toBe(51 + ENDLESS)
  expect(served.logs()).not.toContain('unexpected error')
}, 60_000)
