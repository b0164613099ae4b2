/** A check's log for people: what is kept, and who sees what of it. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Actor } from '../../src/domain/actor.ts'
import type { Check } from '../../src/domain/check/check.ts'
import { getCheck } from '../../src/services/checks.ts'
import { setPingLogLimit } from '../../src/services/projects.ts'
import { readTimeline } from '../../src/services/timeline.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
let id: string
beforeEach(async () => {
  t = await testApp()
  id = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: { name: 'Job' } })).uuid
})
afterEach(() => t.close())

const ping = async (path = '', body?: string) => {
  await t.call('POST', `/ping/${id}${path}`, body === undefined ? {} : { body })
  t.clock.advance({ seconds: 1 })
}
const check = async (): Promise<Check> => (await getCheck(t.app.deps, t.actor, id)).check
const pingsOf = async (actor: Actor = t.actor) => {
  const { events } = await readTimeline(t.app.deps, actor, await check())
  return events.flatMap((event) => (event.kind === 'ping' ? [event.ping] : []))
}
const reader = (): Actor => ({
  project: t.project,
  by: { kind: 'key', keyKind: 'read-only', lookup: '', hint: '', address: null },
})

test('has every ping that the project keeps, and every flip', async () => {
  for (let count = 0; count < 4; count++) await ping(count % 2 === 0 ? '' : '/fail')
  const project = await setPingLogLimit(t.app.deps, t.actor, 3)
  const { events } = await readTimeline(t.app.deps, { ...t.actor, project }, await check())
  const words = events.map((event) => (event.kind === 'ping' ? event.ping.n : `to ${event.flip.newStatus}`))
  expect(words).toEqual(['to down', 4, 'to up', 3, 'to down', 2, 'to up'])
})

test('an entry has the duration of its run, the size of its body and its first words, but not the id of the check', async () => {
  await ping('/start')
  await ping('', 'done\nin a second')
  const [entry] = await pingsOf()
  expect(entry).toMatchObject({ n: 2, duration: 1_000_000, bodySize: 16, firstWords: 'done' })
  expect(JSON.stringify(entry)).not.toContain(id)
})

test('who may only read gets first words without the ping URL, also when they are cut off in it', async () => {
  const { pingEndpoint } = t.app.deps.site.links
  await ping('', `curl -fsS ${pingEndpoint}${id}`)
  for (let length = 250; length <= 300; length++) {
    const filler = 'x'.repeat(length - pingEndpoint.length - 1)
    await ping('', `${filler} ${pingEndpoint}${id}/fail and more`)
  }
  expect((await pingsOf()).at(-1)?.firstWords).toBe(`curl -fsS ${pingEndpoint}${id}`)
  for (const { firstWords } of await pingsOf(reader())) {
    expect(firstWords).not.toContain(id.slice(0, 4))
    expect(firstWords).toContain('…')
  }
})
