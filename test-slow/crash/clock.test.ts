/** The clock is set forward and back by a day while the server runs: no wave of alerts, and no check waits for the next day. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { cpuSeconds } from '../../bench/support/process-figures.ts'
import { createWebhook } from '../support/channels.ts'
import { expectIntact } from '../support/client.ts'
import { byEffort } from '../support/effort.ts'
import { eventually } from '../support/eventually.ts'
import { CAN_FAKE_CLOCK, type FakeClock, fakeClock, NEEDS_FAKETIME } from '../support/fake-clock.ts'
import { firstHeartbeat } from '../support/first-heartbeat.ts'
import { fixture, readiness } from '../support/fixture.ts'
import { answering } from '../support/receivers.ts'

const DAY = 86_400
const CHECKS = 30
/** The interval of the server's heartbeat. */
const STRIDE_SECONDS = 10

const s = fixture()

async function start() {
  const clock = fakeClock(s.folder.file('clock'))
  const { served, c } = await s.serverWithClient(s.path, {
    ...clock.environment,
    LOG_LEVEL: 'info',
    INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True',
  })
  const receiver = answering(0)
  s.atEnd(() => receiver.stop())
  await createWebhook(`sqlite:${s.path}`, c.projectId, receiver.url)
  const fields = { timeout: 60, grace: 60, channels: '*' }
  const checks = await Promise.all(Array.from({ length: CHECKS }, () => c.createCheck(fields)))
  const pingAll = () => Promise.all(checks.map((check) => c.ping(check)))
  expect(new Set(await pingAll())).toEqual(new Set(['200 OK']))
  const statuses = async () => {
    const { checks } = await c.json<{ checks: { status: string }[] }>('checks/')
    return [...new Set(checks.map(({ status }) => status))]
  }
  await firstHeartbeat(s.path)
  return { clock, served, c, receiver, pingAll, statuses }
}

/** Moves the clock forward in steps too small for the server to treat them as an outage. */
async function advance(clock: FakeClock, seconds: number): Promise<void> {
  using beside = new Database(s.path, { readonly: true })
  const heartbeat = beside.query<{ value: string }, []>(`SELECT value FROM settings WHERE name = 'alive'`)
  for (let ahead = STRIDE_SECONDS; ahead <= seconds; ahead += STRIDE_SECONDS) {
    clock.set(ahead)
    const since = Date.now() + (ahead - 3) * 1_000
    await eventually('the server writes its heartbeat', () => Number(heartbeat.get()?.value) / 1_000 > since)
  }
}

/** Expects that the loops don't run more often than usual. */
async function expectLowCpu(pid: number): Promise<void> {
  const before = cpuSeconds(pid)
  await Bun.sleep(2_000)
  expect(cpuSeconds(pid) - before).toBeLessThan(1)
}

/** Returns when the loop called `name` last ran, in seconds on the server's clock. */
async function lastRun(baseUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text()
  return Number(new RegExp(`overdue_loop_last_run_timestamp_seconds\\{loop="${name}"\\} (.*)`).exec(text)?.[1] ?? 0)
}

describe.skipIf(!CAN_FAKE_CLOCK)(`a clock that is set (${NEEDS_FAKETIME})`, () => {
  test('forward by a day counts as an outage: checks that ping within their grace time cause no alert', async () => {
    const { clock, served, receiver, pingAll, statuses, c } = await start()
    clock.set(DAY)
    await eventually('the outage is logged', () => served.logs().includes('no server was running'))
    await expectLowCpu(served.pid)
    expect(await statuses()).toEqual(['grace'])
    await pingAll()
    expect(await statuses()).toEqual(['up'])
    expect(receiver.arrivals).toEqual([])
    await served.stopped()
    expectIntact(s.path, c.acknowledged)
  }, 60_000)

  test('forward and back does not delay alerts: a check without pings goes down at its deadline', async () => {
    const { clock, served, receiver, pingAll, statuses, c } = await start()
    clock.set(DAY)
    await eventually('the outage is logged', () => served.logs().includes('no server was running'))
    await pingAll()
    clock.set(0)
    await eventually('the step back is logged', () => served.logs().includes('the clock was set back'))
    await expectLowCpu(served.pid)
    expect(await statuses()).toEqual(['up'])
    expect(receiver.arrivals).toEqual([])
    expect(await readiness(served)).toStartWith('200 database: ok\n')
    await advance(clock, 130)
    await eventually('each check without pings causes one alert', () => receiver.arrivals.length >= CHECKS)
    expect(await statuses()).toEqual(['down'])
    await served.stopped()
    expect(receiver.arrivals).toHaveLength(CHECKS)
    expectIntact(s.path, c.acknowledged)
  }, 120_000)

  test(
    'forward and back repeatedly does not stop the loops, and every ping is accepted',
    async () => {
      const { clock, served, pingAll, c } = await start()
      for (const ahead of Array.from(
        { length: byEffort({ short: 2, long: 40 }) },
        (_, n) => [DAY, -DAY, 3_600, 0][n % 4] ?? 0,
      )) {
        clock.set(ahead)
        await Bun.sleep(1_500)
        expect(new Set(await pingAll())).toEqual(new Set(['200 OK']))
        const present = Date.now() / 1_000 + ahead
        await eventually(
          'the loop runs',
          async () => Math.abs((await lastRun(served.baseUrl, 'overdue')) - present) < 10,
        )
      }
      await expectLowCpu(served.pid)
      await served.stopped()
      expect(served.logs()).not.toContain('failed')
      expectIntact(s.path, c.acknowledged)
    },
    byEffort({ short: 60_000, long: 600_000 }),
  )
})
