/** Sources of a check's rhythm: its log, and the counts of the days before it. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Role } from '../../../src/domain/account/role.ts'
import { type Actor, personIn } from '../../../src/domain/actor.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import type { RhythmPlot } from '../../../src/domain/rhythm-plot/rhythm-plot.ts'
import { packedMinutes } from '../../../src/domain/run/day-minutes.ts'
import { addSeconds } from '../../../src/lib/time.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { readCheckPage } from '../../../src/services/overview/check-page.ts'
import { createSilence } from '../../../src/services/silences/silences.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let check: Check
beforeEach(async () => {
  t = await testApp()
  const spec = { name: 'Backup', schedule: '0 2 * * *', tz: 'UTC', grace: 3_600 }
  ;({ check } = await upsertCheck(t.app.deps, t.actor, spec, false))
})
afterEach(() => t.close())

async function rhythm(actor: Actor = t.actor): Promise<RhythmPlot> {
  const view = { days: 30, isWhole: false, zone: 'check' } as const
  const { rhythm: plot } = await readCheckPage(t.app.deps, actor, check.publicId, 'Europe/Riga', view)
  if (plot === null || 'tooFew' in plot) throw new Error(`no plot: ${JSON.stringify(plot)}`)
  return plot
}
/** Sends pings at noon of three days. The log begins three days after the check was created. */
async function pinged(): Promise<void> {
  t.clock.advance({ hours: 72 })
  for (let day = 0; day < 3; day++) {
    await t.call('POST', `/ping/${check.id}`)
    t.clock.advance({ hours: 24 })
    await t.app.settle('overdue')
  }
}

test('is read from the log and from the days that are kept, each moment once', async () => {
  await pinged()
  const { store } = t.app.deps
  const now = t.clock.now()
  const [claimed] = await store.advice.claimLooks(now, addSeconds(now, 60), 10)
  if (!claimed) throw new Error('no check to look at')
  const kept = { runs: 1, failed: 0, missed: 0, firstAt: null, lastAt: null, longest: null }
  const days = [
    { ...kept, day: '2026-03-05', minutes: packedMinutes([125]) },
    { ...kept, day: '2026-03-06', runs: 0, missed: 1, minutes: packedMinutes([]) },
    { ...kept, day: '2026-03-07', minutes: packedMinutes([720]) },
  ]
  await store.advice.writeLooks(
    [{ claimed, lookedN: 3, advice: [], days, oldestDay: '2026-01-01', lookAfter: addSeconds(now, 3_600) }],
    now,
  )
  const { runs } = await rhythm()
  expect(runs.map(({ kind, began, n }) => [kind, new Date(began).toISOString().slice(0, 16), n])).toEqual([
    ['ran', '2026-03-05T02:05', null],
    ['missing', '2026-03-06T02:00', null],
    ['ran', '2026-03-07T12:00', 1],
    ['late', '2026-03-08T12:00', 2],
    ['late', '2026-03-09T12:00', 3],
    ['missing', '2026-03-10T02:00', null],
  ])
})

test('the last outage of Overdue is on it', async () => {
  await pinged()
  const until = addSeconds(t.clock.now(), -3_600)
  await t.app.deps.store.server.recordAlive(until, { from: addSeconds(until, -7_200), until })
  expect((await rhythm()).columns.filter(({ look }) => look === 'away')).toHaveLength(1)
})

test('what silenced the check is on it, also when that has ended, and for readers without the name of who did it', async () => {
  await pinged()
  const ann = {
    kind: 'person',
    accountId: 'ann',
    email: 'ann@example.org',
    isAdministrator: false,
    address: null,
  } as const
  const as = (role: Role) => personIn(t.project, ann, role) ?? t.actor
  const [startsAt, match] = [t.clock.now(), { checks: [check.id], tags: [] }]
  const wanted = {
    match,
    startsAt,
    endsAt: addSeconds(startsAt, 7_200),
    untilHealthy: true,
    window: null,
    upTo: 'down',
  } as const
  await createSilence(t.app.deps, as('member'), { ...wanted, reason: `see /ping/${check.id}` })
  t.clock.advance({ hours: 1 })
  await t.call('POST', `/ping/${check.id}`)
  t.clock.advance({ hours: 23 })
  const shown = async (actor: Actor) =>
    (await rhythm(actor)).muted.map(({ from, until, silence }) => {
      return [(until - from) / 1_000, silence.createdBy?.name, silence.reason]
    })
  expect(await shown(as('member'))).toEqual([[3_600, 'ann@example.org', `see /ping/${check.id}`]])
  expect(await shown(as('read-only'))).toEqual([[3_600, '', expect.not.stringContaining(check.id)]])
})

test('what came before the schedule was changed is not judged', async () => {
  await pinged()
  ;({ check } = await upsertCheck(
    t.app.deps,
    t.actor,
    { name: 'Backup', schedule: '30 2 * * *', unique: ['name'] },
    false,
  ))
  const { runs } = await rhythm()
  expect(runs.map(({ kind }) => kind)).toEqual(['ran', 'ran', 'ran'])
})
