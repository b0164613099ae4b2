/**
 * Without free file descriptors the server serves connected clients and loses nothing; it accepts others when descriptors are free again.
 */
import { expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { descriptorsOf } from '../../bench/support/process-figures.ts'
import { expectIntact } from '../support/client.ts'
import { run } from '../support/disk.ts'
import { byEffort } from '../support/effort.ts'
import { eventually } from '../support/eventually.ts'
import { fixture, readiness } from '../support/fixture.ts'

const LIMIT = 64
const WAITING = 200
const ANSWERED_WITHIN_MS = 10_000

const s = fixture()

const CAN_LIMIT = ((): boolean => {
  try {
    run('prlimit', '--version')
    return true
  } catch {
    return false
  }
})()

/** Opens a keep-alive connection for one request after the other. */
function keptConnection(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  s.atEnd(() => socket.destroy())
  /** @returns the answer, or `nothing` when none arrives in time */
  return (check: string, withinMs = ANSWERED_WITHIN_MS): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>()
    socket.once('data', (bytes) => resolve(bytes.toString()))
    socket.write(`GET /ping/${check} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return Promise.race([promise, Bun.sleep(withinMs).then(() => 'nothing')])
  }
}

test.skipIf(!CAN_LIMIT)(
  'a server without file descriptors serves connected clients, loses nothing and accepts others later (needs prlimit)',
  async () => {
    const { served, c } = await s.serverWithClient()
    const { pid } = served
    const port = Number(new URL(served.baseUrl).port)
    const check = await c.createCheck()
    const open = () => descriptorsOf(pid)
    for (let round = 0; round < byEffort({ short: 1, long: 10 }); round += 1) {
      const ping = keptConnection(port)
      expect(await ping(check)).toContain('200 OK')
      run('prlimit', '--pid', String(pid), `--nofile=${LIMIT}:`)
      const waiting: Socket[] = Array.from({ length: WAITING }, () => connect(port, '127.0.0.1').on('error', () => {}))
      const closeWaiting = () => {
        for (const socket of waiting) socket.destroy()
      }
      s.atEnd(closeWaiting)
      await eventually('all descriptors are in use', () => open() >= LIMIT)
      for (let sent = 0; sent < 20; sent += 1) expect(await ping(check)).toContain('200 OK')
      // A new client gets no answer. This proves that the limit is in force.
      expect(await keptConnection(port)(check, 500)).toBe('nothing')

      await eventually('the server logs the shortage', () =>
        served.logs().includes('file descriptors are almost used up'),
      )
      closeWaiting()
      await eventually('a new connection is accepted', async () => {
        const answer = await fetch(`${served.baseUrl}/api/v3/status/`, { signal: AbortSignal.timeout(1_000) }).catch(
          () => null,
        )
        return answer?.status === 200
      })
      expect(await c.ping(check)).toBe('200 OK')
      await eventually('the descriptors are free again', () => open() < LIMIT / 2)
      expect(await readiness(served)).toStartWith('200 database: ok\n')
    }
    expect(served.logs()).not.toContain('unexpected error')
    await served.stopped()
    expectIntact(s.path, c.acknowledged)
  },
  byEffort({ short: 90_000, long: 600_000 }),
)
