/** Instances undo and change the same checks at the same time. Runs with TEST_ENGINE=postgres. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { applyUndo, undoOf } from '../../../../src/domain/bulk/bulk.ts'
import { pause } from '../../../../src/domain/check/pause.ts'
import type { Database } from '../../../../src/store/sql/database.ts'
import { createStore } from '../../../../src/store/sql-store/sql-store.ts'
import type { UndoKeeping } from '../../../../src/store/store.ts'
import { ENGINE, testDatabase } from '../../../support/databases.ts'
import { openUrl } from '../../../support/open-url.ts'
import { untilSomebodyWaits } from '../../../support/postgres/waiting.ts'
import { anAccount, anAuthor, type StoreFixture, storeFixture } from '../../../support/store-builders.ts'

if (ENGINE === 'postgres') {
  let database: Database
  let g: StoreFixture
  beforeEach(async () => {
    const { url, remove } = await testDatabase()
    database = await openUrl(url)
    const store = createStore(await openUrl(url))
    const close = async () => {
      await store.close()
      await database.close()
      await remove()
    }
    g = await storeFixture(async () => ({ store, another: null, close }))
  })
  afterEach(() => g.close())

  test('who undoes a change locks its checks before it removes what it undoes, and finds out whether that is gone by then', async () => {
    const [ann, check] = [anAccount(), await g.check()]
    await g.store.by(anAuthor()).accounts.create(ann)
    const key = { lookup: 'a', accountId: ann.id, projectId: g.project.id }
    const keeping: UndoKeeping = {
      key,
      begunAt: g.clock.now(),
      stepsBefore: 0,
      undoOf: ({ before, change }) => undoOf(before, { kind: 'pause' }, { ...before, check: change.check }),
    }
    const decide = () => pause(check, g.clock.now())
    await g.store.by(anAuthor()).checks.changeMany(g.project.id, [check.publicId], decide, g.rules, keeping)

    let undone: Promise<unknown> = Promise.resolve()
    await database.write(async (sql) => {
      await sql.lock('check', [check.id])
      undone = g.store
        .by(anAuthor())
        .checks.undo(key, g.clock.now(), (before, how) => applyUndo(before, how, new Set()), g.rules)
      await untilSomebodyWaits(database)
      // If the undo had locked the row, it would not be deleted.
      await sql.run('DELETE FROM undos WHERE lookup IN (SELECT lookup FROM undos FOR UPDATE SKIP LOCKED)', [])
    })
    expect(await undone).toBeNull()
    expect((await g.stored(check)).status).toBe('paused')
  })
}
