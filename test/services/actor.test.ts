/** Every service that changes a project, called by actors that may not. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Actor, OPERATOR, operatorIn } from '../../src/domain/actor.ts'
import type { Channel } from '../../src/domain/alert/channel.ts'
import type { Check } from '../../src/domain/check/check.ts'
import { uniqueKey } from '../../src/domain/check/unique-key.ts'
import { Refusal } from '../../src/domain/errors.ts'
import { testChannel, testMembers } from '../../src/services/channel-test.ts'
import { createChannel, deleteChannel, editChannel, listChannels } from '../../src/services/channels.ts'
import {
  deleteCheck,
  findChecks,
  getCheck,
  getCheckByUniqueKey,
  listChecks,
  pauseCheck,
  resumeCheck,
  updateCheck,
  upsertCheck,
} from '../../src/services/checks.ts'
import { type FoundDelivery, retryDelivery } from '../../src/services/deliveries.ts'
import { listFlips } from '../../src/services/flips.ts'
import { findPingBody, listPings } from '../../src/services/pings.ts'
import {
  createKey,
  createProject,
  getKeyActor,
  listKeys,
  revokeKey,
  setPingLogLimit,
} from '../../src/services/projects.ts'
import { allFlips } from '../support/lists.ts'
import { readSources } from '../support/source-scan.ts'
import { only, rejection, webhook } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
let check: Check
let channel: Channel
let failed: FoundDelivery
beforeEach(async () => {
  t = await testApp()
  const { deps } = t.app
  channel = await createChannel(deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
  const { id } = (await upsertCheck(deps, t.actor, { name: 'Job', channels: '*' }, false)).check
  t.answerWith({ kind: 'unreachable', error: 'gone', permanent: true })
  await t.call('POST', `/ping/${id}/fail`, { body: 'out of space' })
  await t.app.settle('deliveries')
  const { delivery } = only(await deps.store.listDeliveries(t.project.id, 'failed', 10))
  failed = { delivery, project: t.project }
  check = (await getCheck(deps, t.actor, id)).check
  t.sent.length = 0
})
afterEach(() => t.close())

const deps = () => t.app.deps

/** By name. Services that work on one thing of the project are listed separately. */
const WRITING: Readonly<Record<string, (actor: Actor) => Promise<unknown>>> = {
  upsertCheck: (actor) => upsertCheck(deps(), actor, { name: 'Job', unique: ['name'], tags: 'changed' }, false),
  createChannel: (actor) => createChannel(deps(), actor, { kind: 'webhook', name: 'Mine', settings: webhook() }),
  setPingLogLimit: (actor) => setPingLogLimit(deps(), actor, 1),
  listKeys: (actor) => listKeys(deps(), actor),
  createKey: (actor) => createKey(deps(), actor, 'read-write'),
  revokeKey: (actor) => revokeKey(deps(), actor, t.keys.apiKey),
}
const WRITING_ONE: Readonly<Record<string, (actor: Actor) => Promise<unknown>>> = {
  updateCheck: (actor) => updateCheck(deps(), actor, check, { name: 'changed' }, false),
  pauseCheck: (actor) => pauseCheck(deps(), actor, check),
  resumeCheck: (actor) => resumeCheck(deps(), actor, check),
  deleteCheck: (actor) => deleteCheck(deps(), actor, check),
  editChannel: (actor) => editChannel(deps(), actor, channel, { name: 'changed' }),
  deleteChannel: (actor) => deleteChannel(deps(), actor, channel),
  testChannel: (actor) => testChannel(deps(), actor, channel, 'down'),
  testMembers: (actor) => testMembers(deps(), actor, { ...channel, kind: 'group', settings: channel.id }, 'down'),
  retryDelivery: (actor) => retryDelivery(deps(), actor, failed),
}
const READING_ONE: Readonly<Record<string, (actor: Actor) => Promise<unknown>>> = {
  getCheck: (actor) => getCheck(deps(), actor, check.id),
  listPings: (actor) => listPings(deps(), actor, check),
  findPingBody: (actor) => findPingBody(deps(), actor, check, 1),
  listFlips: async (actor) => Array.fromAsync(listFlips(deps(), actor, check, {})),
}

/** Another project's unique key is unknown here, so nothing is forbidden. */
const READING_BY_KEY: Readonly<Record<string, (actor: Actor) => Promise<unknown>>> = {
  getCheckByUniqueKey: (actor) => getCheckByUniqueKey(deps(), actor, uniqueKey(check.id)),
}

async function refusal(asked: Promise<unknown>): Promise<unknown[]> {
  const error = await rejection(asked)
  if (!(error instanceof Refusal)) throw error
  return [error.code, error.message]
}

/** Everything that the services above could change. */
async function everything(): Promise<string> {
  const { store } = deps()
  return JSON.stringify([
    await Array.fromAsync(listChecks(deps(), t.actor, {})),
    await allFlips(store, check.id),
    await listChannels(deps(), t.actor),
    await listKeys(deps(), t.actor),
    await store.findProject(t.project.id),
    await store.listDeliveries(t.project.id, null, 10),
    t.sent,
  ])
}

const stranger = async () => operatorIn((await createProject(deps(), OPERATOR, 'Other')).project)

test('no service that takes a whole actor is missing here', () => {
  const texts = readSources(join(import.meta.dir, '../../src/services')).map(({ text }) => text)
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^export (?:async )?function\*? (\w+)\([^)]*\bactor: Actor\b/gm)].map(([, name]) => name),
  )
  const known = Object.keys({ ...WRITING, ...WRITING_ONE, ...READING_ONE, ...READING_BY_KEY })
  expect(names.toSorted()).toEqual(known.toSorted())
})

describe('a read-only key', () => {
  test.each(Object.entries({ ...WRITING, ...WRITING_ONE }))(
    'is refused by %s, which changes nothing',
    async (_, write) => {
      const before = await everything()
      const reader = await getKeyActor(deps(), t.keys.apiKeyReadonly, null)
      expect(await refusal(write(reader))).toEqual(['read-only', 'this is read-only access'])
      expect(await everything()).toBe(before)
    },
  )

  test.each(Object.entries({ ...READING_ONE, ...READING_BY_KEY }))('is served by %s', async (_, read) => {
    expect(await read(await getKeyActor(deps(), t.keys.apiKeyReadonly, null))).toBeTruthy()
  })
})

describe('an actor of another project', () => {
  test.each(Object.entries({ ...WRITING_ONE, ...READING_ONE }))('is refused by %s', async (_, ask) => {
    const before = await everything()
    expect(await refusal(ask(await stranger()))).toEqual(['forbidden', 'forbidden'])
    expect(await everything()).toBe(before)
  })

  test('finds no check of this one', async () => {
    const other = await stranger()
    const all = async (pages: AsyncIterable<readonly unknown[]>) => (await Array.fromAsync(pages)).flat()
    expect(await all(findChecks(deps(), other, [check.id]))).toEqual([])
    expect(await all(listChecks(deps(), other, {}))).toEqual([])
    expect(await refusal(getCheckByUniqueKey(deps(), other, uniqueKey(check.id)))).toEqual(['not-found', 'not found'])
    expect(await all(findChecks(deps(), t.actor, [check.id]))).toHaveLength(1)
  })
})

describe('a read-write key', () => {
  const allowed = Object.entries({ ...WRITING, ...WRITING_ONE }).filter(
    ([name]) => !['resumeCheck', 'testMembers', 'listKeys'].includes(name),
  )
  test.each(allowed)('is served by %s', async (_, write) => {
    const before = await everything()
    await write(await getKeyActor(deps(), t.keys.apiKey, null))
    expect(await everything()).not.toBe(before)
  })
})
