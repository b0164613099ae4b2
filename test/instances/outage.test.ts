/** After an outage of all instances, each of them notices it. They share the work of sparing checks. */

import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Check } from '../../src/domain/check/check.ts'
import { upsertCheck } from '../../src/services/checks/checks.ts'
import { createHeartbeat, recoverFromOutage } from '../../src/services/server/outage.ts'
import type { Database } from '../../src/store/sql/database.ts'
import { ENGINE } from '../support/databases.ts'
import { openUrl } from '../support/open-url.ts'
import { replaced } from '../support/replaced-methods.ts'
import type { TestApp } from '../support/test-app.ts'
import { type TwoApps, twoApps } from '../support/two-apps.ts'

let apps: TwoApps
let a: TestApp
let b: TestApp
let checks: Check[]
beforeEach(async () => {
  apps = await twoApps()
  ;({ a, b } = apps)
  checks = []
  for (const name of ['Backup', 'Sync', 'Mirror']) {
    const { check } = await upsertCheck(a.app.deps, a.actor, { name, timeout: 60, grace: 60 }, false)
    await a.call('POST', `/ping/${check.id}`)
    checks.push(check)
  }
  await createHeartbeat(a.app.deps)()
  a.clock.advance({ hours: 1 })
})
afterEach(() => apps.close())

const spared = async () =>
  (await a.app.deps.store.checks.findMany(checks.map(({ id }) => id))).filter(({ check }) => check.sparedUntil !== null)
    .length

test('no check goes down, whichever instance looks first', async () => {
  const looks = [a, b].map(async ({ app }) => {
    await createHeartbeat(app.deps)()
    await app.settle('overdue')
  })
  await Promise.all(looks)
  const statuses = await a.app.deps.store.checks.findMany(checks.map(({ id }) => id))
  expect([await spared(), statuses.map(({ check }) => check.status)]).toEqual([3, ['up', 'up', 'up']])
})

/** Spares the check in another instance, until the returned function is called. */
async function sparedElsewhere(database: Database, id: string) {
  const [locked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const written = database.write(async (sql) => {
    await sql.lock('check', [id])
    locked.resolve()
    await gate.promise
  })
  await locked.promise
  return async () => {
    gate.resolve()
    await written
  }
}

test.skipIf(ENGINE !== 'postgres')(
  'an instance spares what no other has locked, and then waits for the rest',
  async () => {
    const database = await openUrl(a.databaseUrl)
    const release = await sparedElsewhere(database, checks[0]?.id ?? '')
    const { store } = b.app.deps
    const sparedBefore: number[] = []
    const judgeOverdue: typeof store.flips.judgeOverdue = async (at, rules, limit, locked) => {
      if (locked === 'wait') {
        sparedBefore.push(await spared())
        await release()
      }
      return store.flips.judgeOverdue(at, rules, limit, locked)
    }
    await recoverFromOutage({ ...b.app.deps, store: replaced(store, { flips: { judgeOverdue } }) })
    await database.close()
    expect([sparedBefore, await spared()]).toEqual([[2], 3])
  },
)
