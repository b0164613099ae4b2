/** Each way in which a server cannot do its work fails its own line of `/readyz`. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Refusal } from '../../../src/domain/errors.ts'
import { type Instant, isoSeconds } from '../../../src/lib/time.ts'
import { createJob } from '../../../src/loops/job.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import type { Deps } from '../../../src/services/common/deps.ts'
import { recoverFromOutage } from '../../../src/services/server/outage.ts'
import { createReadiness } from '../../../src/services/server/readiness.ts'
import type { Store } from '../../../src/store/store.ts'
import { type OtherMethods, replaced } from '../../support/replaced-methods.ts'
import { rejection, webhook } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'

const PATIENCE = 30

let t: TestApp
let milliseconds: number
const stopwatch = () => milliseconds / 1000
beforeEach(async () => {
  milliseconds = 1_000_000
  t = await testApp({ stopwatch })
})
afterEach(() => t.close())

/** Lets time pass without setting the clock. */
const pass = (passed: number) => {
  milliseconds += passed * 1000
  t.clock.advance({ milliseconds: passed * 1000 })
}

/** Returns the problems, by part; empty when all parts work. */
async function problems(deps: Deps = t.app.deps): Promise<Record<string, string>> {
  const lines = await createReadiness(deps)()
  return Object.fromEntries(lines.flatMap(({ part, problem }) => (problem === null ? [] : [[part, problem]])))
}

const withStore = (methods: OtherMethods<Store>): Deps => ({
  ...t.app.deps,
  store: replaced(t.app.deps.store, methods),
})
const unavailable = (reason: string) => async () => {
  throw new Refusal('unavailable', 'please try again', { reason })
}

test('all parts of a new server work', async () => {
  expect(await createReadiness(withStore({ server: { durability: async () => null } }))()).toEqual([
    { part: 'database', problem: null },
    { part: 'outbox', problem: null },
    { part: 'instances', problem: null, note: '1 alive' },
    { part: 'last outage', problem: null, note: 'none known' },
  ])
})

test('the last outage is shown, but is not a problem', async () => {
  const { store } = t.app.deps
  await store.server.recordAlive(t.clock.now())
  t.clock.advance({ hours: 2 })
  await recoverFromOutage(t.app.deps)
  t.clock.advance({ minutes: 1 })
  await store.server.recordAlive(t.clock.now())
  const lines = await createReadiness(t.app.deps)()
  expect(lines.at(-1)).toEqual({
    part: 'last outage',
    problem: null,
    note: 'from 2026-03-04T12:00:00+00:00 until 2026-03-04T14:00:00+00:00',
  })
})

describe('the database', () => {
  test('fails when it cannot be written, with the same reason as in the log', async () => {
    expect(await problems(withStore({ server: { probeWrite: unavailable('the disk is full') } }))).toEqual({
      database: 'the disk is full',
    })
  })

  test.each([
    ['memory', 'ok, but commits do not wait for the disk: a crash or a power cut may lose pings that were answered'],
    ['disk', 'ok, commits wait for one disk, and for no standby'],
    ['standby-memory', 'ok, commits wait for a disk and for the memory of a standby'],
    ['standby-disk', 'ok, commits wait for the disk of a standby, too'],
  ] as const)('whose writes are safe in %s says so, and works', async (durability, note) => {
    const [line] = await createReadiness(withStore({ server: { durability: async () => durability } }))()
    expect(line).toEqual({ part: 'database', problem: null, note })
  })

  test('is tested once for requests at the same time, and at most once a second', async () => {
    let writes = 0
    const gate = Promise.withResolvers<void>()
    const readiness = createReadiness(
      withStore({
        server: {
          probeWrite: async () => {
            writes += 1
            await gate.promise
          },
        },
      }),
    )
    const waiting = [readiness(), readiness()]
    pass(5)
    waiting.push(readiness())
    gate.resolve()
    await Promise.all(waiting)
    expect(writes).toBe(1)
    await readiness()
    expect(writes).toBe(2)
    pass(0.999)
    await readiness()
    expect(writes).toBe(2)
    pass(0.001)
    await readiness()
    expect(writes).toBe(3)
  })

  test('that works again is ready a second later', async () => {
    let reason: string | null = 'another process keeps it locked'
    const readiness = createReadiness(
      withStore({ server: { probeWrite: async () => (reason === null ? undefined : unavailable(reason)()) } }),
    )
    expect((await readiness())[0]?.problem).toBe('another process keeps it locked')
    reason = null
    pass(1)
    expect((await readiness())[0]?.problem).toBeNull()
  })

  test('is tested again after the clock was set back', async () => {
    const readiness = createReadiness(t.app.deps)
    await readiness()
    t.clock.advance({ hours: -5 })
    const before = await readiness()
    pass(1)
    expect(await readiness()).not.toBe(before)
  })

  test('that fails with an unknown error throws it', async () => {
    const failing = withStore({ server: { probeWrite: () => Promise.reject(new TypeError('a mistake of ours')) } })
    expect(await rejection(createReadiness(failing)())).toHaveProperty('message', 'a mistake of ours')
  })
})

describe('a loop', () => {
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  /** Creates a loop whose job does `work`, as the app sets it up. */
  function loop(work: () => Promise<Instant | null>, name = 'overdue') {
    const { measurements, now } = t.app.deps
    const job = createJob({
      now,
      work,
      onError: () => {},
      onStart: () => {
        const figures = measurements.startLoop(name, stopwatch(), PATIENCE)
        return (run) => figures.record(run, stopwatch())
      },
    })
    job.start()
    return {
      async tick() {
        job.run()
        await turns()
      },
    }
  }

  test('works while its runs end, and has time for its first', async () => {
    const { tick } = loop(async () => null)
    pass(PATIENCE - 1)
    expect(await problems()).toEqual({})
    await tick()
    pass(PATIENCE - 1)
    expect(await problems()).toEqual({})
  })

  test('that never ran fails, and no other does', async () => {
    loop(async () => null)
    const other = loop(async () => null, 'retention')
    pass(PATIENCE)
    await other.tick()
    expect(await problems()).toEqual({
      'loop overdue': 'no run has finished for 30 seconds (limit: 30)',
    })
  })

  test('whose job hangs fails, and works again when the job goes on', async () => {
    const gate = Promise.withResolvers<null>()
    const { tick } = loop(() => gate.promise)
    await tick()
    pass(95)
    await tick()
    expect(await problems()).toEqual({
      'loop overdue': 'no run has finished for 95 seconds (limit: 30)',
    })
    gate.resolve(null)
    await turns()
    expect(await problems()).toEqual({})
  })

  test('whose runs end in errors fails, with another message', async () => {
    let isBroken = false
    const { tick } = loop(async () => {
      if (isBroken) throw new Error('no')
      return null
    })
    await tick()
    isBroken = true
    pass(20)
    await tick()
    expect(await problems()).toEqual({})
    pass(20)
    await tick()
    expect(await problems()).toEqual({
      'loop overdue': 'every run has failed for 40 seconds (limit: 30)',
    })
    isBroken = false
    await tick()
    expect(await problems()).toEqual({})
  })

  test.each([-5, 5])('fails at the same time when the clock is set by %d hours', async (hours) => {
    const { tick } = loop(async () => null)
    await tick()
    t.clock.advance({ hours })
    pass(PATIENCE - 1)
    expect(await problems()).toEqual({})
    pass(1)
    expect(await problems()).toEqual({
      'loop overdue': 'no run has finished for 30 seconds (limit: 30)',
    })
  })
})

describe('the outbox', () => {
  const deliveriesFor = async () => {
    await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: '', settings: webhook() })
    const json = { channels: '*' }
    const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
    await t.call('GET', `/ping/${uuid}/fail`)
  }
  const stuck = (seconds: number, since: string) => ({
    outbox: `a delivery has been due for ${seconds} seconds (since ${since}), and nothing is being sent`,
  })

  test('fails when a due delivery was not sent for a minute, and works once it is sent', async () => {
    await deliveriesFor()
    pass(59)
    expect(await problems()).toEqual({})
    pass(1)
    expect(await problems()).toEqual(stuck(60, '2026-03-04T12:00:00+00:00'))
    await t.app.settle('deliveries')
    expect(await problems()).toEqual({})
  })

  test('works while a receiver that fails is retried in time', async () => {
    t.answerWith(answered(500))
    await deliveriesFor()
    await t.app.settle('deliveries')
    const next = await t.app.deps.store.deliveries.nextAt()
    t.clock.set(String(next))
    pass(59)
    expect(await problems()).toEqual({})
    pass(60)
    expect(Object.keys(await problems())).toEqual(['outbox'])
  })

  test('is late but not stuck while others are being sent', async () => {
    await deliveriesFor()
    pass(600)
    t.app.deps.measurements.countAttempt('webhook', 'sent', stopwatch())
    pass(89)
    expect(await problems()).toEqual({})
    pass(1)
    expect(await problems()).toEqual(stuck(690, '2026-03-04T12:00:00+00:00'))
  })

  test.each([-5, 5])('that is stuck fails when the clock was set by %d hours after the last attempt', async (hours) => {
    await deliveriesFor()
    await t.app.settle('deliveries')
    t.clock.advance({ hours })
    await deliveriesFor()
    const since = isoSeconds(t.clock.now())
    pass(89)
    expect(await problems()).toEqual({})
    pass(1)
    expect(await problems()).toEqual(stuck(90, since))
  })

  test('that cannot be read fails', async () => {
    expect(await problems(withStore({ deliveries: { nextAt: unavailable('the disk reports an error') } }))).toEqual({
      outbox: 'the disk reports an error',
    })
  })
})
