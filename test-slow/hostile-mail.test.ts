/** A real server against ten thousand messages that nobody means well with: none hurts it, and its memory is its own. */
import { expect, test } from 'bun:test'
import { freePort, serve } from '../test/support/served.ts'
import { type SmtpClient, smtpClient } from '../test/support/smtp-client.ts'
import { hostileMessage } from './support/hostile-messages.ts'
import { client } from './support/load.ts'

const MESSAGES = 10_000
const CONNECTIONS = 16
/** One in so many breaks off in the middle. */
const BREAKS_OFF = 50
/** What a runtime that collects its garbage when it likes may differ by. */
const GROWTH_BYTES = 64 * 1024 * 1024

test('ten thousand hostile messages are taken, and leave nothing in memory', async () => {
  const port = await freePort()
  const served = await serve({ SMTPD_PORT: String(port), PING_EMAIL_DOMAIN: 'ping.example' })
  try {
    const c = await client(served.databaseUrl, served.baseUrl)
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
    await send(0, MESSAGES / 2)
    const half = residentBytes(served.pid)
    await send(MESSAGES / 2, MESSAGES)
    const whole = residentBytes(served.pid)
    expect(whole - half).toBeLessThan(GROWTH_BYTES)

    const last = await smtpClient(port)
    expect(await last.mail('Subject: FAILED\r\n\r\n', `${checks[0]}@ping.example`)).toBe('250 2.6.0 OK')
    last.close()
    const { pings } = await c.json<{ pings: { type: string }[] }>(`checks/${checks[0]}/pings/`)
    expect(pings[0]?.type).toBe('fail')
    expect(served.logs()).not.toContain('unexpected error')
  } finally {
    await served.stop()
  }
})

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

function residentBytes(pid: number): number {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)])
  return Number(stdout.toString()) * 1024
}
