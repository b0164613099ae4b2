import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { pause, resume, watch } from '../../../src/domain/check/pause.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { rules } from '../../../src/services/common/rules.ts'
import { flipOverdue } from '../../../src/services/pings/flips.ts'
import { createHeartbeat, recordStop, recoverFromOutage } from '../../../src/services/server/outage.ts'
import { type HandClock, handClock } from '../../support/clock.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { anAuthor } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const HOOK = {
  method_down: 'POST',
  url_down: 'https://example.org/',
  body_down: '$NAME',
  headers_down: {},
  method_up: 'GET',
  url_up: '',
  body_up: '',
  headers_up: {},
}

let clock: HandClock
let t: TestApp

beforeEach(async () => {
  clock = handClock()
  t = await testApp({ clock })
  await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: '', settings: HOOK })
  await recoverFromOutage(t.app.deps)
})

afterEach(() => t.close())

const key = () => t.keys.apiKey

/** Creates a check that expects a ping every hour and has had one now. */
async function pinged(name: string, grace = 600): Promise<string> {
  const spec = { name, timeout: 3600, grace, channels: '*' }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: key(), json: spec })
  await t.call('GET', `/ping/${uuid}`)
  return uuid
}

async function statuses(): Promise<Record<string, string>> {
  const { checks } = await t.json<{ checks: { name: string; status: string }[] }>('GET', '/api/v3/checks/', {
    key: key(),
  })
  return Object.fromEntries(checks.map(({ name, status }) => [name, status]))
}

async function loops(): Promise<void> {
  await t.app.settle('overdue')
  await t.app.settle('deliveries')
}

const alerts = () => t.sent.map(({ body }) => body)

describe('after an outage', () => {
  test('a check that became overdue gets one grace period from the restart, and a ping in it brings it up', async () => {
    const uuid = await pinged('backup')
    clock.advance({ hours: 24 })
    expect(await recoverFromOutage(t.app.deps)).not.toBeNull()

    await loops()
    expect(await statuses()).toEqual({ backup: 'grace' })
    clock.advance({ seconds: 599 })
    await loops()
    expect(await statuses()).toEqual({ backup: 'grace' })
    await t.call('GET', `/ping/${uuid}`)
    clock.advance({ seconds: 1 })
    await loops()
    expect(await statuses()).toEqual({ backup: 'up' })
    expect(alerts()).toEqual([])
  })

  test('a check with a long grace is given 15 minutes', async () => {
    await pinged('backup', 7 * 86_400)
    clock.advance({ hours: 24 * 8 })
    await recoverFromOutage(t.app.deps)
    clock.advance({ seconds: 899 })
    await loops()
    expect(await statuses()).toEqual({ backup: 'grace' })
    clock.advance({ seconds: 1 })
    await loops()
    expect(await statuses()).toEqual({ backup: 'down' })
    expect(alerts()).toEqual(['backup'])
  })

  test('a check with a long grace that has not run out keeps it', async () => {
    await pinged('backup', 7 * 86_400)
    clock.advance({ hours: 24 })
    await recoverFromOutage(t.app.deps)
    clock.advance({ hours: 24 * 6 })
    await loops()
    expect(await statuses()).toEqual({ backup: 'grace' })
    clock.advance({ hours: 1 })
    await loops()
    expect(await statuses()).toEqual({ backup: 'down' })
  })

  test('a check that stays silent goes down at the end of that grace period', async () => {
    const uuid = await pinged('backup')
    clock.advance({ hours: 24 })
    await recoverFromOutage(t.app.deps)
    clock.advance({ seconds: 600 })
    await loops()
    expect(await statuses()).toEqual({ backup: 'down' })
    expect(alerts()).toEqual(['backup'])
    const flips = await t.json<unknown>('GET', `/api/v3/checks/${uuid}/flips/`, { key: key() })
    expect(flips).toEqual([
      { timestamp: '2026-03-05T12:10:00+00:00', up: 0 },
      { timestamp: '2026-03-04T12:00:00+00:00', up: 1 },
    ])
  })

  test('a run that had started gets the same time to end', async () => {
    const uuid = await pinged('backup')
    await t.call('GET', `/ping/${uuid}/start`)
    clock.advance({ hours: 5 })
    await recoverFromOutage(t.app.deps)
    expect(await statuses()).toEqual({ backup: 'grace' })
    await t.call('GET', `/ping/${uuid}`)
    expect(await statuses()).toEqual({ backup: 'up' })
    clock.advance({ seconds: 3600 + 599 })
    await loops()
    expect(await statuses()).toEqual({ backup: 'grace' })
    clock.advance({ seconds: 1 })
    await loops()
    expect(alerts()).toEqual(['backup'])
  })

  test('a deadline in the future does not move, and a check that was down stays down', async () => {
    await pinged('ahead', 86_400)
    const down = await pinged('down')
    await t.call('GET', `/ping/${down}/fail`)
    clock.advance({ hours: 2 })
    await recoverFromOutage(t.app.deps)
    clock.set('2026-03-05T12:59:59Z')
    await t.app.settle('overdue')
    expect(await statuses()).toEqual({ ahead: 'grace', down: 'down' })
    clock.advance({ seconds: 1 })
    await t.app.settle('overdue')
    expect(await statuses()).toEqual({ ahead: 'down', down: 'down' })
  })

  test.each([
    ['a day', '0 3 * * *', '2026-03-05', '2026-03-05T04:00:00+00:00'],
    ['a week', '0 3 * * 6', '2026-03-07', '2026-03-07T04:00:00+00:00'],
  ])(
    'a run that was missed is told, of a check that is watched again with one in %s',
    async (_, schedule, day, down) => {
      const spec = { name: 'backup', schedule, tz: 'UTC', grace: 3600, channels: '*' }
      const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: key(), json: spec })
      await t.call('GET', `/ping/${uuid}`)
      clock.advance({ minutes: 1 })
      const { store } = t.app.deps
      for (const step of [pause, resume, watch]) {
        const change = (check: Check) => step(check, clock.now()) ?? { check }
        await store.by(anAuthor()).checks.change(uuid, change, rules(t.app.deps))
      }
      clock.set(`${day}T03:30:00Z`)
      await recordStop(t.app.deps)
      clock.set(`${day}T05:00:00Z`)
      expect(await recoverFromOutage(t.app.deps)).not.toBeNull()
      await loops()
      expect(await statuses()).toEqual({ backup: 'down' })
      expect(alerts()).toEqual(['backup'])
      const [flip] = await t.json<object[]>('GET', `/api/v3/checks/${uuid}/flips/`, { key: key() })
      expect(flip).toEqual({ timestamp: down, up: 0 })
    },
  )

  test('the time that it takes to spare checks is no other outage', async () => {
    await pinged('backup')
    clock.advance({ hours: 24 })
    const { store } = t.app.deps
    const judgeOverdue: typeof store.flips.judgeOverdue = (...given) => {
      clock.advance({ seconds: 20 })
      return store.flips.judgeOverdue(...given)
    }
    expect(
      await recoverFromOutage({ ...t.app.deps, store: replaced(store, { flips: { judgeOverdue } }) }),
    ).not.toBeNull()
    expect(await recoverFromOutage(t.app.deps)).toBeNull()
  })

  test('the gap is logged once', async () => {
    clock.advance({ hours: 3 })
    await recoverFromOutage(t.app.deps)
    await recoverFromOutage(t.app.deps)
    expect(t.log.filter(({ message }) => message.startsWith('no server was running'))).toEqual([
      {
        level: 'warning',
        message:
          'no server was running, or none could write; checks that became overdue get one extra grace period, at most 15 minutes',
        details: { from: '2026-03-04T12:00:00+00:00', until: '2026-03-04T15:00:00+00:00' },
      },
    ])
  })
})

describe('without an outage', () => {
  test.each([
    ['a restart within seconds', 15],
    ['a clock that was set back', -3600],
  ])('%s spares nobody', async (_, seconds) => {
    await pinged('backup', 60)
    clock.advance({ seconds: 3661 })
    await recordStop(t.app.deps)
    clock.advance({ seconds })
    expect(await recoverFromOutage(t.app.deps)).toBeNull()
  })

  test('a server that lives through the deadline sends its alert', async () => {
    await pinged('backup', 60)
    clock.advance({ seconds: 3660 })
    await recordStop(t.app.deps)
    await loops()
    expect(alerts()).toEqual(['backup'])
  })

  test('the very first start is not an outage', async () => {
    const fresh = await testApp({ clock })
    expect(await recoverFromOutage(fresh.app.deps)).toBeNull()
    await fresh.close()
  })

  test('another instance keeps the gap closed', async () => {
    clock.advance({ hours: 1 })
    await recordStop(t.app.deps)
    expect(await recoverFromOutage(t.app.deps)).toBeNull()
  })
})

describe('the heartbeat', () => {
  test('keeps the gap closed while it beats', async () => {
    const beat = createHeartbeat(t.app.deps)
    for (let second = 0; second < 60; second++) {
      await beat()
      clock.advance({ seconds: 1 })
    }
    expect(await recoverFromOutage(t.app.deps)).toBeNull()
  })

  test('is written every ten seconds, not at every look', async () => {
    const beat = createHeartbeat(t.app.deps)
    await beat()
    clock.advance({ seconds: 9 })
    await beat()
    expect((await t.app.deps.store.server.findAlive())?.toString()).toBe('2026-03-04T12:00:00Z')
    clock.advance({ seconds: 1 })
    await beat()
    expect((await t.app.deps.store.server.findAlive())?.toString()).toBe('2026-03-04T12:00:10Z')
  })

  test('finds the gap after the machine has slept, before checks go down', async () => {
    await pinged('backup')
    const beat = createHeartbeat(t.app.deps)
    await beat()
    clock.advance({ hours: 8 })
    await beat()
    await loops()
    expect(await statuses()).toEqual({ backup: 'grace' })
    expect(alerts()).toEqual([])
  })

  test('gives the instant for the look after it, so a clock that jumps in between sends no check down', async () => {
    await pinged('backup')
    const beat = createHeartbeat(t.app.deps)
    const at = await beat()
    clock.advance({ hours: 8 })
    await flipOverdue(t.app.deps, at)
    await flipOverdue(t.app.deps, await beat())
    await t.app.settle('deliveries')
    expect(await statuses()).toEqual({ backup: 'grace' })
    expect(alerts()).toEqual([])
  })
})

describe('a clock that was set back', () => {
  test('leaves no check waiting for a time from before', async () => {
    const uuid = await pinged('pinged ahead')
    await pinged('spared ahead')
    clock.advance({ hours: 24 })
    await recoverFromOutage(t.app.deps)
    await t.call('GET', `/ping/${uuid}`)
    clock.advance({ hours: -24 })
    expect(await recoverFromOutage(t.app.deps)).toBeNull()
    expect(t.log.at(-1)).toEqual({
      level: 'warning',
      message: 'the clock was set back; stored times that are now in the future were moved to the present',
      details: { from: '2026-03-05T12:00:00+00:00', until: '2026-03-04T12:00:00+00:00', checks: 2 },
    })
    clock.advance({ seconds: 4199 })
    await loops()
    expect(alerts()).toEqual([])
    clock.advance({ seconds: 1 })
    await loops()
    expect(alerts().toSorted()).toEqual(['pinged ahead', 'spared ahead'])
  })

  test('leaves no check with a long grace waiting for longer than 15 minutes', async () => {
    await pinged('spared ahead', 7 * 86_400)
    clock.advance({ hours: 24 * 8 })
    await recoverFromOutage(t.app.deps)
    clock.advance({ hours: -1 })
    await recoverFromOutage(t.app.deps)
    clock.advance({ seconds: 899 })
    await loops()
    expect(alerts()).toEqual([])
    clock.advance({ seconds: 1 })
    await loops()
    expect(alerts()).toEqual(['spared ahead'])
  })

  test('leaves no delivery waiting either', async () => {
    const uuid = await pinged('backup')
    clock.advance({ hours: 24 })
    await recoverFromOutage(t.app.deps)
    await t.call('GET', `/ping/${uuid}/fail`)
    clock.advance({ hours: -24 })
    await loops()
    expect(alerts()).toEqual([])
    await recoverFromOutage(t.app.deps)
    await loops()
    expect(alerts()).toEqual(['backup'])
  })

  test('is logged once, and not when the clocks of two machines are a minute apart', async () => {
    await recordStop(t.app.deps)
    const told = () => t.log.filter(({ message }) => message.startsWith('the clock was set back')).length
    clock.advance({ seconds: -60 })
    await recoverFromOutage(t.app.deps)
    expect(told()).toBe(0)
    clock.advance({ seconds: -61 })
    await recoverFromOutage(t.app.deps)
    await recoverFromOutage(t.app.deps)
    expect(told()).toBe(1)
  })
})
