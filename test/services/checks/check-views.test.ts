/** Checks as pages show them, problems over projects, and recipients of alerts. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Actor, operatorIn } from '../../../src/domain/actor.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Instant } from '../../../src/lib/time.ts'
import { whoWasTold } from '../../../src/services/alerts/deliveries.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { viewChecks } from '../../../src/services/checks/check-views.ts'
import { deleteCheck, getCheck, pauseCheck, updateCheck, upsertCheck } from '../../../src/services/checks/checks.ts'
import { NO_ADVICE } from '../../../src/services/checks/shown-advice.ts'
import { listProblems, listRecoveries } from '../../../src/services/overview/problems.ts'
import { flipOverdue } from '../../../src/services/pings/flips.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import type { Store } from '../../../src/store/store.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { only, webhook } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const deps = () => t.app.deps
const now = () => t.clock.now()
const create = async (spec = {}, actor = t.actor) =>
  (await upsertCheck(deps(), actor, { timeout: 60, grace: 60, ...spec }, false)).check
const ping = (check: Check, path = '') => t.call('GET', `/ping/${check.id}${path}`)
const viewOf = async (check: Check) =>
  only(
    await viewChecks(
      deps(),
      [await getCheck(deps(), operatorIn({ ...t.project, id: check.projectId }), check.id)],
      now(),
      NO_ADVICE,
    ),
  )
const secondsAgo = (instant: Instant | null | undefined) => instant?.until(now()).total('seconds')

describe('the view of a check', () => {
  test('tells why it is down, from its deadline on and whether or not the loop has looked', async () => {
    const check = await create()
    await ping(check)
    t.clock.advance({ seconds: 119 })
    expect(await viewOf(check)).toMatchObject({ state: 'late', trouble: null })
    t.clock.advance({ seconds: 31 })
    const early = await viewOf(check)
    expect([early.state, early.trouble?.reason, secondsAgo(early.trouble?.since)]).toEqual(['down', 'timeout', 30])
    await flipOverdue(deps(), now())
    const late = await viewOf(check)
    expect(late.trouble).toEqual(early.trouble)
    expect(late.expected).toBeNull()
  })

  test('tells why when a run does not end, also of one that was paused', async () => {
    const check = await create()
    await ping(check, '/start')
    t.clock.advance({ seconds: 90 })
    const view = await viewOf(check)
    expect([view.state, secondsAgo(view.trouble?.since)]).toEqual(['down', 30])
  })

  test('looks for those who paused many checks in several short reads', async () => {
    const checks = []
    for (let n = 0; n < 45; n++) checks.push(await pauseCheck(deps(), t.actor, await create()))
    const looked: number[] = []
    const { store } = deps()
    const findPausers: Store['audit']['findPausers'] = (pauses) => {
      looked.push(pauses.length)
      return store.audit.findPausers(pauses)
    }
    const views = await viewChecks({ store: replaced(store, { audit: { findPausers } }) }, checks, now(), NO_ADVICE)
    expect(looked).toEqual([20, 20, 5])
    expect(views.filter(({ pause }) => pause?.by?.kind === 'command')).toHaveLength(45)
  })

  test('says what in the body made it a failure, and nothing of a rule that decides otherwise today', async () => {
    const rules = { filter_http_body: true, failure_kw: 'ERR, FAILED', filter_default_fail: true }
    const check = await create(rules)
    const send = (body: string) => t.call('POST', `/ping/${check.id}`, { body })
    const cause = async () => (await viewOf(check)).trouble?.failure?.cause
    await send('12 files\nFAILED\n')
    const rule = { name: 'keyword', word: 'FAILED', part: 'body' }
    expect(await cause()).toEqual({ subject: null, rule } as never)
    await send('12 files\n')
    expect(await cause()).toEqual({ subject: null, rule: { name: 'no-keyword', searched: 'body' } })
    await send(`${'x'.repeat(9_990)}\nDone ${'y'.repeat(20_000)} FAILED`)
    expect((await cause())?.rule?.name).toBe('no-keyword')
    await updateCheck(deps(), t.actor, check, { success_kw: 'Done' }, false)
    expect((await cause())?.rule).toBeNull()
    await updateCheck(deps(), t.actor, check, { filter_http_body: false }, false)
    expect(await cause()).toBeNull()
  })

  test('says since when and why, however long ago it went down', async () => {
    const check = await create()
    await ping(check, '/fail')
    t.clock.advance({ hours: 24 * 94 })
    await deps().store.retention.prune(now(), 10)
    const { trouble } = await viewOf(check)
    expect([trouble?.failure?.n, secondsAgo(trouble?.since)]).toEqual([1, 94 * 86_400])
  })

  test('keeps the order of the checks, and reads nothing while none is down', async () => {
    const checks: Check[] = []
    for (let n = 0; n < 120; n++) checks.push(await create({ name: `${n}` }))
    for (const check of checks.slice(10)) await ping(check, '/fail')
    const found = await deps().store.checks.findMany(checks.map(({ id }) => id))
    let reads = 0
    const store = replaced(deps().store, {
      overview: {
        listTroubles: (ids: readonly string[]) => {
          reads += 1
          return deps().store.overview.listTroubles(ids)
        },
      },
    })
    expect((await viewChecks({ store }, found.slice(0, 10), now(), NO_ADVICE)).map(({ state }) => state)).not.toContain(
      'down',
    )
    expect(reads).toBe(0)
    const views = await viewChecks({ store }, found, now(), NO_ADVICE)
    expect(views.map(({ check }) => check.name)).toEqual(checks.map(({ name }) => name))
    expect(views.filter(({ trouble }) => trouble?.reason === 'fail')).toHaveLength(110)
    expect(reads).toBe(3)
  })
})

describe('over several projects', () => {
  let other: Actor
  let stranger: Actor
  beforeEach(async () => {
    other = operatorIn((await createProject(deps(), 'Other')).project)
    stranger = operatorIn((await createProject(deps(), 'Stranger')).project)
  })

  test('what is down or late is found project after project, and in no other project', async () => {
    const down = await create({ name: 'down' })
    const late = await create({ name: 'late' }, other)
    const fine = await create({ name: 'fine', timeout: 600 }, other)
    const running = await create({ name: 'running', grace: 600 })
    for (const check of [late, fine]) await ping(check)
    await ping(running, '/start')
    for (const check of [down, await create({ name: 'foreign' }, stranger)]) await ping(check, '/fail')
    t.clock.advance({ seconds: 60 })
    const pages = await Array.fromAsync(listProblems(deps(), [other, t.actor], now()))
    expect(pages.flat().map(({ check, state }) => [check.name, state])).toEqual([
      ['late', 'late'],
      ['down', 'down'],
    ])
  })

  test('what came back is found once, unless it is down again or gone', async () => {
    const flaps = async (name: string, actor = t.actor) => {
      const check = await create({ name }, actor)
      for (const path of ['/fail', '', '/fail', '']) {
        t.clock.advance({ seconds: 1 })
        await ping(check, path)
      }
      return check
    }
    await flaps('early')
    const since = now()
    await flaps('back')
    await ping(await flaps('down again'), '/fail')
    await deleteCheck(deps(), t.actor, await flaps('gone'))
    await flaps('foreign', stranger)
    await flaps('there', other)
    t.clock.advance({ seconds: 1 })
    const pages = await Array.fromAsync(listRecoveries(deps(), [t.actor, other], since.add({ seconds: 1 }), now()))
    const found = pages.flat().map(({ check, state, at, downSince }) => {
      return [check.name, state, secondsAgo(at), secondsAgo(downSince)]
    })
    expect(found).toEqual([
      ['there', 'up', 1, 2],
      ['back', 'up', 17, 18],
    ])
  })

  test('what came back is read in the projects of the reader, in one page however often a check flaps', async () => {
    const check = await create({ name: 'flapping' })
    for (let count = 0; count < 300; count++) await ping(check, count % 2 === 0 ? '/fail' : '')
    const asked: string[] = []
    const { store } = deps()
    const listing: Store['overview']['listRecoveries'] = (projectId, ...rest) => {
      asked.push(projectId)
      return store.overview.listRecoveries(projectId, ...rest)
    }
    const read = { ...deps(), store: replaced(store, { overview: { listRecoveries: listing } }) }
    const since = now().subtract({ hours: 1 })
    expect((await Array.fromAsync(listRecoveries(read, [t.actor, other], since, now()))).flat()).toHaveLength(1)
    expect(asked).toEqual([t.project.id, other.project.id])
  })

  test('who was told of a flip is known, with what became of each alert, and in its project only', async () => {
    for (const name of ['Ops', 'Night']) {
      await createChannel(deps(), t.actor, { kind: 'webhook', name, settings: webhook(`https://${name}.example`) })
    }
    const check = await create({ channels: '*' })
    const quiet = await create()
    t.answerWith(({ url }) => answered(url.includes('night') ? 400 : 200))
    for (const made of [check, quiet]) await ping(made, '/fail')
    await t.app.settle('deliveries')
    const flips = [quiet, check].map(({ id }) => ({ checkId: id, n: 1 }))
    const told = await whoWasTold(deps(), t.actor, flips)
    expect(told.map(({ channelName, delivery, status }) => [channelName, delivery.checkId, status])).toEqual([
      ['Ops', check.id, 'down'],
      ['Night', check.id, 'down'],
    ])
    expect(told.map(({ delivery }) => delivery.state === 'sent')).toEqual([true, false])
    expect(await whoWasTold(deps(), other, flips)).toEqual([])
  })
})
