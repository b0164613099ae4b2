/** Thousands of idle connections and hundreds of slow ones: other clients are served, and the limits hold. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { descriptorsOf, memoryOf } from '../../bench/support/process-figures.ts'
import { REQUEST_BODY_LIMIT } from '../../src/http/body.ts'
import { type Client, expectIntact } from '../support/client.ts'
import { byEffort } from '../support/effort.ts'
import { eventually } from '../support/eventually.ts'
import { fixture, readiness } from '../support/fixture.ts'

const SLOW_OF_A_KIND = byEffort({ short: 40, full: 100, long: 400 })
/** File descriptors that the server and this process need for everything else. */
const OTHER_FILES = 5 * SLOW_OF_A_KIND + 500
const IDLE = Math.min(byEffort({ short: 2_500, full: 10_000 }), openFilesLimit() - OTHER_FILES)
const ENDLESS = 60
const AT_ONCE = 250
/** Limit for closing: the server's 30 seconds, which it checks every four, and a margin for a loaded machine. */
const CLOSED_WITHIN_MS = 90_000
/** Limit for an answer, less than the server's 30 seconds. */
const ANSWERED_WITHIN_MS = 15_000
/** Limit of memory: far more than an idle connection needs, far less than would fill the memory of a small machine. */
const BYTES_OF_A_CONNECTION = 20_000

const s = fixture()

function openFilesLimit(): number {
  return Number(/Max open files +(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 0)
}

const residentBytes = (pid: number) => memoryOf(pid).residentMegabytes * 2 ** 20

interface Connections {
  readonly open: number
  /** number of answers that have arrived */
  readonly answered: number
  write(bytes: string): void
  close(): void
}

/** @param first the bytes that each connection sends when it opens */
async function openConnections(port: number, count: number, first = ''): Promise<Connections> {
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
  for (let opened = 0; opened < count; opened += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - opened) }, connect))
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
    close: () => {
      for (const socket of sockets) socket.end()
    },
  }
}

/** Slow clients: the beginning of each request, and the bytes that follow every second. */
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

/** @returns milliseconds of the ping */
async function pingInTime(c: Client, check: string): Promise<number> {
  const began = performance.now()
  expect(await c.ping(check)).toBe('200 OK')
  const took = performance.now() - began
  expect(took).toBeLessThan(ANSWERED_WITHIN_MS)
  return took
}

test(`${IDLE} idle connections and ${5 * SLOW_OF_A_KIND} slow ones do not delay other clients, and are closed`, async () => {
  const { served, c } = await s.serverWithClient()
  const port = Number(new URL(served.baseUrl).port)
  const check = await c.createCheck()
  const victim = await c.createCheck({ name: 'slow' })
  for (let warm = 0; warm < 200; warm += 1) await c.ping(check)
  const before = { memory: residentBytes(served.pid), descriptors: descriptorsOf(served.pid) }

  const idle = await openConnections(port, IDLE)
  s.atEnd(() => idle.close())
  await eventually('all are accepted', () => descriptorsOf(served.pid) >= before.descriptors + IDLE)
  const each = (residentBytes(served.pid) - before.memory) / IDLE
  expect(each).toBeLessThan(BYTES_OF_A_CONNECTION)

  const slow = await Promise.all(
    Object.values(SLOW).map(async (kind) => {
      const [first, then] = kind(victim)
      const group = await openConnections(port, SLOW_OF_A_KIND, first)
      s.atEnd(() => group.close())
      return { group, then }
    }),
  )
  let slowest = 0
  await eventually(
    'every connection is closed',
    async () => {
      for (const { group, then } of slow) group.write(then)
      slowest = Math.max(slowest, await pingInTime(c, check))
      await Bun.sleep(950)
      return idle.open === 0 && slow.every(({ group }) => group.open === 0)
    },
    CLOSED_WITHIN_MS,
  )
  await eventually('the descriptors are free again', () => descriptorsOf(served.pid) <= before.descriptors + 20)
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
  expectIntact(s.path, c.acknowledged)
}, 180_000)

test('a request with an endless body counts as a ping, and the server keeps little of the body', async () => {
  const { served, c } = await s.serverWithClient()
  const check = await c.createCheck()
  for (let warm = 0; warm < 50; warm += 1) await c.ping(check)
  const before = residentBytes(served.pid)
  const first = `POST /ping/${check} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`
  const endless = await openConnections(Number(new URL(served.baseUrl).port), ENDLESS, first)
  s.atEnd(() => endless.close())
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  let peak = 0
  // Each connection sends twice as much as the server reads.
  for (let sent = 0; sent < 2 * REQUEST_BODY_LIMIT; sent += 65_536) {
    endless.write(chunk)
    await Bun.sleep(10)
    peak = Math.max(peak, residentBytes(served.pid))
  }
  await eventually('every request is answered', () => endless.answered >= ENDLESS)
  expect(peak - before).toBeLessThan(ENDLESS * REQUEST_BODY_LIMIT)
  expect(await c.ping(check)).toBe('200 OK')
  expect((await c.json<{ n_pings: number }>(`checks/${check}`)).n_pings).toBe(51 + ENDLESS)
  expect(served.logs()).not.toContain('unexpected error')
}, 60_000)
