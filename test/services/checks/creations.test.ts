/** Many checks created at once, and undoing that. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type PersonActor, personIn } from '../../../src/domain/actor.ts'
import { deleteChannel } from '../../../src/services/channels/channel-deletion.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { undoChange } from '../../../src/services/checks/bulk.ts'
import { updateCheck, upsertCheck } from '../../../src/services/checks/checks.ts'
import { createChecks } from '../../../src/services/checks/creations.ts'
import { addAccount } from '../../support/browser.ts'
import { allChecks } from '../../support/lists.ts'
import { webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { codeOf } from '../accounts/people.ts'

let t: TestApp
let ann: PersonActor
beforeEach(async () => {
  t = await testApp()
  ann = personOf('member')
  await addAccount(t, { id: 'ann', email: 'ann@example.org' })
})
afterEach(() => t.close())

function personOf(role: 'member' | 'read-only'): PersonActor {
  const person = { kind: 'person', accountId: 'ann', email: 'ann@example.org', isAdministrator: false } as const
  const actor = personIn(t.project, { ...person, address: null }, role)
  if (actor === null) throw new Error('a member is expected')
  return actor
}
const deps = () => t.app.deps
const named = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `Job ${n}`, slug: `job-${n}` }))
const stored = async () => (await allChecks(deps().store, t.project.id)).map(({ check }) => check)
const undo = (token: string | null) => undoChange(deps(), ann, token ?? '')

test('all are created, in their order, by several transactions, and one undo deletes all', async () => {
  const { created, left, undo: token } = await createChecks(deps(), ann, named(60))
  expect([created, left]).toEqual([60, 0])
  expect((await stored()).map(({ name }) => name)).toEqual(named(60).map(({ name }) => name))
  expect(await undo(token)).toEqual({ undone: 60, deleted: 60, kept: 0, left: 0, undo: null })
  expect(await stored()).toEqual([])
  expect(await codeOf(undo(token))).toBe('undo-ended')
})

test('a check whose slug was taken meanwhile is left out, and stays when the rest is undone', async () => {
  await upsertCheck(deps(), t.actor, { name: 'Theirs', slug: 'job-1' }, false)
  const { created, undo: token } = await createChecks(deps(), ann, named(3))
  expect(created).toBe(2)
  await undo(token)
  expect((await stored()).map(({ name }) => name)).toEqual(['Theirs'])
})

test('a check that was pinged or edited since stays', async () => {
  const channel = await createChannel(deps(), t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
  const specs = named(3).map((spec) => ({ ...spec, channels: channel.id }))
  const { undo: token } = await createChecks(deps(), ann, specs)
  const [pinged, edited] = await stored()
  await t.call('GET', `/ping/${pinged?.id}`)
  if (edited) await updateCheck(deps(), t.actor, edited, { tags: 'mine' }, false)
  // Deleting an integration is no change of the check.
  await deleteChannel(deps(), t.actor, channel)
  expect(await undo(token)).toMatchObject({ undone: 1, deleted: 1, kept: 2 })
  expect((await stored()).map(({ name }) => name)).toEqual(['Job 0', 'Job 1'])
})

test('what an error stops half way says how many are left, and the rest can be undone', async () => {
  let transactions = 0
  const { store } = deps()
  const by: typeof store.by = (author) => {
    transactions += 1
    if (transactions > 1) throw new Error('disk full')
    return store.by(author)
  }
  const outcome = await createChecks({ ...deps(), store: { ...store, by } }, ann, named(60))
  expect(outcome).toMatchObject({ created: 25, left: 35 })
  expect(await undo(outcome.undo)).toMatchObject({ undone: 25 })
})

test('an integration that is gone refuses all, and a reader creates none', async () => {
  const channels = crypto.randomUUID()
  expect(await codeOf(createChecks(deps(), ann, [{ name: 'Job', channels }]))).toBe('channel-list-invalid')
  expect(await codeOf(createChecks(deps(), personOf('read-only'), named(1)))).toBe('read-only')
  expect(await stored()).toEqual([])
})
