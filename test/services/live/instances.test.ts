/** Open pages of one instance, and writes of another one. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { deleteCheck, pauseCheck, updateCheck, upsertCheck } from '../../../src/services/checks/checks.ts'
import type { ProjectUpdate, Subscription } from '../../../src/services/common/ports/live.ts'
import { standing } from '../../support/standing.ts'
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

const add = async (name: string, spec: Readonly<Record<string, unknown>> = {}) =>
  (await upsertCheck(b.app.deps, a.actor, { name, ...spec }, false)).check

function watch(since: string | null = null): Promise<Subscription> {
  const all = { accountId: 'somebody', projectIds: [a.project.id], numbersOf: [], menusOf: [], wants: () => true }
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
  await updateCheck(b.app.deps, a.actor, check, { name: 'Sync' }, false)
  const edited = await nextOf(reader)
  expect(edited.checks.map(({ check }) => check.name)).toEqual(['Sync'])
})

describe('a page of one instance whose stream another one opens', () => {
  test('is told nothing while nothing has changed', async () => {
    await add('Backup')
    const reader = await watch(await standing(b))
    expect(reader.takeNewest()).toBeNull()
  })

  test('is told what was pinged meanwhile, and what has become late', async () => {
    const [backup, sync] = [await add('Backup'), await add('Sync', { timeout: 60, grace: 60 }), await add('Idle')]
    for (const { id } of [backup, sync]) await b.call('GET', `/ping/${id}`)
    const since = await standing(b)
    a.clock.advance({ seconds: 61 })
    await b.call('GET', `/ping/${backup.id}`)
    const { checks } = await nextOf(await watch(since))
    expect(checks.map(({ check, state }) => [check.name, state]).toSorted()).toEqual([
      ['Backup', 'up'],
      ['Sync', 'late'],
    ])
  })

  test('that has watched the project before knows what the page has shown, also just after an edit', async () => {
    await watch()
    await add('Backup')
    const reader = await watch(await standing(b))
    const update = await nextOf(reader)
    expect(update.checks.map(({ check, was }) => [check.name, was])).toEqual([['Backup', null]])
    expect((await watch(update.position ?? '')).takeNewest()).toBeNull()
  })

  const changes = {
    created: () => add('Sync'),
    edited: (check: Check) => updateCheck(b.app.deps, a.actor, check, { tags: 'prod' }, false),
    paused: (check: Check) => pauseCheck(b.app.deps, a.actor, check),
    deleted: (check: Check) => deleteCheck(b.app.deps, a.actor, check),
  }
  test.each(Object.entries(changes))('loads the page again if a check was %s meanwhile', async (_, change) => {
    const check = await add('Backup')
    const since = await standing(b)
    await change(check)
    const reader = await watch(since)
    expect((await reader.next())?.kind).toBe('unknown')
  })

  test('never loads it again because of pings, however many: what one message cannot tell, later ones do', async () => {
    const checks = await Promise.all(Array.from({ length: 220 }, (_, n) => add(`Check ${n}`)))
    const pingAll = () => Promise.all(checks.map(({ id }) => b.call('GET', `/ping/${id}`)))
    await pingAll()
    const since = await standing(b)
    await pingAll()
    const reader = await watch(since)
    const told = new Set<string>()
    while (told.size < checks.length) for (const { check } of (await nextOf(reader)).checks) told.add(check.id)
    expect(told.size).toBe(checks.length)
  })
})

test('a page is not loaded again because another instance has written', async () => {
  const check = await add('Backup')
  await b.call('GET', `/ping/${check.id}`)
  const since = await standing(a)
  await b.call('GET', `/ping/${check.id}`)
  const { checks } = await nextOf(await watch(since))
  expect(checks.map(({ check }) => check.nPings)).toEqual([2])
})

test('a page is told that another instance has news of an alert', async () => {
  const check = await add('Backup')
  const reader = await watch()
  await a.app.deps.live.noticeOthers([{ projectId: a.project.id, checkId: check.id }])
  expect((await nextOf(reader)).hasAlertNews).toBe(true)
})

test('a check that another instance is known to have changed is told before all others are read again', async () => {
  const check = await add('Backup')
  const reader = await watch()
  await updateCheck(b.app.deps, a.actor, check, { name: 'Sync' }, false)
  await a.app.deps.live.noticeOthers([{ projectId: a.project.id, checkId: check.id }])
  const { checks } = await nextOf(reader)
  expect(checks.map(({ check }) => check.name)).toEqual(['Sync'])
})
