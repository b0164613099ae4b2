/** `/silence` and `/unsilence`: a job that mutes its own check. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { listSilences } from '../../../src/services/silences/silences.ts'
import { webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let job: Check
beforeEach(async () => {
  t = await testApp()
  await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
  job = await addCheck({ name: 'Job', slug: 'job', timeout: 3_600, grace: 600 })
})
afterEach(() => t.close())

async function addCheck(spec: Parameters<typeof upsertCheck>[2]): Promise<Check> {
  return (await upsertCheck(t.app.deps, t.actor, { ...spec, channels: '*' }, false)).check
}

async function ping(path: string, method = 'GET'): Promise<string> {
  const response = await t.call(method, `/ping/${path}`)
  return `${response.status} ${await response.text()}`
}

/** Returns the ends of silences in minutes from now. */
async function silences(): Promise<number[]> {
  const found = await listSilences(t.app.deps, t.actor)
  return found.map(({ endsAt }) => endsAt?.since(t.clock.now()).total('minutes') ?? Number.NaN)
}

async function alerts(): Promise<number> {
  await t.app.settle('overdue')
  await t.app.settle('incidents')
  await t.app.settle('deliveries')
  return t.sent.length
}

test('a check that is silenced for 20 minutes alerts when they are over', async () => {
  await ping(job.id)
  t.clock.advance({ minutes: 55 })
  expect(await ping(`${job.id}/silence?for=20m`)).toBe('200 OK')
  t.clock.advance({ minutes: 15 })
  expect(await alerts()).toBe(0)
  t.clock.advance({ minutes: 5 })
  expect(await alerts()).toBe(1)
})

test.each([
  ['?for=60s', 1],
  ['?for=20m', 20],
  ['?for=2h', 120],
  ['?for=30d', 43_200],
  ['?until=healthy', 10_080],
  ['?for=1m&for=2m', 2],
])('/silence%s lasts %d minutes', async (query, minutes) => {
  expect(await ping(`${job.id}/silence${query}`)).toBe('200 OK')
  expect(await silences()).toEqual([minutes])
})

test.each(['', '?for=20', '?for=31d', '?for=59s', '?for=-1m', '?for=1m&until=healthy', '?until=tomorrow', '?for='])(
  '/silence%s is refused and changes nothing',
  async (query) => {
    expect(await ping(`${job.id}/silence${query}`)).toBe('400 invalid url format')
    expect(await ping(`${t.keys.pingKey}/job/silence${query}`)).toBe('400 invalid url format')
    expect(await silences()).toEqual([])
    expect(await t.app.deps.store.pings.list(job.id, 10)).toEqual([])
  },
)

test('a target that does not exist is reported before a silence that is not valid', async () => {
  expect(await ping('00000000-0000-4000-8000-000000000000/silence?for=20')).toBe('404 not found')
})

test('it is logged, changes no status, and the next one takes its place', async () => {
  await ping(`${job.id}/silence?for=20m`, 'POST')
  await ping(`${t.keys.pingKey}/job/silence?for=1h`)
  expect(await silences()).toEqual([60])
  const log = await t.app.deps.store.pings.list(job.id, 10)
  expect(log.map(({ kind }) => kind)).toEqual(['log', 'log'])
  expect((await t.app.deps.store.checks.find(job.id))?.check.status).toBe('new')
})

test('/unsilence ends it, and tells what it held', async () => {
  await ping(job.id)
  await ping(`${job.id}/silence?for=20m`)
  await ping(`${job.id}/fail`)
  expect(await alerts()).toBe(0)
  expect(await ping(`${t.keys.pingKey}/job/unsilence`)).toBe('200 OK')
  expect(await alerts()).toBe(1)
  expect(await ping(`${job.id}/unsilence?anything=1`)).toBe('200 OK')
  expect(await silences()).toEqual([])
})

test('with create=1 the check is created silenced', async () => {
  expect(await ping(`${t.keys.pingKey}/new/silence?for=20m&create=1`)).toBe('201 Created')
  expect(await silences()).toEqual([20])
})

test('a check that ignores the ping is not silenced', async () => {
  const strict = await addCheck({ name: 'Strict', methods: 'POST' })
  expect(await ping(`${strict.id}/silence?for=20m`)).toBe('200 OK')
  expect(await silences()).toEqual([])
})
