/** Open pages of one instance, and what another one writes. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { operatorIn } from '../../../src/domain/actor.ts'
import { updateCheck, upsertCheck } from '../../../src/services/checks.ts'
import type { ProjectUpdate, Subscription } from '../../../src/services/live/live.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let a: TestApp
let b: TestApp
beforeEach(async () => {
  a = await testApp({ isShared: true })
  b = await testApp({ beside: a })
})
afterEach(async () => {
  await b.close()
  await a.close()
})

const add = async (name: string) => (await upsertCheck(b.app.deps, a.actor, { name }, false)).check

function watch(since: string | null = null): Promise<Subscription> {
  const all = { accountId: 'somebody', projectIds: [a.project.id], numbersOf: [], wants: () => true }
  return a.app.deps.live.watch({ ...all, since })
}

async function nextOf(reader: Subscription): Promise<ProjectUpdate> {
  const update = await reader.next()
  if (update?.kind !== 'project') throw new Error(`expected an update of the project, not ${update?.kind}`)
  return update
}

test('a page is told of each ping and edit on another instance, without being loaded again', async () => {
  const check = await add('Backup')
  const reader = await watch()
  await b.call('GET', `/ping/${check.id}`)
  const pinged = await nextOf(reader)
  expect(pinged.checks.map(({ check, was, state }) => [check.nPings, was, state])).toEqual([[1, 'new', 'up']])
  await updateCheck(b.app.deps, operatorIn(a.project), check, { name: 'Sync' }, false)
  const edited = await nextOf(reader)
  expect(edited.checks.map(({ check }) => check.name)).toEqual(['Sync'])
})
