/** The other instance undoes the changes of one, even after a restart. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type PersonActor, personIn } from '../../src/domain/actor.ts'
import { type BulkDeps, changeChecks, undoChange } from '../../src/services/checks/bulk.ts'
import { upsertCheck } from '../../src/services/checks/checks.ts'
import { createRetention } from '../../src/services/retention.ts'
import { accountOf, codeOf } from '../services/accounts/people.ts'
import { addAccount } from '../support/browser.ts'
import { allChecks } from '../support/lists.ts'
import { changeRows, rowsIn } from '../support/rows.ts'
import type { TestApp } from '../support/test-app.ts'
import { type TwoApps, twoApps } from '../support/two-apps.ts'

let apps: TwoApps
let a: TestApp
let b: TestApp
let ann: PersonActor
beforeEach(async () => {
  apps = await twoApps()
  ;({ a, b } = apps)
  const { id, email } = await addAccount(a)
  const actor = personIn(
    a.project,
    { kind: 'person', accountId: id, email, isAdministrator: false, address: null },
    'member',
  )
  if (actor === null) throw new Error('a member is expected')
  ann = actor
})
afterEach(() => apps.close())

async function pauseAll(t: TestApp, count: number): Promise<string> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    ids.push((await upsertCheck(t.app.deps, t.actor, { name: `job ${n}` }, false)).check.publicId)
  }
  const { undo } = await changeChecks(t.app.deps, ann, ids, { kind: 'pause' })
  return undo ?? ''
}
const paused = async () =>
  (await allChecks(b.app.deps.store, b.project.id)).filter(({ check }) => check.status === 'paused').length
const kept = async () => (await rowsIn<{ lookup: string }>(a.databaseUrl, 'SELECT lookup FROM undos')).length

test('what one instance has changed is undone by the other, once', async () => {
  const token = await pauseAll(a, 60)
  expect(await paused()).toBe(60)
  expect(await undoChange(b.app.deps, ann, token)).toMatchObject({ undone: 60, kept: 0, left: 0 })
  expect([await paused(), await kept()]).toEqual([0, 0])
  expect(await codeOf(undoChange(a.app.deps, ann, token))).toBe('undo-ended')
})

test('where one instance has died, the other goes on', async () => {
  const token = await pauseAll(a, 60)
  const { store } = a.app.deps
  let calls = 0
  const dying: BulkDeps = {
    ...a.app.deps,
    store: {
      ...store,
      by(author) {
        calls += 1
        if (calls > 1) throw new Error('died')
        return store.by(author)
      },
    },
  }
  expect(await undoChange(dying, ann, token)).toMatchObject({ undone: 10, left: 50, undo: token })
  expect(await undoChange(b.app.deps, ann, token)).toMatchObject({ undone: 50, left: 0 })
  expect(await paused()).toBe(0)
})

test('the token is not in the database', async () => {
  const token = await pauseAll(a, 1)
  const rows = await rowsIn(a.databaseUrl, 'SELECT * FROM undos')
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(token)
})

describe('what can no longer be undone', () => {
  /** Inserts so many rows of another change, each a second after the previous one. */
  const fill = (count: number, from: number, accountId = ann.by.accountId) =>
    changeRows(
      a.databaseUrl,
      `INSERT INTO undos (lookup, account_id, project_id, created_at, steps)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
       SELECT 'other.' || n, $1, $2, ${from} + n, '[]' FROM numbers`,
      [accountId, a.project.id],
    )

  test('is removed after an hour by any instance', async () => {
    await pauseAll(a, 60)
    b.clock.advance({ hours: 1 })
    await createRetention(b.app.deps)()
    expect(await kept()).toBe(0)
  })

  test('are the oldest of more than 1,600 batches, as a whole', async () => {
    const oldest = await pauseAll(a, 30)
    a.clock.advance({ seconds: 1 })
    const older = await pauseAll(a, 1)
    await fill(1_597, a.clock.now().epochMilliseconds * 1_000)
    a.clock.advance({ seconds: 1 })
    const newest = await pauseAll(a, 1)
    expect(await kept()).toBe(1_600)
    expect(await codeOf(undoChange(b.app.deps, ann, oldest))).toBe('undo-ended')
    for (const token of [older, newest]) {
      expect(await undoChange(b.app.deps, ann, token)).toMatchObject({ undone: 1 })
    }
  })

  test('are those of whoever keeps most, not what others have done before', async () => {
    const { id } = await accountOf(a, { email: 'bob@example.org', password: null })
    const older = await pauseAll(a, 1)
    await fill(1_600, a.clock.now().epochMilliseconds * 1_000, id)
    a.clock.advance({ seconds: 1 })
    await pauseAll(a, 1)
    expect(await kept()).toBe(1_600)
    expect(await undoChange(b.app.deps, ann, older)).toMatchObject({ undone: 1 })
  })

  test('are the oldest, by and by, where instances have kept more at the same time', async () => {
    await fill(1_610, a.clock.now().epochMilliseconds * 1_000)
    a.clock.advance({ seconds: 1 })
    await pauseAll(a, 1)
    const lookups = await rowsIn<{ lookup: string }>(
      a.databaseUrl,
      'SELECT lookup FROM undos ORDER BY created_at LIMIT 2',
    )
    expect(lookups.map(({ lookup }) => lookup)).toEqual(['other.6', 'other.7'])
    expect(await kept()).toBe(1_606)
  })
})
