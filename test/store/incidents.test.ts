/** Incidents written by several processes at the same time, and incidents that a check has left behind. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Check } from '../../src/domain/check/check.ts'
import { endSilence, type Silence } from '../../src/domain/silence/silence.ts'
import { FORGET_INCIDENT } from '../../src/store/incidents/ends.ts'
import type { Database } from '../../src/store/sql/database.ts'
import { createStore } from '../../src/store/sql-store/sql-store.ts'
import { ENGINE, testDatabase } from '../support/databases.ts'
import { openUrl } from '../support/open-url.ts'
import { untilSomebodyWaits } from '../support/postgres/waiting.ts'
import { after, anAuthor, aSilenceOf, only, type StoreFixture, storeFixture } from '../support/store-builders.ts'

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

async function heldCheck(): Promise<{ check: Check; silence: Silence }> {
  const silence = aSilenceOf(g.project)
  await g.store.by(anAuthor()).silences.create(silence, g.clock.now())
  const check = await g.check()
  await g.ping(check, { action: 'fail' })
  g.clock.advance({ seconds: 60 })
  return { check, silence }
}
const end = (silence: Silence) =>
  g.store.by(anAuthor()).silences.change(silence, (one) => endSilence(one, g.clock.now()), g.clock.now())

test('an incident that its check has left behind is looked at once', async () => {
  const { check } = await heldCheck()
  await g.store.by(anAuthor()).checks.delete(check.id)
  await database.write((sql) => sql.run('UPDATE incidents SET next_look_at = 1 WHERE check_id = $1', [check.id]))
  const due = await g.store.incidents.due(g.clock.now(), 10)
  expect(due).toHaveLength(1)
  expect(await g.store.incidents.look(due, g.rules)).toEqual({ looked: 0, owed: false })
  expect(await g.store.incidents.nextLookAt()).toBeNull()
})

if (ENGINE === 'postgres') {
  test('a note that was begun before a silence ends leaves what the end has written', async () => {
    const { check, silence } = await heldCheck()
    const incident = only(await g.store.incidents.list(check.id, null, 10))
    let noted: Promise<unknown> = Promise.resolve()
    await database.write(async (sql) => {
      // The note increments the count of its check after it has read the incident.
      await sql.all('SELECT n_events FROM checks WHERE id = $1 FOR UPDATE', [check.id])
      noted = g.store.by(anAuthor()).incidents.note(incident, 'Disk is full', g.rules)
      await untilSomebodyWaits(database)
      await end(silence)
    })
    expect(await noted).toBe(true)
    const { nextLookAt, lastN, revision } = only(await g.store.incidents.list(check.id, null, 10))
    expect({ nextLookAt, lastN, revision }).toEqual({
      nextLookAt: after(60),
      lastN: incident.lastN + 1,
      revision: incident.revision + 2,
    })
  })

  test('a silence that ends wakes no incident whose check is deleted meanwhile', async () => {
    const { check, silence } = await heldCheck()
    let ended: Promise<unknown> = Promise.resolve()
    await database.write(async (sql) => {
      await sql.run(FORGET_INCIDENT, [check.id])
      ended = end(silence)
      await untilSomebodyWaits(database)
    })
    expect(await ended).toMatchObject({ endsAt: after(60) })
    expect(await g.store.incidents.nextLookAt()).toBeNull()
  })
}
