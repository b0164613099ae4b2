/** A clock that is put forth and back by a day while the server runs: no storm of alerts, and nobody waits for tomorrow. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { cpuSeconds } from '../../bench/support/process-figures.ts'
import { overdue } from '../../test/support/served.ts'
import { webhook } from '../../test/support/store-builders.ts'
import { byEffort } from '../support/effort.ts'
import { eventually } from '../support/eventually.ts'
import { CAN_FALSIFY, type FalseClock, falseClock, NEEDS_FAKETIME } from '../support/false-clock.ts'
import { firstBeat } from '../support/first-beat.ts'
import { type Client, expectSound } from '../support/load.ts'
import { answering } from '../support/receivers.ts'
import { readiness, scene } from '../support/scene.ts'

const DAY = 86_400
const CHECKS = 30
/** As long as the server leaves between two notes that it lives. */
const STRIDE_SECONDS = 10

const s = scene()

async function start() {
  const clock = falseClock(s.folder.file('clock'))
  const { served, c } = await s.serverWithClient(s.path, {
    ...clock.environment,
    LOG_LEVEL: 'info',
    INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True',
  })
  const receiver = answering(0)
  s.atEnd(() => receiver.stop())
  await hook(c, receiver.url)
  const wish = { timeout: 60, grace: 60, channels: '*' }
  const checks = await Promise.all(Array.from({ length: CHECKS }, () => c.createCheck(wish)))
  const pingAll = () => Promise.all(checks.map((check) => c.ping(check)))
  expect(new Set(await pingAll())).toEqual(new Set(['200 OK']))
  const statuses = async () => {
    const { checks } = await c.json<{ checks: { status: string }[] }>('checks/')
    return [...new Set(checks.map(({ status }) => status))]
  }
  await firstBeat(s.path)
  return { clock, served, c, receiver, pingAll, statuses }
}

function hook(c: Client, url: string): Promise<unknown> {
  const settings = JSON.stringify(webhook(url, url))
  return overdue(
    `sqlite:${s.path}`,
    'channel',
    'create',
    '--project',
    c.projectId,
    '--kind',
    'webhook',
    '--settings',
    settings,
  )
}

/** Puts the clock on bit by bit: never so far that the server takes it for an outage. */
async function walk(clock: FalseClock, seconds: number): Promise<void> {
  using beside = new Database(s.path, { readonly: true })
  const alive = beside.query<{ value: string }, []>(`SELECT value FROM settings WHERE name = 'alive'`)
  for (let ahead = STRIDE_SECONDS; ahead <= seconds; ahead += STRIDE_SECONDS) {
    clock.set(ahead)
    const since = Date.now() + (ahead - 3) * 1_000
    await eventually('the server notes that it lives', () => Number(alive.get()?.value) / 1_000 > since)
  }
}

/** The loops tick as often as ever, and no more. */
async function expectCalm(pid: number): Promise<void> {
  const before = cpuSeconds(pid)
  await Bun.sleep(2_000)
  expect(cpuSeconds(pid) - before).toBeLessThan(1)
}

/** When the loop `name` last ran, in seconds on the server's clock. */
async function lastRun(baseUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text()
  return Number(new RegExp(`overdue_loop_last_run_timestamp_seconds\\{loop="${name}"\\} (.*)`).exec(text)?.[1] ?? 0)
}

describe.skipIf(!CAN_FALSIFY)(`a clock that is put (${NEEDS_FAKETIME})`, () => {
  test('forth by a day looks like an outage: no alert for who pings within the grace time', async () => {
    const { clock, served, receiver, pingAll, statuses, c } = await start()
    clock.set(DAY)
    await eventually('the outage is noticed', () => served.logs().includes('no server was running'))
    await expectCalm(served.pid)
    expect(await statuses()).toEqual(['grace'])
    await pingAll()
    expect(await statuses()).toEqual(['up'])
    expect(receiver.arrivals).toEqual([])
    await served.stopped()
    expectSound(s.path, c.acknowledged)
  }, 60_000)

  test('forth and back leaves no check waiting for tomorrow: silence is alerted when it is due', async () => {
    const { clock, served, receiver, pingAll, statuses, c } = await start()
    clock.set(DAY)
    await eventually('the outage is noticed', () => served.logs().includes('no server was running'))
    await pingAll()
    clock.set(0)
    await eventually('the step back is noticed', () => served.logs().includes('the clock was put back'))
    await expectCalm(served.pid)
    expect(await statuses()).toEqual(['up'])
    expect(receiver.arrivals).toEqual([])
    expect(await readiness(served)).toStartWith('200 database: ok\n')
    await walk(clock, 130)
    await eventually('each silent check is alerted, once', () => receiver.arrivals.length >= CHECKS)
    expect(await statuses()).toEqual(['down'])
    await served.stopped()
    expect(receiver.arrivals).toHaveLength(CHECKS)
    expectSound(s.path, c.acknowledged)
  }, 120_000)

  test(
    `forth and back again and again keeps the loops ticking and takes pings throughout`,
    async () => {
      const { clock, served, pingAll, c } = await start()
      for (const ahead of Array.from({ length: byEffort(2, 40) }, (_, n) => [DAY, -DAY, 3_600, 0][n % 4] ?? 0)) {
        clock.set(ahead)
        await Bun.sleep(1_500)
        expect(new Set(await pingAll())).toEqual(new Set(['200 OK']))
        const present = Date.now() / 1_000 + ahead
        await eventually(
          'the loop ticks',
          async () => Math.abs((await lastRun(served.baseUrl, 'overdue')) - present) < 10,
        )
      }
      await expectCalm(served.pid)
      await served.stopped()
      expect(served.logs()).not.toContain('failed')
      expectSound(s.path, c.acknowledged)
    },
    byEffort(60_000, 600_000),
  )
})
