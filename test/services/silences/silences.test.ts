/** Silences that people create and end. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Actor } from '../../../src/domain/actor.ts'
import { operatorIn } from '../../../src/domain/actor.ts'
import type { Silence } from '../../../src/domain/silence/silence.ts'
import type { WantedSilence } from '../../../src/domain/silence/spec.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { listNamedSilences } from '../../../src/services/silences/silence-checks.ts'
import {
  changeSilence,
  createSilence,
  endSilence,
  findSilences,
  getSilence,
  listEndedSilences,
  listSilences,
} from '../../../src/services/silences/silences.ts'
import { refusalOf } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const NOWHERE = '00000000-0000-4000-8000-000000000000'

let t: TestApp
let other: Actor
beforeEach(async () => {
  t = await testApp()
  other = operatorIn((await createProject(t.app.deps, 'Other')).project)
})
afterEach(() => t.close())

function wanted(over: Partial<WantedSilence> = {}): WantedSilence {
  const startsAt = t.clock.now()
  const window = { startsAt, endsAt: startsAt.add({ minutes: 60 }), untilHealthy: false, window: null }
  return { ...window, match: { checks: [], tags: [] }, upTo: 'down', reason: 'upgrade', ...over }
}

const checkOf = async (actor: Actor) => (await upsertCheck(t.app.deps, actor, { name: 'Job' }, false)).check

test('a silence is listed until it has ended, with who made it', async () => {
  const { id } = await checkOf(t.actor)
  const made = await createSilence(t.app.deps, t.actor, wanted({ match: { checks: [id], tags: ['prod'] } }))
  expect(made.createdBy).toEqual({ kind: 'command', accountId: null, name: '' })
  expect(await listSilences(t.app.deps, t.actor)).toEqual([made])
  expect(await listSilences(t.app.deps, other)).toEqual([])
  t.clock.advance({ minutes: 60 })
  expect(await listSilences(t.app.deps, t.actor)).toEqual([])
  expect(await getSilence(t.app.deps, t.actor, made.id)).toEqual(made)
})

test('a silence for a check of another project, or for none, is refused', async () => {
  for (const id of [(await checkOf(other)).id, NOWHERE]) {
    const refused = createSilence(t.app.deps, t.actor, wanted({ match: { checks: [id], tags: [] } }))
    const { code, message } = await refusalOf(refused)
    expect([code, message]).toEqual(['invalid', `match names the check ${id}, which the project does not have`])
  }
  expect(await listSilences(t.app.deps, t.actor)).toEqual([])
})

test('a silence is ended once, and stays for the record', async () => {
  t.clock.advance({ minutes: 1 })
  const { id } = await createSilence(t.app.deps, t.actor, wanted())
  t.clock.advance({ minutes: 10 })
  const { endsAt } = await endSilence(t.app.deps, t.actor, id)
  expect(endsAt).toEqual(t.clock.now())
  t.clock.advance({ minutes: 10 })
  expect((await endSilence(t.app.deps, t.actor, id)).endsAt).toEqual(endsAt)
  expect(await listSilences(t.app.deps, t.actor)).toEqual([])
  expect((await Array.fromAsync(listEndedSilences(t.app.deps, t.actor))).flat().map((silence) => silence.id)).toEqual([
    id,
  ])
  const rows = await t.app.deps.store.audit.list(2)
  expect(rows.map(({ action, subject }) => [action, subject.kind, subject.name])).toEqual([
    ['edit', 'silence', 'upgrade'],
    ['create', 'silence', 'upgrade'],
  ])
})

test('a silence is changed until it has ended', async () => {
  const made = await createSilence(t.app.deps, t.actor, wanted())
  const edit = (silence: Silence) => ({ ...silence, reason: 'a longer upgrade' })
  t.clock.advance({ minutes: 1 })
  expect(await changeSilence(t.app.deps, t.actor, made.id, edit)).toEqual({ ...made, reason: 'a longer upgrade' })
  const [row] = await t.app.deps.store.audit.list(1)
  expect(row).toMatchObject({ action: 'edit', before: { reason: 'upgrade' }, after: { reason: 'a longer upgrade' } })
  t.clock.advance({ minutes: 60 })
  const { code, message } = await refusalOf(changeSilence(t.app.deps, t.actor, made.id, edit))
  expect([code, message]).toEqual(['invalid', 'the silence has ended: make a new one'])
})

test('a silence until healthy is not changed', async () => {
  const { id } = await createSilence(t.app.deps, t.actor, { ...wanted(), untilHealthy: true })
  const { code, message } = await refusalOf(changeSilence(t.app.deps, t.actor, id, (one) => ({ ...one, reason: 'x' })))
  expect([code, message]).toEqual([
    'invalid',
    'a silence until healthy, or of a ping URL, cannot be changed: end it, and make a new one',
  ])
})

test('a silence of another project is neither read, changed nor ended, and one that does not exist is not found', async () => {
  const { id } = await createSilence(t.app.deps, other, wanted())
  expect((await refusalOf(getSilence(t.app.deps, t.actor, id))).code).toBe('forbidden')
  expect((await refusalOf(endSilence(t.app.deps, t.actor, id))).code).toBe('forbidden')
  expect((await refusalOf(changeSilence(t.app.deps, t.actor, id, (one) => one))).code).toBe('forbidden')
  expect(await findSilences(t.app.deps, t.actor, [id, NOWHERE])).toEqual(new Map())
  expect((await findSilences(t.app.deps, other, [id])).size).toBe(1)
  expect((await refusalOf(getSilence(t.app.deps, t.actor, NOWHERE))).code).toBe('not-found')
  expect((await refusalOf(getSilence(t.app.deps, t.actor, 'nothing'))).code).toBe('not-found')
})

test('a project has 1,000 silences of people at most, and beside them those of ping URLs', async () => {
  const job = await checkOf(t.actor)
  const ask = () => t.call('GET', `/ping/${job.id}/silence?for=20m`)
  await ask()
  for (let n = 0; n < 1_000; n += 1) await createSilence(t.app.deps, t.actor, wanted())
  const { code, message } = await refusalOf(createSilence(t.app.deps, t.actor, wanted()))
  expect([code, message]).toEqual([
    'silences-full',
    'the project has 1000 silences that have not ended: end one of them first',
  ])
  t.clock.advance({ minutes: 1 })
  await ask()
  const silences = await listSilences(t.app.deps, t.actor)
  expect(silences).toHaveLength(1_001)
  expect(silences.filter(({ createdBy }) => createdBy === null)).toMatchObject([{ startsAt: t.clock.now() }])
  const { id } = silences.findLast(({ createdBy }) => createdBy !== null) ?? { id: '' }
  await endSilence(t.app.deps, t.actor, id)
  await createSilence(t.app.deps, t.actor, wanted())
})

test('a project has 50 silences with a schedule at most, and beside them others', async () => {
  const window = { schedule: '0 22 * * 6', tz: 'Europe/Riga', seconds: 7_200 }
  const again = () => createSilence(t.app.deps, t.actor, wanted({ endsAt: null, window }))
  const once = await createSilence(t.app.deps, t.actor, wanted())
  const first = await again()
  for (let n = 1; n < 50; n += 1) await again()
  const changed = changeSilence(t.app.deps, t.actor, once.id, (silence) => ({ ...silence, window }))
  for (const refused of [again(), changed]) {
    const { code, message } = await refusalOf(refused)
    expect([code, message]).toEqual([
      'silences-full',
      'the project has 50 silences with a schedule that have not ended: end one of them first',
    ])
  }
  expect((await getSilence(t.app.deps, t.actor, once.id)).window).toBeNull()
  await createSilence(t.app.deps, t.actor, wanted())
  await changeSilence(t.app.deps, t.actor, first.id, (silence) => ({ ...silence, reason: 'longer' }))
  await endSilence(t.app.deps, t.actor, first.id)
  await again()
})

test('the first 100 silences are listed with the checks that they name, and the others are counted', async () => {
  const { id } = await checkOf(t.actor)
  for (let n = 0; n < 101; n += 1) {
    await createSilence(t.app.deps, t.actor, wanted({ match: { checks: [id], tags: [] }, reason: String(n) }))
  }
  const { first, rest } = await listNamedSilences(t.app.deps, t.actor)
  expect([first.length, rest]).toEqual([100, 1])
  expect(first.every(({ checks: [check] }) => check?.id === id)).toBe(true)
})
