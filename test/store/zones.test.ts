/** Zones of a project whose checks are counted in several reads. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openMemory } from '../support/sqlite.ts'
import { type StoreFixture, storeFixture } from '../support/store-builders.ts'

let g: StoreFixture
beforeEach(async () => {
  g = await storeFixture(openMemory)
})
afterEach(() => g.close())

test('each check with a schedule is counted once, however many there are', async () => {
  const zones = ['Asia/Tokyo', 'Europe/Riga', 'UTC']
  for (let index = 0; index < 2_001; index += 1) {
    const tz = zones[index % 3] ?? 'UTC'
    await g.check(index % 3 === 2 ? { tz } : { kind: 'cron', schedule: '0 3 * * *', tz })
  }
  const { schedules } = await g.store.advice.findZones(g.project.id)
  expect(schedules).toEqual(
    new Map([
      ['Asia/Tokyo', 667],
      ['Europe/Riga', 667],
    ]),
  )
})
