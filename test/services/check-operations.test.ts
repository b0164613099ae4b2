/** Copying, moving and clearing checks, and pings that people send. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Actor, operatorIn } from '../../src/domain/actor.ts'
import type { Check } from '../../src/domain/check/check.ts'
import { createChannel } from '../../src/services/channels/channels.ts'
import {
  clearCheck,
  copyCheck,
  deleteCheck,
  getCheck,
  transferCheck,
  upsertCheck,
} from '../../src/services/checks/checks.ts'
import { sendPing } from '../../src/services/pings/ping-now.ts'
import { createPingReceiver } from '../../src/services/pings/pings.ts'
import { createKey, getKeyActor } from '../../src/services/projects/keys.ts'
import { createProject } from '../../src/services/projects/projects.ts'
import { allChecks, allFlips } from '../support/lists.ts'
import { only, webhook } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'
import { codeOf } from './accounts/people.ts'

let t: TestApp
let other: Actor
let reader: Actor
beforeEach(async () => {
  t = await testApp()
  other = operatorIn((await createProject(t.app.deps, 'Other')).project)
  reader = await getKeyActor(t.app.deps, t.keys.apiKeyReadonly, null)
})
afterEach(() => t.close())

const deps = () => t.app.deps
const create = async (spec = {}) => (await upsertCheck(deps(), t.actor, spec, false)).check
const ping = (check: Check, path = '') => t.call('GET', `/ping/${check.id}${path}`)
const channel = (name: string, actor = t.actor) =>
  createChannel(deps(), actor, { kind: 'webhook', name, settings: webhook() })

describe('a copy', () => {
  test('has the settings and the integrations, and an identity, a log and a state of its own', async () => {
    const [ops] = [await channel('Ops'), await channel('Night')]
    const check = await create({
      name: 'Job',
      slug: 'job',
      tags: 'a  b',
      desc: 'D',
      schedule: '5 4 * * *',
      channels: ops.id,
    })
    await ping(check)
    const known = (await getCheck(deps(), t.actor, check.id)).check
    t.clock.advance({ seconds: 1 })
    const { check: copy, channelIds } = await copyCheck(deps(), t.actor, check)
    expect(await getCheck(deps(), t.actor, copy.id)).toEqual({ check: copy, channelIds })
    expect(channelIds).toEqual([ops.id])
    const { id, badgeKey, publicId, createdAt } = copy
    const state = { status: 'new', nPings: 0, nEvents: 0, lastPingAt: null, lastSuccessAt: null } as const
    expect(copy).toEqual({
      ...known,
      ...{ id, badgeKey, publicId, createdAt, ...state, runs: copy.runs },
      name: 'Job (copy)',
      slug: 'job-copy',
    })
    expect(new Set([id, badgeKey, publicId, known.id, known.badgeKey, known.publicId]).size).toBe(6)
    expect([copy.runs.length, String(createdAt)]).toEqual([0, String(t.clock.now())])
    expect(await ping(copy)).toHaveProperty('status', 200)
  })

  test.each([
    ['n'.repeat(93), `${'n'.repeat(93)} (copy)`],
    ['n'.repeat(94), `${'n'.repeat(90)}... (copy)`],
    ['💾'.repeat(100), `${'💾'.repeat(90)}... (copy)`],
    ['', ''],
  ])('of the name %j is called %j', async (name, copied) => {
    expect((await copyCheck(deps(), t.actor, await create({ name }))).check.name).toBe(copied)
  })

  test.each([
    ['s'.repeat(95), `${'s'.repeat(95)}-copy`],
    ['s'.repeat(96), ''],
    ['', ''],
  ])('of the slug %j has the slug %j', async (slug, copied) => {
    expect((await copyCheck(deps(), t.actor, await create({ slug }))).check.slug).toBe(copied)
  })
})

describe('a transfer', () => {
  test('needs the right to write in both projects', async () => {
    const check = await create()
    expect(await codeOf(transferCheck(deps(), reader, check, other))).toBe('read-only')
    const { key } = await createKey(deps(), other, 'read-only')
    expect(await codeOf(transferCheck(deps(), t.actor, check, await getKeyActor(deps(), key, null)))).toBe('read-only')
    expect(await codeOf(transferCheck(deps(), other, check, t.actor))).toBe('forbidden')
    expect((await allChecks(deps().store, t.project.id)).map((found) => found.check.id)).toEqual([check.id])
  })

  test('moves the check with its ping URL, and assigns the integrations there', async () => {
    await channel('Ops')
    const there = await channel('There', other)
    const check = await create({ channels: '*' })
    await ping(check)
    const moved = await transferCheck(deps(), t.actor, check, other)
    expect([moved.check.projectId, moved.channelIds]).toEqual([other.project.id, [there.id]])
    await ping(check, '/fail')
    expect((await getCheck(deps(), other, check.id)).check).toMatchObject({ nPings: 2, status: 'down' })
    await t.app.settle('deliveries')
    expect(t.sent).toHaveLength(1)
  })
})

describe('a clearing', () => {
  test('empties the log and the flips at once, and retention finishes it', async () => {
    const check = await create()
    for (const path of ['', '/fail', '']) await ping(check, path)
    const after = await clearCheck(deps(), t.actor, check)
    expect(after.check).toMatchObject({ status: 'new', nPings: 3, lastPingAt: null })
    expect(await deps().store.pings.list(check.id, 10)).toEqual([])
    expect(await allFlips(deps().store, check.id)).toEqual([])
    await t.app.settle('retention')
    await ping(check)
    expect(only(await deps().store.pings.list(check.id, 10)).n).toBe(4)
    expect((await allFlips(deps().store, check.id)).map(({ newStatus }) => newStatus)).toEqual(['up'])
  })
})

const CLIENT = { address: '192.0.2.7', scheme: 'https', userAgent: 'Firefox' }

test('a ping from a page is a success like any other, in the log as one of that browser', async () => {
  const check = await create()
  await ping(check, '/fail')
  await sendPing({ pings: createPingReceiver(deps()) }, t.actor, check, CLIENT)
  expect((await getCheck(deps(), t.actor, check.id)).check.status).toBe('up')
  const [newest] = await deps().store.pings.list(check.id, 1)
  expect(newest).toMatchObject({ n: 2, kind: 'success', method: 'POST', scheme: 'https', ua: 'Firefox' })
})

test('nothing of that is done to a check that is gone', async () => {
  const check = await create()
  await deleteCheck(deps(), t.actor, check)
  for (const work of [copyCheck, clearCheck]) expect(await codeOf(work(deps(), t.actor, check))).toBe('not-found')
  expect(await codeOf(transferCheck(deps(), t.actor, check, other))).toBe('not-found')
  const pings = createPingReceiver(deps())
  expect(await codeOf(sendPing({ pings }, t.actor, check, CLIENT))).toBe('not-found')
})
