/** No file descriptor left: who is connected is served, nothing is lost, and all goes on when there are some again. */
import { expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { descriptorsOf } from '../../bench/support/process-figures.ts'
import { run } from '../support/disk.ts'
import { byEffort } from '../support/effort.ts'
import { eventually } from '../support/eventually.ts'
import { expectSound } from '../support/load.ts'
import { readiness, scene } from '../support/scene.ts'

const LIMIT = 64
const KNOCKING = 200
const ANSWERED_WITHIN_MS = 10_000

const s = scene()

const CAN_LIMIT = ((): boolean => {
  try {
    run('prlimit', '--version')
    return true
  } catch {
    return false
  }
})()

/** A connection that is kept, for requests one after the other. */
function keptConnection(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  s.atEnd(() => socket.destroy())
  /** @returns the answer, or nothing when none comes in time */
  return (check: string, withinMs = ANSWERED_WITHIN_MS): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>()
    socket.once('data', (bytes) => resolve(bytes.toString()))
    socket.write(`GET /ping/${check} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return Promise.race([promise, Bun.sleep(withinMs).then(() => 'nothing')])
  }
}

test.skipIf(!CAN_LIMIT)(
  'a server without descriptors serves who is connected and loses nothing, and lets others in again later (needs prlimit)',
  async () => {
    const { served, c } = await s.serverWithClient()
    const { pid } = served
    const port = Number(new URL(served.baseUrl).port)
    const check = await c.createCheck()
    const open = () => descriptorsOf(pid)
    for (let round = 0; round < byEffort(1, 10); round += 1) {
      const ping = keptConnection(port)
      expect(await ping(check)).toContain('200 OK')
      run('prlimit', '--pid', String(pid), `--nofile=${LIMIT}:`)
      const crowd: Socket[] = Array.from({ length: KNOCKING }, () => connect(port, '127.0.0.1').on('error', () => {}))
      const leave = () => {
        for (const socket of crowd) socket.destroy()
      }
      s.atEnd(leave)
      await eventually('all descriptors are taken', () => open() >= LIMIT)
      for (let sent = 0; sent < 20; sent += 1) expect(await ping(check)).toContain('200 OK')
      // Somebody new is not let in: without this the limit would have been none.
      expect(await keptConnection(port)(check, 500)).toBe('nothing')

      await eventually('the log says so', () => served.logs().includes('hardly any file descriptor is left'))
      leave()
      await eventually('a new connection is let in', async () => {
        const answer = await fetch(`${served.baseUrl}/api/v3/status/`, { signal: AbortSignal.timeout(1_000) }).catch(
          () => null,
        )
        return answer?.status === 200
      })
      expect(await c.ping(check)).toBe('200 OK')
      await eventually('the descriptors are given back', () => open() < LIMIT / 2)
      expect(await readiness(served)).toStartWith('200 database: ok\n')
    }
    expect(served.logs()).not.toContain('unexpected error')
    await served.stopped()
    expectSound(s.path, c.acknowledged)
  },
  byEffort(90_000, 600_000),
)
