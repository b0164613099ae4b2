/** A change of the settings of several checks: tried, made, refused, undone. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type PersonActor, personIn } from '../../../src/domain/actor.ts'
import { type SettingsEdit, stampOf } from '../../../src/domain/bulk/edit.ts'
import type { Check, CheckSpec } from '../../../src/domain/check/check.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import { changeSettings, readSelected, TRIED_LIMIT, trySettings } from '../../../src/services/bulk/settings.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { undoChange } from '../../../src/services/checks/bulk.ts'
import {
  deleteCheck,
  getCheck,
  pauseCheck,
  transferCheck,
  updateCheck,
  upsertCheck,
} from '../../../src/services/checks/checks.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { addAccount } from '../../support/browser.ts'
import { rejection, webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let ann: PersonActor
beforeEach(async () => {
  t = await testApp()
  await addAccount(t, { id: 'ann', email: 'ann@example.org' })
  const person = { kind: 'person', accountId: 'ann', email: 'ann@example.org', isAdministrator: false } as const
  ann = personIn(t.project, { ...person, address: null }, 'member') as PersonActor
})
afterEach(() => t.close())

const deps = () => t.app.deps
const create = async (spec: CheckSpec = {}) => (await upsertCheck(deps(), t.actor, spec, false)).check
const stored = (check: Check) => getCheck(deps(), t.actor, check.id)
const idsOf = (checks: readonly Check[]) => checks.map(({ publicId }) => publicId)
async function seenOf(checks: readonly Check[]) {
  const found = await readSelected(deps(), ann, idsOf(checks))
  return new Map(found.map((one) => [one.check.publicId, stampOf(one)]))
}
const change = async (checks: readonly Check[], edit: SettingsEdit) =>
  changeSettings(deps(), ann, await seenOf(checks), edit)
async function tried(checks: readonly Check[], edit: SettingsEdit) {
  return trySettings(deps(), ann, await readSelected(deps(), ann, idsOf(checks)), edit)
}
async function refusal(asked: Promise<unknown>) {
  const error = await rejection(asked)
  if (!(error instanceof Refusal)) throw error
  return { code: error.code, problems: error.data.problems }
}

describe('a change of settings that is tried', () => {
  test('says per check what would change, with the alerts of the last 30 days, and changes nothing', async () => {
    const [late, calm] = [await create({ name: 'late', timeout: 3_600, grace: 60 }), await create({ name: 'calm' })]
    // Each run is 10 minutes later than the hour: with a minute of grace each is an alert, with 15 minutes none.
    for (let n = 0; n < 5; n++) {
      await t.call('GET', `/ping/${late.id}`)
      t.clock.advance({ minutes: 70 })
    }
    await t.call('GET', `/ping/${late.id}`)
    const before = await stored(late)
    const [one, other] = await tried([late, calm], { grace: 900 })
    expect(one).toMatchObject({ isChanged: true, alerts: { present: 5, tried: 0 }, after: { kept: [] } })
    expect(other).toMatchObject({ isChanged: true, alerts: null })
    expect(await stored(late)).toEqual(before)
  })

  test('replays no log where the timing stays', async () => {
    const check = await create({ tags: 'a' })
    await t.call('GET', `/ping/${check.id}`)
    expect(await tried([check], { addTags: ['b'] })).toMatchObject([{ isChanged: true, alerts: null }])
    expect(await tried([check], { addTags: ['a'] })).toMatchObject([{ isChanged: false }])
  })

  test('replays some hundred logs, and only says what would change of the others', async () => {
    const check = await create({ timeout: 3_600 })
    await t.call('GET', `/ping/${check.id}`)
    const found = await stored(check)
    const many = await trySettings(deps(), ann, Array(TRIED_LIMIT + 5).fill(found), { grace: 900 })
    expect(many.filter(({ alerts }) => alerts !== null)).toHaveLength(TRIED_LIMIT)
    expect(many.every(({ isChanged }) => isChanged)).toBe(true)
  })
})

describe('a change of settings', () => {
  test('is made of all checks, is in the audit log with its author, and is undone exactly', async () => {
    const ops = await createChannel(deps(), t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
    const checks: Check[] = []
    for (let n = 0; n < 60; n++)
      checks.push(
        await create({ name: `job ${n}`, tags: n % 2 === 0 ? ' a  b ' : '', channels: n % 3 === 0 ? '*' : '' }),
      )
    const before = await Promise.all(checks.map(stored))
    t.clock.advance({ seconds: 1 })
    const edit = {
      schedule: '0 3 * * *',
      tz: 'Europe/Riga',
      grace: 600,
      methods: 'POST',
      addTags: ['new'],
      channelIds: [ops.id],
    } as const
    const { undo, ...outcome } = await change(checks, edit)
    expect(outcome).toEqual({ changed: 60, unchanged: 0, left: 0 })
    for (const check of checks)
      expect(await stored(check)).toMatchObject({
        check: { kind: 'cron', schedule: '0 3 * * *', tz: 'Europe/Riga', graceSeconds: 600, methods: 'POST' },
        channelIds: [ops.id],
      })
    const [row] = await deps().store.audit.list(1)
    expect(row?.author).toMatchObject({ kind: 'person', name: 'ann@example.org' })
    expect(await undoChange(deps(), ann, undo ?? '')).toMatchObject({ undone: 60, kept: 0 })
    expect(await Promise.all(checks.map(stored))).toEqual(before)
  })

  test('changes nothing if somebody has changed, deleted or moved one of the checks, and says which', async () => {
    const checks = [
      await create({ name: 'kept' }),
      await create({ name: 'edited' }),
      await create({ name: 'gone' }),
      await create(),
    ]
    const [kept, edited, gone, moved] = checks as [Check, Check, Check, Check]
    const seen = await seenOf(checks)
    await updateCheck(deps(), t.actor, edited, { grace: 1_200 }, false)
    await deleteCheck(deps(), t.actor, gone)
    const { project } = await createProject(deps(), 'Other')
    await transferCheck(deps(), t.actor, moved, { ...t.actor, project })
    expect(await refusal(changeSettings(deps(), ann, seen, { grace: 600 }))).toEqual({
      code: 'checks-changed',
      problems: ['Somebody has changed ‘edited’.', '2 checks were deleted or moved.'],
    })
    expect((await stored(kept)).check.graceSeconds).toBe(3_600)
  })

  test('goes on if a check was only pinged, paused or renamed meanwhile', async () => {
    const checks = [await create(), await create(), await create()]
    const [pinged, paused, renamed] = checks as [Check, Check, Check]
    const seen = await seenOf(checks)
    await t.call('GET', `/ping/${pinged.id}`)
    await pauseCheck(deps(), t.actor, paused)
    await updateCheck(deps(), t.actor, renamed, { name: 'Other' }, false)
    expect(await changeSettings(deps(), ann, seen, { grace: 600 })).toMatchObject({ changed: 3 })
  })

  test('puts back what it has changed when somebody changes a later check while it is made', async () => {
    const checks: Check[] = []
    for (let n = 0; n < 60; n++) checks.push(await create({ name: `job ${n}` }))
    const [last] = checks.slice(-1) as [Check]
    const seen = await seenOf(checks)
    const { store } = deps()
    let batches = 0
    const racing = {
      ...deps(),
      store: {
        ...store,
        by: (author: Parameters<typeof store.by>[0]) => {
          const writes = store.by(author)
          const changeMany: typeof writes.checks.changeMany = async (...given) => {
            batches += 1
            if (batches === 2) await updateCheck(deps(), t.actor, last, { grace: 1_200 }, false)
            return writes.checks.changeMany(...given)
          }
          return { ...writes, checks: { ...writes.checks, changeMany } }
        },
      },
    }
    expect(await refusal(changeSettings(racing, ann, seen, { grace: 600 }))).toEqual({
      code: 'checks-changed',
      problems: ['Somebody has changed ‘job 59’.'],
    })
    const graces = new Set((await Promise.all(checks.slice(0, -1).map(stored))).map(({ check }) => check.graceSeconds))
    expect(graces).toEqual(new Set([3_600]))
  })

  test('puts back what it has changed when the store fails half way', async () => {
    const checks: Check[] = []
    for (let n = 0; n < 60; n++) checks.push(await create({ name: `job ${n}` }))
    const seen = await seenOf(checks)
    const { store } = deps()
    let batches = 0
    const by: typeof store.by = (author) => {
      batches += 1
      if (batches === 2) throw new Error('disk full')
      return store.by(author)
    }
    const failing = { ...deps(), store: { ...store, by } }
    expect((await refusal(changeSettings(failing, ann, seen, { grace: 600 }))).code).toBe('overloaded')
    for (const check of checks) expect((await stored(check)).check.graceSeconds).toBe(3_600)
  })

  test('of integrations that were deleted meanwhile is refused', async () => {
    const check = await create()
    expect((await refusal(change([check], { channelIds: [crypto.randomUUID()] }))).code).toBe('channel-not-found')
  })

  test('is undone only where nobody has changed a check since', async () => {
    const checks = [await create({ name: 'mine' }), await create({ name: 'theirs' })]
    const [mine, theirs] = checks as [Check, Check]
    const { undo } = await change(checks, { grace: 600 })
    await updateCheck(deps(), t.actor, theirs, { grace: 1_200 }, false)
    expect(await undoChange(deps(), ann, undo ?? '')).toMatchObject({ undone: 1, kept: 1 })
    expect((await stored(mine)).check.graceSeconds).toBe(3_600)
    expect((await stored(theirs)).check.graceSeconds).toBe(1_200)
  })
})
