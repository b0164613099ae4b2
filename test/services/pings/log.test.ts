/** The log of a check, page by page. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { operatorIn } from '../../../src/domain/actor.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { getCheck, upsertCheck } from '../../../src/services/checks/checks.ts'
import { readLog } from '../../../src/services/pings/log.ts'
import { createProject, setPingLogLimit } from '../../../src/services/projects/projects.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { codeOf } from '../accounts/people.ts'

let t: TestApp
let check: Check
beforeEach(async () => {
  t = await testApp()
  check = (await upsertCheck(t.app.deps, t.actor, {}, false)).check
})
afterEach(() => t.close())

const ping = (path = '', body = '') => t.call('POST', `/ping/${check.id}${path}`, { body })
const read = async (limit: number, before?: number) => {
  const { check: now } = await getCheck(t.app.deps, t.actor, check.id)
  return readLog(t.app.deps, t.actor, now, before === undefined ? { limit } : { limit, before })
}
const numbers = async (limit: number, before?: number) => {
  const { entries, older } = await read(limit, before)
  return [entries.map(({ n }) => n), older]
}

test('is read newest first, and each page leads to the older one', async () => {
  expect(await numbers(2)).toEqual([[], null])
  for (let n = 0; n < 5; n++) await ping()
  expect(await numbers(2)).toEqual([[5, 4], 4])
  expect(await numbers(2, 4)).toEqual([[3, 2], 2])
  expect(await numbers(2, 2)).toEqual([[1], null])
  expect(await numbers(5)).toEqual([[5, 4, 3, 2, 1], null])
  expect(await numbers(2, 1)).toEqual([[], null])
})

test('ends where the project stops keeping it, before retention has run', async () => {
  for (let n = 0; n < 5; n++) await ping()
  await setPingLogLimit(t.app.deps, t.actor, 3)
  const project = { ...t.project, pingLogLimit: 3 }
  const { entries, older } = await readLog(t.app.deps, operatorIn(project), check, { limit: 2 })
  expect([entries.map(({ n }) => n), older]).toEqual([[5, 4], 4])
  const last = await readLog(t.app.deps, operatorIn(project), { ...check, nPings: 5 }, { limit: 2, before: 4 })
  expect([last.entries.map(({ n }) => n), last.older]).toEqual([[3], null])
})

test('has the size of each body without reading it, and the duration of each run, wherever its start is', async () => {
  await ping('/start')
  t.clock.advance({ seconds: 7 })
  await ping('', 'x'.repeat(1000))
  await ping()
  const { entries } = await read(2)
  expect(entries.map(({ n, duration, bodySize }) => [n, duration, bodySize])).toEqual([
    [3, null, 0],
    [2, 7_000_000, 1000],
  ])
})

test('is read in the project of the check only', async () => {
  const { project } = await createProject(t.app.deps, 'Other')
  expect(await codeOf(readLog(t.app.deps, operatorIn(project), check, { limit: 1 }))).toBe('forbidden')
})
