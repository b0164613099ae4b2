/** Two instances on one PostgreSQL, on machines whose clocks differ. One of the clocks is set while its instance runs. */
import { describe, expect, test } from 'bun:test'
import { serve } from '../../test/support/served.ts'
import { startDatabase } from '../postgres/support/database.ts'
import { createWebhook } from '../support/channels.ts'
import { client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { CAN_FAKE_CLOCK, fakeClock, NEEDS_FAKETIME } from '../support/fake-clock.ts'
import { fixture, stoppable } from '../support/fixture.ts'
import { answering } from '../support/receivers.ts'

const CHECKS = 20
const DAY = 86_400
const TEN_MINUTES = 600
/** Longest time of a loaded machine between a ping and the next reading of the clock. */
const CLOSE_SECONDS = 5

const s = fixture()

describe.skipIf(!CAN_FAKE_CLOCK)(`an instance with a wrong clock (${NEEDS_FAKETIME})`, () => {
  test('judges, stamps and sends at the times of the other one', async () => {
    const database = await startDatabase()
    s.atEnd(() => database.cluster.remove())
    const start = async (name: string, settings: Readonly<Record<string, string>> = {}) => {
      const usual = { DATABASE_URL: database.url, LOG_LEVEL: 'info', INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' }
      const served = stoppable(await serve({ ...usual, INSTANCE_NAME: name, ...settings }))
      s.atEnd(served.stopped)
      return served
    }
    const clock = fakeClock(s.folder.file('clock'))
    clock.set(TEN_MINUTES)
    const right = await start('right')
    const wrong = await start('wrong', clock.environment)
    const [onRight, onWrong] = [await client(database.url, right.baseUrl), wrong.baseUrl]
    const receiver = answering(50)
    s.atEnd(() => receiver.stop())
    await createWebhook(database.url, onRight.projectId, receiver.url)
    const fields = { timeout: 60, grace: 60, channels: '*' }
    const checks = await Promise.all(Array.from({ length: CHECKS }, () => onRight.createCheck(fields)))
    const ping = (baseUrl: string, check: string, action = '') => fetch(`${baseUrl}/ping/${check}${action}`)
    const list = () => onRight.json<{ checks: { last_ping: string; status: string }[] }>('checks/')

    for (const ahead of [TEN_MINUTES, DAY, -DAY, -TEN_MINUTES]) {
      clock.set(ahead)
      await eventually('the instance knows how wrong its clock is', async () => {
        const metrics = await (await fetch(`${onWrong}/metrics`)).text()
        const told = /^overdue_instance_clock_ahead_seconds (\S+)/m.exec(metrics)?.[1]
        return told !== undefined && Math.abs(Number(told) - ahead) < 1
      })
      await Promise.all(checks.map((check) => ping(onWrong, check)))
      const off = (await list()).checks.map(({ last_ping }) => Math.abs(Date.parse(last_ping) - Date.now()) / 1_000)
      expect(Math.max(...off)).toBeLessThan(CLOSE_SECONDS)
    }
    expect([...new Set((await list()).checks.map(({ status }) => status))]).toEqual(['up'])
    expect(receiver.arrivals).toEqual([])

    await Promise.all(checks.map((check, index) => ping(index % 2 ? onWrong : right.baseUrl, check, '/fail')))
    await eventually('every alert has arrived', () => receiver.arrivals.length >= CHECKS)
    await wrong.stopped()
    await right.stopped()
    expect(new Set(receiver.arrivals.map(({ id }) => id)).size).toBe(CHECKS)
    expect(receiver.arrivals).toHaveLength(CHECKS)
    // A slow answer of the database counts as a difference.
    expect(wrong.logs()).toMatch(/the clock of this machine is (?:600|599)\.\d seconds ahead of the database clock/)
    expect(wrong.logs() + right.logs()).not.toContain('no server was running')
  }, 120_000)
})
