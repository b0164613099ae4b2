/** The holder of the lease removes data that one instance leaves. Runs with TEST_ENGINE=postgres: `bun run test:postgres`. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { clearCheck, upsertCheck } from '../../src/services/checks/checks.ts'
import { ENGINE } from '../support/databases.ts'
import { rowsIn } from '../support/rows.ts'
import { type TwoApps, twoApps } from '../support/two-apps.ts'

if (ENGINE === 'postgres') {
  let apps: TwoApps
  beforeEach(async () => {
    apps = await twoApps({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' })
  })
  afterEach(() => apps.close())

  test('a log that one instance has cleared is removed at once by the one that holds the lease', async () => {
    const { a, b } = apps
    const { check } = await upsertCheck(a.app.deps, a.actor, { name: 'Backup' }, false)
    await a.call('GET', `/ping/${check.id}`)
    await a.app.start()
    await a.app.settle('retention')
    await clearCheck(b.app.deps, b.actor, check)
    await b.app.settle('retention')
    while ((await rowsIn(a.databaseUrl, 'SELECT check_id FROM cleared_checks')).length > 0) await Bun.sleep(1)
    expect(await rowsIn(a.databaseUrl, 'SELECT n FROM pings')).toEqual([])
  })
}
