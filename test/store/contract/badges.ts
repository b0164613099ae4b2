/** The data of badges. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { allBadgeChecks } from '../../support/lists.ts'
import {
  aCheck,
  after,
  anAuthor,
  aProject,
  type OpenStore,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const FACTS: Partial<Check> = {
  name: 'Näme',
  tags: ' a  b ',
  kind: 'cron',
  timeoutSeconds: 61,
  graceSeconds: 62,
  schedule: '0 3 * * 1-5',
  tz: 'Europe/Riga',
  status: 'up',
  lastPingAt: after(0.000_001),
  lastStartAt: after(-1),
}

export function badgesContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  test('a check is found by its badge key, with exactly what determines its status', async () => {
    const check = await g.check(FACTS)
    await g.check()
    expect(await g.store.badges.findCheck(check.badgeKey)).toEqual({ ...FACTS, sparedUntil: null } as never)
    expect(await g.store.badges.findCheck(check.id)).toBeNull()
  })

  test('a check that was spared after an outage has the time until when', async () => {
    const check = await g.check()
    await g.store
      .by(anAuthor())
      .checks.change(check.id, (found) => ({ check: { ...found, sparedUntil: after(9) } }), g.rules)
    expect((await g.store.badges.findCheck(check.badgeKey))?.sparedUntil).toEqual(after(9))
  })

  test('the badge key of a project finds the checks of that project only', async () => {
    const other = aProject()
    await g.store.by(anAuthor()).projects.create(other, [])
    await g.store
      .by(anAuthor())
      .checks.upsert(aCheck(other, { name: 'foreign' }), null, (check) => ({ check }), g.rules)
    await g.check(FACTS)
    await g.check({ name: 'second' })
    const listed = await allBadgeChecks(g.store, g.project.badgeKey)
    expect(listed.map(({ name }) => name).toSorted()).toEqual(['Näme', 'second'])
    expect(listed).toContainEqual({ ...FACTS, sparedUntil: null } as never)
  })

  test('an unknown badge key finds none', async () => {
    const check = await g.check()
    expect(await allBadgeChecks(g.store, check.badgeKey)).toEqual([])
    expect(await allBadgeChecks(g.store, g.project.id)).toEqual([])
    expect(await g.store.badges.findCheck(g.project.badgeKey)).toBeNull()
  })
}
