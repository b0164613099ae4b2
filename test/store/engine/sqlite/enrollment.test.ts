/** Checks created by a program of an earlier version, which are not yet enrolled for looks. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { addSeconds } from '../../../../src/lib/time.ts'
import { openSqlite } from '../../../../src/store/engine/sqlite/sqlite.ts'
import type { Database } from '../../../../src/store/sql/database.ts'
import { createStore } from '../../../../src/store/sql-store/sql-store.ts'
import type { EnrolledUpTo } from '../../../../src/store/store.ts'
import { type Folder, temporaryFolder } from '../../../support/folder.ts'
import { anAuthor, aProject, type StoreFixture, storeFixture } from '../../../support/store-builders.ts'

let folder: Folder
let database: Database
let g: StoreFixture
beforeEach(async () => {
  folder = temporaryFolder()
  database = await openSqlite({ path: folder.file('o.db') })
  const store = createStore(database)
  g = await storeFixture(async () => ({ store, another: null, close: () => store.close() }))
})
afterEach(async () => {
  await g.close()
  folder.remove()
})

test('are enrolled by project, and as timed when the audit log has it', async () => {
  const empty = aProject()
  await g.store.by(anAuthor()).projects.create(empty, [])
  const checks = await Array.fromAsync({ length: 510 }, () => g.check())
  const [edited] = checks
  if (!edited) throw new Error('there is no check')
  const at = addSeconds(g.clock.now(), 60)
  await g.store
    .by(anAuthor({ at }))
    .checks.change(edited.id, (before) => ({ check: { ...before, tz: 'Europe/Riga' } }), g.rules)
  await database.write((sql) => sql.run('DELETE FROM advice', []))
  let place: EnrolledUpTo | null = null
  let steps = 0
  do {
    place = await g.store.advice.enrollMissing(place, g.clock.now())
    steps += 1
  } while (place !== null)
  // Two of the steps are for more checks than are read at once.
  expect(steps).toBe(3)
  const stored = await g.store.advice.findMany(checks.map(({ id }) => id))
  expect(stored.map((one) => one?.changedAt)).toEqual([
    at.epochMilliseconds,
    ...checks.slice(1).map(({ createdAt }) => createdAt.epochMilliseconds),
  ])
})
