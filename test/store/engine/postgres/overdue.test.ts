/** Instances share the work of judging overdue checks. Runs with TEST_ENGINE=postgres. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Database } from '../../../../src/store/sql/database.ts'
import { createStore } from '../../../../src/store/sql-store/sql-store.ts'
import { ENGINE, testDatabase } from '../../../support/databases.ts'
import { openUrl } from '../../../support/open-url.ts'
import { after, type StoreFixture, storeFixture } from '../../../support/store-builders.ts'

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

  /** Judges the checks in another instance, until the returned function is called. */
  async function judgedElsewhere(checks: readonly { readonly id: string }[]) {
    const [locked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const written = database.write(async (sql) => {
      const ids = checks.map(({ id }) => id)
      await sql.lock('check', ids)
      locked.resolve()
      await gate.promise
    })
    await locked.promise
    return async () => {
      gate.resolve()
      await written
    }
  }

  test('a check that another instance judges is left to it, and the look after that is no earlier than the next deadline', async () => {
    const [first, second, third] = [await g.check(), await g.check(), await g.check({ timeoutSeconds: 600 })]
    for (const check of [first, second, third]) await g.ping(check)
    g.clock.set(after(120).toString())
    const release = await judgedElsewhere([first])
    const { flips, nextLookAt } = await g.judgeOverdue()
    expect(flips.map(({ checkId }) => checkId)).toEqual([second.id])
    expect(String(nextLookAt)).toBe(String(after(660)))
    expect(await g.judgeOverdue()).toMatchObject({ flips: [] })
    await release()
    expect((await g.judgeOverdue()).flips.map(({ checkId }) => checkId)).toEqual([first.id])
  })

  test('a batch is filled with checks that nobody has locked', async () => {
    const checks = [await g.check(), await g.check(), await g.check()]
    for (const check of checks) await g.ping(check)
    g.clock.set(after(120).toString())
    const release = await judgedElsewhere(checks.slice(0, 1))
    expect((await g.judgeOverdue(2)).flips).toHaveLength(2)
    await release()
  })

  test('after an outage, no check is left out', async () => {
    const check = await g.check()
    await g.ping(check)
    g.clock.set(after(120).toString())
    const release = await judgedElsewhere([check])
    const judged = g.store.flips.judgeOverdue(g.clock.now(), g.rules, 100, 'wait')
    await release()
    expect((await judged).flips.map(({ checkId }) => checkId)).toEqual([check.id])
  })
}
