/** Deleting a project: in batches, and again after an interruption. */

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { operatorIn } from '../../../src/domain/actor.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { deleteProject } from '../../../src/services/projects/project-deletion.ts'
import { countContents, createProject } from '../../../src/services/projects/projects.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { refusalOf, rejection, webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

/** Creates more than a batch of checks, each with an alert. */
async function fill(count: number): Promise<string[]> {
  const { deps } = t.app
  await createChannel(deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const { check } = await upsertCheck(deps, t.actor, { name: `Job ${n}`, channels: '*' }, false)
    ids.push(check.id)
    await t.call('POST', `/ping/${check.id}/fail`)
  }
  return ids
}

test('ends its checks and alerts, and leaves those of others', async () => {
  const { deps } = t.app
  const other = operatorIn((await createProject(deps, 'Other')).project)
  const { check: kept } = await upsertCheck(deps, other, { name: 'Kept' }, false)
  const ids = await fill(30)
  expect(await countContents(deps, t.actor)).toEqual({ checks: 30, slugs: 0, channels: 1, members: 0 })
  expect((await deps.store.server.readOutbox()).pending).toBe(30)
  await deleteProject(deps, t.actor)
  expect(await deps.store.projects.find(t.project.id)).toBeNull()
  expect((await deps.store.server.readOutbox()).pending).toBe(0)
  for (const id of ids) expect(await deps.store.checks.find(id)).toBeNull()
  expect(await deps.store.checks.find(kept.id)).not.toBeNull()
})

test('writes a row of the audit log for each step, and none for each check', async () => {
  const { deps } = t.app
  await fill(30)
  t.clock.advance({ seconds: 1 })
  const began = deps.now()
  await deleteProject(deps, t.actor)
  const rows = (await deps.store.audit.list(200)).filter(({ author }) => author.at.equals(began))
  expect(rows.map(({ action, subject }) => `${action} ${subject.kind}`).toSorted()).toEqual([
    'delete project',
    'edit project',
    'edit project',
  ])
  const edits = rows
    .filter(({ action }) => action === 'edit')
    .map(({ before, after }) => [before?.checks, after?.checks])
  expect(edits.toSorted()).toEqual([
    [30, 5],
    [5, 0],
  ])
  const deletion = rows.find(({ action }) => action === 'delete')
  expect(deletion?.before).toMatchObject({ name: t.project.name, checks: 30, channels: 1, members: 0 })
})

test('goes on where an interrupted one has stopped', async () => {
  const { deps } = t.app
  await fill(30)
  const store = replaced(deps.store, {
    channels: { deleteEndedDeliveries: () => Promise.reject(new Error('the process ended')) },
  })
  expect(await rejection(deleteProject({ ...deps, store }, t.actor))).toHaveProperty('message', 'the process ended')
  expect(await deps.store.projects.find(t.project.id)).not.toBeNull()
  await deleteProject(deps, t.actor)
  expect(await deps.store.projects.find(t.project.id)).toBeNull()
})

test('is refused when somebody else has deleted it', async () => {
  await deleteProject(t.app.deps, t.actor)
  expect((await refusalOf(deleteProject(t.app.deps, t.actor))).code).toBe('project-not-found')
})
