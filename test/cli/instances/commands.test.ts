import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHeartbeat } from '../../../src/services/server/outage.ts'
import { run } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let place: TestDatabase
let t: TestApp
beforeAll(async () => {
  place = await testDatabase()
  t = await testApp({ env: { DATABASE_URL: place.url, INSTANCE_NAME: 'east' } })
})
afterAll(async () => {
  await t.close()
  await place.remove()
})

test('instances lists the servers on the database', async () => {
  const settings = { DATABASE_URL: place.url }
  expect(await run(['instances'], settings)).toMatchObject({ code: 0, out: 'no instance runs on this database\n' })
  await createHeartbeat(t.app.deps)()
  const { version } = t.app.deps.ownProcess
  const { out } = await run(['instances', '--json'], settings)
  expect(JSON.parse(out)).toMatchObject([
    // The clock of this test does not advance, that of the command does.
    { name: 'east', version, alive: false, last_seen: '2026-03-04T12:00:00+00:00', clock_ahead_seconds: 0 },
  ])
  const [heads = '', row = ''] = (await run(['instances'], settings)).out.split('\n')
  expect(heads).toStartWith('NAME')
  expect(row).toMatch(/^east +\S+ +gone +2026-03-04T12:00:00\+00:00 .* 0\.0 s$/)
})
