/** Instances on one database: facts about each, and work that only one of them does at a time. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createApp } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { Deps } from '../../../src/services/common/deps.ts'
import { createSharedClock } from '../../../src/services/common/ports/shared-clock.ts'
import { flipOverdue } from '../../../src/services/pings/flips.ts'
import { listInstances } from '../../../src/services/server/instances.ts'
import { createHeartbeat, recordStop } from '../../../src/services/server/outage.ts'
import { createReadiness } from '../../../src/services/server/readiness.ts'
import { clockAhead } from '../../support/clock.ts'
import { only } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let seconds: number
beforeEach(async () => {
  seconds = 1000
  t = await testApp({ stopwatch: () => seconds, env: { INSTANCE_NAME: 'east', PING_LOG_LIMIT: '10' } })
})
afterEach(() => t.close())

const pass = (passed: number) => {
  seconds += passed
  t.clock.advance({ seconds: passed })
}
const create = async () =>
  (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: {} })).uuid
const clockWarnings = () => t.log.filter(({ message }) => message.startsWith('the clock of this machine'))

/** Another instance. */
const west = (): Deps => ({ ...t.app.deps, instance: { id: 'w', name: 'west' } })
/** Puts this instance on a machine whose clock is ahead by the seconds that `ahead` returns. */
const withClock = (ahead: () => number): Deps => {
  const own = clockAhead(t.clock, () => ({ milliseconds: 1000 * ahead() }))
  const { now, read: readClock } = createSharedClock(t.app.deps.store.server.readClock, own.now)
  return { ...t.app.deps, now, readClock }
}

describe('an instance', () => {
  test('tells with each heartbeat who it is and what it did since the last one', async () => {
    const beat = createHeartbeat(t.app.deps)
    const uuid = await create()
    await beat()
    for (let count = 0; count < 25; count += 1) await t.call('GET', `/ping/${uuid}`)
    pass(10)
    await beat()
    const instance = only(await listInstances(t.app.deps))
    const { version } = t.app.deps.ownProcess
    expect(instance).toMatchObject({ name: 'east', version, isAlive: true, silentSeconds: 0, clockAhead: 0 })
    expect(instance.load).toMatchObject({ pingsPerSecond: 2.5, commitMilliseconds: 0 })
    expect(instance.load.memoryMegabytes).toBeGreaterThan(10)
  })

  test('is gone when it has been silent for more than three heartbeats, and forgotten after a day', async () => {
    await createHeartbeat(t.app.deps)()
    pass(1)
    const beat = createHeartbeat(west())
    await beat()
    const alive = async () => (await listInstances(t.app.deps)).map(({ name, isAlive }) => [name, isAlive])
    pass(29)
    expect(await alive()).toEqual([
      ['east', true],
      ['west', true],
    ])
    pass(1)
    expect(await alive()).toEqual([
      ['east', false],
      ['west', true],
    ])
    pass(86_400 - 31)
    await t.app.settle('retention')
    expect(await alive()).toHaveLength(2)
    pass(60)
    await beat()
    await t.app.settle('retention')
    expect(await alive()).toEqual([['west', true]])
  })

  test('that stops is forgotten at once', async () => {
    await createHeartbeat(t.app.deps)()
    await createHeartbeat(west())()
    await recordStop(t.app.deps)
    expect((await listInstances(t.app.deps)).map(({ name }) => name)).toEqual(['west'])
  })

  test('counts those that live on /readyz, itself among them', async () => {
    const line = async (deps: Deps) => (await createReadiness(deps)()).find(({ part }) => part === 'instances')
    expect(await line(t.app.deps)).toEqual({ part: 'instances', problem: null, note: '1 alive' })
    await createHeartbeat(west())()
    expect(await line(t.app.deps)).toMatchObject({ note: '2 alive' })
    await createHeartbeat(withClock(() => -3.25))()
    expect(await line(t.app.deps)).toMatchObject({
      note: '2 alive; the clock of this machine is 3.3 seconds behind the database clock',
    })
  })

  test('whose heartbeats fail says on /readyz that the others take it for gone', async () => {
    const line = async () => (await createReadiness(t.app.deps)()).find(({ part }) => part === 'instances')
    await createHeartbeat(t.app.deps)()
    pass(31)
    await createHeartbeat(west())()
    expect(await line()).toEqual({
      part: 'instances',
      problem: null,
      note: '1 alive, without this one: its last sign of life was 31 seconds ago',
    })
  })
})

describe('a clock that differs from that of the database', () => {
  test('by more than two seconds is logged once, and once more when it is right again', async () => {
    let ahead = 2
    const beat = createHeartbeat(withClock(() => ahead))
    const beats = async (by: number) => {
      ahead = by
      for (let count = 0; count < 2; count += 1) {
        pass(10)
        await beat()
      }
    }
    await beats(2)
    expect(clockWarnings()).toEqual([])
    await beats(2.5)
    expect(clockWarnings()).toEqual([
      {
        level: 'warning',
        message:
          'the clock of this machine is 2.5 seconds ahead of the database clock; synchronize both with a time server (NTP)',
        details: {},
      },
    ])
    await beats(0)
    expect(clockWarnings().map(({ level }) => level)).toEqual(['warning', 'info'])
  })

  test('is no outage: each instance measures gaps by the clock of the database', async () => {
    const beats = [createHeartbeat(t.app.deps), createHeartbeat({ ...withClock(() => 40), instance: west().instance })]
    for (let count = 0; count < 6; count += 1) {
      await beats[count % 2]?.()
      pass(5)
    }
    expect(await t.app.deps.store.server.findOutage()).toBeNull()
  })

  test('because it is set forward leaves no check with a time that is to come, once the next heartbeat has noticed', async () => {
    let ahead = 0
    const deps = withClock(() => ahead)
    const beat = createHeartbeat(deps)
    await beat()
    const uuid = await create()
    const app = createApp(readConfig({}), deps)
    ahead = 86_400
    await app.handle(new Request(`http://localhost/ping/${uuid}`))
    await beat()
    const found = await t.app.deps.store.checks.find(uuid)
    expect([String(found?.check.lastPingAt), String(deps.now())]).toEqual([
      String(t.clock.now()),
      String(t.clock.now()),
    ])
  })

  test.each([[86_400], [-86_400]])(
    'because it is set by %d seconds is followed at the next look, and no check goes down',
    async (by) => {
      let ahead = 0
      const deps = withClock(() => ahead)
      const beat = createHeartbeat(deps)
      const uuid = await create()
      await t.call('GET', `/ping/${uuid}`)
      await beat()
      ahead = by
      pass(1)
      await flipOverdue(deps, await beat())
      expect((await t.app.deps.store.checks.find(uuid))?.check.status).toBe('up')
      expect(String(deps.now())).toBe(String(t.clock.now()))
    },
  )
})

describe('retention', () => {
  test('runs on one instance, until that stops or its lease has ended', async () => {
    const other = createApp(readConfig({}), west())
    const uuid = await create()
    const { store } = t.app.deps
    const entries = async () => (await store.pings.list(uuid, 1000)).length
    const fill = async () => {
      for (let count = 0; count < 100; count += 1) await t.call('GET', `/ping/${uuid}`)
    }
    await fill()
    await t.app.settle('retention')
    expect(await entries()).toBe(10)
    await fill()
    await other.settle('retention')
    expect(await entries()).toBe(110)
    await recordStop(t.app.deps)
    pass(51)
    await other.settle('retention')
    expect(await entries()).toBe(10)
  })
})
