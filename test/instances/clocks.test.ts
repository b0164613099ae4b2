/** Instances on machines whose clocks are wrong judge, claim and stamp by the clock of the database. */
import { afterEach, describe, expect, test } from 'bun:test'
import type { Carriers } from '../../src/domain/carrier/carriers.ts'
import { createChannel } from '../../src/services/channels/channels.ts'
import { createHeartbeat } from '../../src/services/server/outage.ts'
import { clockAhead } from '../support/clock.ts'
import { ENGINE } from '../support/databases.ts'
import { answered, type TestApp, testApp } from '../support/test-app.ts'

const MAIL = { EMAIL_HOST: 'mail.example.org', DEFAULT_FROM_EMAIL: 'overdue@example.org' }
const HOOK = {
  ...{ method_down: 'POST', url_down: 'https://example.org/', body_down: '$NAME', headers_down: {} },
  ...{ method_up: 'GET', url_up: '', body_up: '', headers_up: {} },
}

let right: TestApp
let wrong: TestApp
afterEach(async () => {
  await wrong.close()
  await right.close()
})

/** @param carriers of both instances */
async function open(minutes: number, carriers: Partial<Carriers> = {}): Promise<void> {
  right = await testApp({ isShared: true, env: MAIL, carriers })
  wrong = await testApp({ beside: right, env: MAIL, carriers, clock: clockAhead(right.clock, () => ({ minutes })) })
  // A file has the clock of the machine, so a server on it does not read the database's clock at its start.
  if (ENGINE === 'sqlite') await createHeartbeat(wrong.app.deps)()
}

const create = async (json: object) =>
  (await right.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: right.keys.apiKey, json })).uuid

/** Makes a carrier whose first call waits. */
function holding<Answer>(answer: Answer) {
  const called = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let calls = 0
  return {
    carry: async () => {
      calls += 1
      called.resolve()
      if (calls === 1) await released.promise
      return answer
    },
    called: called.promise,
    release: released.resolve,
    calls: () => calls,
  }
}

describe.each([
  ['10 minutes ahead', 10],
  ['10 minutes behind', -10],
])('an instance whose clock is %s', (_, minutes) => {
  /** Order of the two instances. */
  const orders: readonly [string, () => readonly [TestApp, TestApp]][] = [
    ['it', () => [wrong, right]],
    ['the other instance', () => [right, wrong]],
  ]

  test('sends a check down at its deadline, not before and not later', async () => {
    await open(minutes)
    const uuid = await create({ timeout: 60, grace: 60 })
    await wrong.call('GET', `/ping/${uuid}`)
    const status = async () => (await right.app.deps.store.checks.find(uuid))?.check.status
    right.clock.advance({ seconds: 119 })
    await wrong.app.settle('overdue')
    await right.app.settle('overdue')
    expect(await status()).toBe('up')
    right.clock.advance({ seconds: 1 })
    await wrong.app.settle('overdue')
    expect(await status()).toBe('down')
    await right.app.settle('overdue')
    const flips = await right.json<unknown[]>('GET', `/api/v3/checks/${uuid}/flips/`, { key: right.keys.apiKey })
    expect(flips).toEqual([
      { timestamp: '2026-03-04T12:02:00+00:00', up: 0 },
      { timestamp: '2026-03-04T12:00:00+00:00', up: 1 },
    ])
  })

  test('started at the time of the database', async () => {
    await open(minutes)
    const startedAt = ENGINE === 'sqlite' ? wrong.clock.now() : right.clock.now()
    expect(String(wrong.app.deps.ownProcess.startedAt)).toBe(String(startedAt))
  })

  test.each(orders)('sends no alert twice: %s is sending it', async (_, order) => {
    const receiver = holding(answered(200))
    await open(minutes, { http: receiver.carry })
    const [sender, other] = order()
    await createChannel(right.app.deps, right.actor, { kind: 'webhook', name: '', settings: HOOK })
    const uuid = await create({ channels: '*' })
    await sender.call('GET', `/ping/${uuid}/fail`)
    const sent = sender.app.settle('deliveries')
    await receiver.called
    right.clock.advance({ seconds: 9 })
    await other.app.settle('deliveries')
    receiver.release()
    await sent
    expect(receiver.calls()).toBe(1)
  })

  test.each(orders)('sends no report twice: %s is sending it', async (_, order) => {
    const server = holding({ kind: 'accepted' as const, response: '250 OK' })
    await open(minutes, { mail: server.carry })
    const [sender, other] = order()
    const settings = { value: 'ops@example.org', report: 'monthly', tz: 'UTC' }
    await createChannel(right.app.deps, right.actor, { kind: 'email', name: '', settings })
    const uuid = await create({ timeout: 31_536_000 })
    await sender.call('GET', `/ping/${uuid}`)
    await sender.call('GET', `/ping/${uuid}/fail`)
    right.clock.set('2026-04-01T12:00:00Z')
    const sent = sender.app.settle('mailings')
    await server.called
    right.clock.advance({ seconds: 200 })
    await other.app.settle('mailings')
    server.release()
    await sent
    expect(server.calls()).toBe(1)
  })
})
