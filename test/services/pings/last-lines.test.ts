/** Last lines of the bodies of pings, as lists show them. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Actor, may } from '../../../src/domain/actor.ts'
import type { ListedEntry } from '../../../src/domain/log/log-entry.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { withLastLines } from '../../../src/services/pings/last-lines.ts'
import { readTimeline } from '../../../src/services/pings/timeline.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let check: Awaited<ReturnType<typeof upsertCheck>>['check']
beforeEach(async () => {
  t = await testApp()
  check = (await upsertCheck(t.app.deps, t.actor, { name: 'Backup' }, false)).check
})
afterEach(() => t.close())

async function ping(action: string, body: string) {
  t.clock.advance({ seconds: 1 })
  expect((await t.call('POST', `/ping/${check.id}${action}`, { body })).status).toBe(200)
}

/** Number of listed runs. The run before the oldest of them is not listed. */
const LISTED = 5

async function listed(actor: Actor = t.actor): Promise<readonly ListedEntry[]> {
  const timeline = await readTimeline(t.app.deps, actor, check)
  const pings = timeline.events.flatMap((event) => (event.kind === 'ping' ? [event.ping] : []))
  const newest = timeline.events.slice(0, LISTED)
  const lines = await withLastLines(t.app.deps, check, newest, pings, may(actor, 'write'))
  return lines.flatMap((line) => (line.kind === 'ping' ? [line.ping] : []))
}

test('runs that begin alike are told apart by their last line with a letter or a digit', async () => {
  await ping('', 'Backup begins\n120 files\n-----\n')
  await ping('/fail', 'Backup begins\nDisk full!\n\n')
  expect((await listed()).map(({ lastLine }) => lastLine)).toEqual(['Disk full!', '120 files'])
})

test('a run that ends with the line of the run before is said to, also beyond what is listed, but no start or log entry', async () => {
  await ping('', 'done')
  for (let n = 0; n < 11; n++) await ping('/log', 'done')
  await ping('', 'done')
  await ping('', 'done: 3 files')
  await ping('', '')
  await ping('', '')
  const repeated = (await listed()).map(({ n, isRepeated }) => [n, isRepeated] as const)
  expect(repeated.filter(([, isRepeated]) => isRepeated)).toEqual([[13, true]])
})

test('a line has nothing that would allow pings', async () => {
  const { pingEndpoint } = t.app.deps.site.links
  await ping('', `curl -fsS ${pingEndpoint}${check.id}`)
  expect((await listed())[0]?.lastLine).toBe(`curl -fsS ${pingEndpoint}…`)
})
