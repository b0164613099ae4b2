/** A real server receives ten thousand hostile messages: none stops it, and its memory doesn't grow. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { memoryOf } from '../bench/support/process-figures.ts'
import { freePort } from '../test/support/free-port.ts'
import { type Served, serve } from '../test/support/served.ts'
import { type SmtpClient, smtpClient } from '../test/support/smtp-client.ts'
import { type Client, client } from './support/client.ts'
import { hostileMessage, largeHostileMessages } from './support/hostile-messages.ts'

const MESSAGES = 10_000
const CONNECTIONS = 16
/** One message in so many is broken off in the middle. */
const BREAKS_OFF = 50
/**
 * How long a ping over HTTP may take while the server reads messages. It takes about a third of this on an idle machine;
 * here the server and the sender of the messages share the processors.
 */
const PING_WITHIN_MS = 1_000

/** Allows for garbage that the runtime has not collected yet. */
const GROWTH_MEGABYTES = 64

let port: number
let served: Served
let c: Client
beforeEach(async () => {
  port = freePort()
  served = await serve({ SMTPD_PORT: String(port), PING_EMAIL_DOMAIN: 'ping.example' })
  c = await client(served.databaseUrl, served.baseUrl)
})
afterEach(() => served.stop())

test('ten thousand hostile messages are accepted and do not make memory grow', async () => {
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
  await send(0, MESSAGES / 2)
  const half = memoryOf(served.pid).residentMegabytes
  await send(MESSAGES / 2, MESSAGES)
  const whole = memoryOf(served.pid).residentMegabytes
  expect(whole - half).toBeLessThan(GROWTH_MEGABYTES)

  expect(await pings.longestWait()).toBeLessThan(PING_WITHIN_MS)
  const last = await smtpClient(port)
  expect(await last.mail('Subject: FAILED\r\n\r\n', `${checks[0]}@ping.example`)).toBe('250 2.6.0 OK')
  last.close()
  const log = await c.json<{ pings: { type: string }[] }>(`checks/${checks[0]}/pings/`)
  expect(log.pings[0]?.type).toBe('fail')
  expect(served.logs()).not.toContain('unexpected error')
})

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
          const answer = await connection.mail(Buffer.from(hostileMessage(n), 'latin1'), recipient(n))
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
  const message = hostileMessage(n)
  connection.write(message.slice(0, message.length / 2))
  connection.close()
}
