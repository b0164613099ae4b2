/** A real server receives thousands of hostile messages: none stops it, and its memory doesn't grow. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { memoryOf } from '../bench/support/process-figures.ts'
import { freePort } from '../test/support/free-port.ts'
import { type Served, serve } from '../test/support/served.ts'
import { type SmtpClient, smtpClient } from '../test/support/smtp-client.ts'
import { type Client, client } from './support/client.ts'
import { byEffort } from './support/effort.ts'
import { hostileMessage, largeHostileMessages } from './support/hostile-messages.ts'
import { SEED } from './support/seed.ts'

const MESSAGES = byEffort({ short: 1_000, full: 10_000 })
const CONNECTIONS = 16
/** Number of messages of which one is broken off in the middle. */
const BREAKS_OFF = 50
/**
 * Greatest duration of a ping over HTTP while the server reads messages. It takes a third of a second on an idle machine. A message whose
 * cost grew with the square of its size would take longer than this anywhere.
 */
const PING_WITHIN_MS = 10_000

/** Lines that are added to each message, so that a server which keeps messages grows by much more than its heap varies. */
const PADDING = `\r\n${'x'.repeat(78)}`.repeat(2_000_000 / MESSAGES)
/** Number of parts. The first ones fill the caches of the database, so the memory after the middle one counts as the beginning. */
const PARTS = 4
/** Half of the growth of memory if the server kept each message of the later parts. */
const GROWTH_MEGABYTES = ((MESSAGES / 2) * PADDING.length) / 2 ** 20 / 2
/** Environment that collects garbage as on a machine with this memory, so that little of the resident memory is garbage. */
const EAGER_COLLECTION = { BUN_JSC_forceRAMSize: String(128 * 2 ** 20) }

let port: number
let served: Served
let c: Client
const children: Bun.Subprocess[] = []
beforeEach(async () => {
  port = freePort()
  served = await serve({ SMTPD_PORT: String(port), PING_EMAIL_DOMAIN: 'ping.example', ...EAGER_COLLECTION })
  c = await client(served.databaseUrl, served.baseUrl)
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    await child.exited
  }
  await served.stop()
})

test(`${MESSAGES} hostile messages are accepted and do not make memory grow`, async () => {
  const checks = await Promise.all(
    Array.from({ length: 20 }, () =>
      c.createCheck({
        filter_subject: true,
        filter_body: true,
        success_kw: 'OK,é',
        failure_kw: 'FAILED',
        start_kw: 'x',
      }),
    ),
  )
  const send = sender(port, (n) => `${checks[n % checks.length]}@ping.example`)
  const pings = await startPingLoop()
  const sizes: number[] = []
  for (let part = 0; part < PARTS; part += 1) {
    await send((part * MESSAGES) / PARTS, ((part + 1) * MESSAGES) / PARTS)
    sizes.push(await lowestMegabytes(served.pid))
  }
  const [middle = Number.NaN, end = Number.NaN] = [sizes[PARTS / 2 - 1], sizes.at(-1)]
  expect(end - middle).toBeLessThan(GROWTH_MEGABYTES)

  expect(await pings.longestWait()).toBeLessThan(PING_WITHIN_MS)
  const last = await smtpClient(port)
  expect(await last.mail('Subject: FAILED\r\n\r\n', `${checks[0]}@ping.example`)).toBe('250 2.6.0 OK')
  last.close()
  const log = await c.json<{ pings: { type: string }[] }>(`checks/${checks[0]}/pings/`)
  expect(log.pings[0]?.type).toBe('fail')
  expect(served.logs()).not.toContain('unexpected error')
}, 900_000)

test('large hostile messages, one or several at a time, do not delay pings', async () => {
  const searching = await c.createCheck({ filter_subject: true, filter_body: true, failure_kw: 'FAILED' })
  const other = await c.createCheck()
  const slow: [name: string, waited: number][] = []
  for (const [name, text] of largeHostileMessages()) {
    const message = Buffer.from(text, 'latin1')
    const pings = await startPingLoop()
    const answers = [searching, searching, other].map(async (check) => {
      const connection = await smtpClient(port)
      const answer = await connection.mail(message, `${check}@ping.example`)
      connection.close()
      return answer
    })
    expect([name, ...(await Promise.all(answers))]).toEqual([name, ...Array(3).fill('250 2.6.0 OK')])
    const waited = await pings.longestWait()
    if (waited > PING_WITHIN_MS) slow.push([name, waited])
  }
  expect(slow).toEqual([])
})

test('a large message to several checks does not delay pings', async () => {
  const checks = await Promise.all(Array.from({ length: 20 }, () => c.createCheck()))
  const pings = await startPingLoop()
  const connection = await smtpClient(port)
  const message = `Subject: s\r\n\r\n${`${'x'.repeat(998)}\r\n`.repeat(3_000)}`
  const recipients = checks.map((check) => `${check}@ping.example`)
  expect(await connection.mail(message, ...recipients)).toBe('250 2.6.0 OK')
  connection.close()
  expect(await pings.longestWait()).toBeLessThan(PING_WITHIN_MS)
})

/** @returns the lowest of several readings while the server has little to do, because it frees memory only after a while */
async function lowestMegabytes(pid: number): Promise<number> {
  const readings: number[] = []
  for (let reading = 0; reading < 8; reading += 1) {
    await Bun.sleep(250)
    readings.push(memoryOf(pid).residentMegabytes)
  }
  return Math.min(...readings)
}

interface PingLoop {
  /** Stops pinging. @returns milliseconds that the slowest ping took */
  longestWait(): Promise<number>
}

/** Pings a check over HTTP in a loop, from a separate process, so that work in this one doesn't count as waiting. */
async function startPingLoop(): Promise<PingLoop> {
  const check = await c.createCheck()
  const program = join(import.meta.dir, 'support/ping-loop.ts')
  const child = Bun.spawn([process.execPath, program, `${served.baseUrl}/ping/${check}`], {
    stdin: 'pipe',
    stdout: 'pipe',
  })
  children.push(child)
  const lines = createInterface({ input: Readable.from(child.stdout) })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('ready')
  return {
    async longestWait() {
      child.stdin.end()
      const { value } = await lines.next()
      return Number.parseFloat(String(value))
    },
  }
}

function sender(port: number, recipient: (n: number) => string) {
  return async (from: number, to: number): Promise<void> => {
    let next = from
    const work = async () => {
      let connection: SmtpClient | null = null
      while (next < to) {
        const n = next++
        connection ??= await smtpClient(port)
        if (n % BREAKS_OFF === 0) {
          await breakOff(connection, n, recipient(n))
          connection = null
        } else {
          const answer = await connection.mail(Buffer.from(hostileMessage(SEED + n) + PADDING, 'latin1'), recipient(n))
          expect([n, answer]).toEqual([n, '250 2.6.0 OK'])
        }
      }
      connection?.close()
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
  }
}

async function breakOff(connection: SmtpClient, n: number, recipient: string): Promise<void> {
  await connection.begin(recipient)
  const message = hostileMessage(SEED + n) + PADDING
  connection.write(message.slice(0, message.length / 2))
  connection.close()
}
