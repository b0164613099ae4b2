import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Actor, operatorIn } from '../../../src/domain/actor.ts'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import {
  deleteCheck,
  getCheck,
  getCheckByPublicId,
  getCheckByUniqueKey,
  listChecks,
  pauseCheck,
  resumeCheck,
  updateCheck,
  upsertCheck,
} from '../../../src/services/checks/checks.ts'
import { flipOverdue } from '../../../src/services/pings/flips.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { allFlips } from '../../support/lists.ts'
import { aChannel, anAuthor, refusalOf } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const create = async (spec = {}) => (await upsertCheck(t.app.deps, t.actor, spec, false)).check
const flips = async (id: string) =>
  (await allFlips(t.app.deps.store, id)).map(({ oldStatus, newStatus }) => `${oldStatus} → ${newStatus}`)
const refused = async (promise: Promise<unknown>) => {
  const { code, message } = await refusalOf(promise)
  return [code, message]
}

test('a check is found by its public id in its project, and any other text finds nothing', async () => {
  const { id, publicId } = await create()
  const find = (actor: Actor, text: string) => getCheckByPublicId(t.app.deps, actor, text)
  expect((await find(t.actor, publicId)).check.id).toBe(id)
  const other = operatorIn((await createProject(t.app.deps, 'Other')).project)
  for (const [actor, text] of [
    [other, publicId],
    [t.actor, publicId.toUpperCase()],
    [t.actor, `${publicId}\0`],
    [t.actor, id],
    [t.actor, ''],
  ] as const) {
    expect(await refused(find(actor, text))).toEqual(['not-found', 'not found'])
  }
})

describe('pausing', () => {
  test('ends a pending run and every deadline, and is recorded once however often it is requested', async () => {
    const made = await create({ timeout: 60, grace: 60 })
    const { id } = made
    await t.call('GET', `/ping/${id}`)
    await t.call('GET', `/ping/${id}/start`)
    const { check } = await pauseCheck(t.app.deps, t.actor, made)
    expect(check).toMatchObject({ status: 'paused', lastStartAt: null, lastStartRid: null, nPings: 2 })
    expect(check.lastPingAt).not.toBeNull()
    t.clock.advance({ hours: 1 })
    expect(await flipOverdue(t.app.deps, t.clock.now())).toBeNull()
    const again = await pauseCheck(t.app.deps, t.actor, made)
    expect(again.check).toEqual(check)
    expect(await flips(id)).toEqual(['up → paused', 'new → up'])
    const [flip] = await allFlips(t.app.deps.store, id)
    expect(flip?.createdAt.until(t.clock.now()).total('hours')).toBe(1)
  })

  test('sends no alert', async () => {
    await t.app.deps.store.by(anAuthor()).channels.create(aChannel(t.project))
    const made = await create({ channels: '*' })
    const { id } = made
    await t.call('GET', `/ping/${id}/fail`)
    await t.app.settle('deliveries')
    expect(t.sent).toHaveLength(1)
    await pauseCheck(t.app.deps, t.actor, made)
    await resumeCheck(t.app.deps, t.actor, made)
    await t.app.settle('deliveries')
    expect(t.sent).toHaveLength(1)
  })
})

describe('resuming', () => {
  test('makes a check new again, except for its counters', async () => {
    const made = await create()
    const { id } = made
    await t.call('GET', `/ping/${id}/start`)
    t.clock.advance({ seconds: 3 })
    await t.call('GET', `/ping/${id}`)
    await pauseCheck(t.app.deps, t.actor, made)
    const { check } = await resumeCheck(t.app.deps, t.actor, made)
    // It did succeed once.
    expect(String(check.lastSuccessAt)).toBe(String(t.clock.now()))
    expect(check).toMatchObject({ status: 'new', nPings: 2, nEvents: 3, lastPingAt: null, lastDuration: 3_000_000 })
    expect(await flips(id)).toEqual(['paused → new', 'up → paused', 'new → up'])
  })

  test('of a check that is not paused is a conflict and changes nothing', async () => {
    const made = await create()
    const { id } = made
    expect(await refused(resumeCheck(t.app.deps, t.actor, made))).toEqual(['check-not-paused', 'check is not paused'])
    await t.call('GET', `/ping/${id}`)
    const before = await getCheck(t.app.deps, t.actor, id)
    expect(await refused(resumeCheck(t.app.deps, t.actor, made))).toEqual(['check-not-paused', 'check is not paused'])
    expect(await getCheck(t.app.deps, t.actor, id)).toEqual(before)
  })
})

describe('creating and changing', () => {
  test('upsert changes the check that the fields find, and creates one when a listed field is not given', async () => {
    const first = await upsertCheck(t.app.deps, t.actor, { name: 'a', unique: ['name'] }, false)
    const second = await upsertCheck(t.app.deps, t.actor, { name: 'a', tags: 't', unique: ['name'] }, false)
    const third = await upsertCheck(t.app.deps, t.actor, { name: 'a', unique: ['name', 'slug'] }, false)
    expect([first.created, second.created, third.created]).toEqual([true, false, true])
    expect(second.check).toEqual({ ...first.check, tags: 't' })
    expect(third.check.id).not.toBe(first.check.id)
  })

  test('a channel that is not the project’s refuses the whole request, new or not', async () => {
    const { project } = await createProject(t.app.deps, 'Other')
    const foreign = aChannel(project)
    await t.app.deps.store.by(anAuthor()).channels.create(foreign)
    const made = await create({ name: 'before' })
    const words = ['channel-list-invalid', `invalid channel identifier: ${foreign.id}`]
    expect(
      await refused(updateCheck(t.app.deps, t.actor, made, { name: 'after', channels: foreign.id }, false)),
    ).toEqual(words)
    expect(await refused(create({ name: 'new', channels: foreign.id }))).toEqual(words)
    const [names] = await Array.fromAsync(listChecks(t.app.deps, t.actor, {}))
    expect(names?.map(({ check }) => check.name)).toEqual(['before'])
  })

  test('channels are chosen by star, by id and by name, kept when left out, and none for an empty text', async () => {
    const [a, b] = [aChannel(t.project, { name: 'A' }), aChannel(t.project, { name: 'B' })]
    for (const channel of [a, b]) await t.app.deps.store.by(anAuthor()).channels.create(channel)
    const made = await create()
    const choose = async (spec: object) =>
      (await updateCheck(t.app.deps, t.actor, made, spec, false)).channelIds.toSorted()
    expect(await choose({})).toEqual([])
    expect(await choose({ channels: '*' })).toEqual([a.id, b.id].toSorted())
    expect(await choose({ channels: 'B' })).toEqual([b.id])
    expect(await choose({ name: 'n' })).toEqual([b.id])
    expect(await choose({ channels: `${a.id},B` })).toEqual([a.id, b.id].toSorted())
    expect(await choose({ channels: '' })).toEqual([])
  })

  test('an update leaves the status and the flips alone, and a shorter period is noticed by the loop', async () => {
    const made = await create({ timeout: 3600, grace: 60 })
    const { id } = made
    await t.call('GET', `/ping/${id}`)
    t.clock.advance({ minutes: 5 })
    const { check } = await updateCheck(t.app.deps, t.actor, made, { timeout: 60 }, false)
    expect(check.status).toBe('up')
    expect(await flips(id)).toEqual(['new → up'])
    await flipOverdue(t.app.deps, t.clock.now())
    expect(await flips(id)).toEqual(['up → down', 'new → up'])
  })

  test('a longer period does not bring a check up again', async () => {
    const made = await create()
    const { id } = made
    await t.call('GET', `/ping/${id}/fail`)
    expect((await updateCheck(t.app.deps, t.actor, made, { timeout: 31_536_000 }, false)).check.status).toBe('down')
  })
})

describe('a check that does not exist', () => {
  test('is not found, by any service', async () => {
    const made = await create()
    const { id } = made
    const last = await getCheck(t.app.deps, t.actor, id)
    expect(await deleteCheck(t.app.deps, t.actor, made)).toEqual(last)
    const asked = [
      getCheck(t.app.deps, t.actor, id),
      getCheckByUniqueKey(t.app.deps, t.actor, uniqueKey(id)),
      updateCheck(t.app.deps, t.actor, made, {}, false),
      pauseCheck(t.app.deps, t.actor, made),
      resumeCheck(t.app.deps, t.actor, made),
      deleteCheck(t.app.deps, t.actor, made),
    ]
    const answers = await Promise.all(asked.map(refused))
    expect(answers).toEqual(asked.map(() => ['not-found', 'not found']))
  })

  test('in this project but in another is forbidden by id and unknown by unique key', async () => {
    const { project } = await createProject(t.app.deps, 'Other')
    const { id } = await create()
    expect(await refused(getCheck(t.app.deps, operatorIn(project), id))).toEqual(['forbidden', 'forbidden'])
    expect(await refused(getCheckByUniqueKey(t.app.deps, operatorIn(project), uniqueKey(id)))).toEqual([
      'not-found',
      'not found',
    ])
    expect((await getCheckByUniqueKey(t.app.deps, t.actor, uniqueKey(id))).check.id).toBe(id)
  })
})
