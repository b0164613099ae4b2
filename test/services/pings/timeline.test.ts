/** A check's log for people: stored facts, and the parts that each role sees. */

import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Actor } from '../../../src/domain/actor.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Flip } from '../../../src/domain/check/flip.ts'
import { EventLoopYield } from '../../../src/lib/work/event-loop-yield.ts'
import { getCheck } from '../../../src/services/checks/checks.ts'
import { readCheckPage } from '../../../src/services/overview/check-page.ts'
import { readTimeline } from '../../../src/services/pings/timeline.ts'
import { setPingLogLimit } from '../../../src/services/projects/projects.ts'
import type { Store } from '../../../src/store/store.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

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

test('has every ping that the project keeps, and the flips since the oldest of them', async () => {
  for (let count = 0; count < 4; count++) await ping(count % 2 === 0 ? '' : '/fail')
  const project = await setPingLogLimit(t.app.deps, t.actor, 3)
  const { events } = await readTimeline(t.app.deps, { ...t.actor, project }, await check())
  const words = events.map((event) => (event.kind === 'ping' ? event.ping.n : `to ${event.flip.newStatus}`))
  expect(words).toEqual(['to down', 4, 'to up', 3, 'to down', 2])
})

test('reads no flips before those of the oldest ping that is kept, and of very many only the newest', async () => {
  for (let count = 0; count < 4; count++) await ping()
  const project = await setPingLogLimit(t.app.deps, t.actor, 3)
  const pagesRead = async (actor: Actor, secondsApart: number) => {
    const { deps, now, reads } = withEndlessFlips(secondsApart)
    await readTimeline({ ...deps, now }, actor, await check())
    return reads()
  }
  expect(await pagesRead({ ...t.actor, project }, 60)).toBe(1)
  expect(await pagesRead(t.actor, 60)).toBe(4)
})

test('the page of a check reads so many flips that ninety days fit, unless it flips all the time', async () => {
  await ping()
  const { publicId } = await check()
  const { deps, reads } = withEndlessFlips(60)
  const { upAndDown } = await readCheckPage(deps, t.actor, publicId, 'UTC', null)
  expect(reads()).toBe(10)
  expect(upAndDown.days.filter(({ look }) => look === null)).toHaveLength(82)
  const seldom = withEndlessFlips(3_600)
  await readCheckPage(seldom.deps, t.actor, publicId, 'UTC', null)
  expect(seldom.reads()).toBe(3)
})

test('what is missing is searched for in steps', async () => {
  for (let count = 0; count < 120; count++) await ping()
  const eventLoop = new EventLoopYield()
  let steps = 0
  const step = eventLoop.step.bind(eventLoop)
  eventLoop.step = (work) => {
    steps += 1
    return step(work)
  }
  const deps = { ...t.app.deps, eventLoop }
  await readTimeline(deps, t.actor, await check())
  expect(steps).toBe(0)
  await readTimeline(deps, t.actor, await check(), true)
  expect(steps).toBe(3)
})

/** Wraps the app's dependencies, with a check that has flipped for a long time, even before it was created. */
function withEndlessFlips(secondsApart: number) {
  const { store, now } = t.app.deps
  let reads = 0
  const newest = 1_000_000
  const listFlips: Store['flips']['list'] = async (checkId, _, after) => {
    reads += 1
    const first = after === null ? newest : Number(after) - 1
    const items = Array.from({ length: 1_000 }, (__, index): Flip => {
      const n = first - index
      const [oldStatus, newStatus] = n % 2 === 0 ? (['down', 'up'] as const) : (['up', 'down'] as const)
      const createdAt = now().subtract({ seconds: (newest - n) * secondsApart })
      return { checkId, n, createdAt, oldStatus, newStatus, reason: 'fail' }
    })
    return { items, next: first - 999 }
  }
  return { deps: { ...t.app.deps, store: replaced(store, { flips: { list: listFlips } }) }, now, reads: () => reads }
}

test('an entry has the duration of its run and the size of its body, but not the id of the check', async () => {
  await ping('/start')
  await ping('', 'done\nin a second')
  const [entry] = await pingsOf()
  expect(entry).toMatchObject({ n: 2, duration: 1_000_000, bodySize: 16 })
  expect(JSON.stringify(entry)).not.toContain(id)
})
