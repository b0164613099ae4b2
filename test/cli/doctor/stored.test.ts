/** `overdue doctor --project …`. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createDeps } from '../../../src/app/deps.ts'
import { systemClock } from '../../../src/app/system-clock.ts'
import { readConfig } from '../../../src/config/config.ts'
import { operatorIn } from '../../../src/domain/actor.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { run } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'

let place: TestDatabase
const twoDaysAgo = () => systemClock().subtract({ hours: 48 })
beforeEach(async () => {
  place = await testDatabase()
  const deps = await createDeps(readConfig({ DATABASE_URL: place.url }), () => {}, { now: twoDaysAgo })
  const { project } = await createProject(deps, 'Home')
  await upsertCheck(deps, operatorIn(project), { name: 'backup', timeout: 3_600 }, false)
  await upsertCheck(deps, operatorIn(project), { name: 'mirror', timeout: 30 * 86_400 }, false)
  await createProject(deps, 'Empty')
  await deps.closeCarriers()
  await deps.store.close()
})
afterEach(() => place.remove())

const overdue = (...words: string[]) => run(words, { DATABASE_URL: place.url }, '')
const doctor = (...words: string[]) => overdue('doctor', ...words, '--project', 'Home')

test('doctor prints the first advice of each check, and ends with 1 if there is any', async () => {
  const { code, out } = await doctor()
  expect(code).toBe(1)
  expect(out).toMatch(/^NAME +ADVICE\nbackup +This check alerts no one\.\nmirror +This check alerts no one\.\n$/)
  const none = { code: 0, out: 'No advice: the settings fit the logs.\n', err: '' }
  expect(await overdue('doctor', '--project', 'Empty')).toEqual(none)
})

test('doctor of a check prints all its advice, as JSON with the fix', async () => {
  const { code, out } = await doctor('backup', '--json')
  expect(code).toBe(1)
  const advice: { advice: string; fix: unknown }[] = JSON.parse(out)
  expect(advice.map(({ advice: kind, fix }) => [kind, fix])).toEqual([
    ['untold', { ask: 'channels' }],
    ['unwatched', { text: 'ping-line' }],
  ])
})

test('--not-now puts off the first advice, with a row in the audit log', async () => {
  const { code, out } = await doctor('backup', '--not-now')
  expect(code).toBe(0)
  expect(out).toStartWith('This check alerts no one.\nThe advice is hidden until ')
  expect(JSON.parse((await doctor('backup', '--json')).out)).toMatchObject([{ advice: 'unwatched' }])
  const audit = JSON.parse((await overdue('audit', 'list', '--kind', 'check', '--json')).out)
  expect(audit[0]).toMatchObject({ action: 'edit', after: { advice_put_off: ['untold'] } })
  await doctor('backup', '--not-now')
  expect(await doctor('backup', '--not-now')).toMatchObject({ code: 0, out: 'No advice: the settings fit the logs.\n' })
  expect(await doctor('--not-now')).toMatchObject({ code: 2, err: expect.stringContaining('needs a CHECK') })
})
