/** Contents of a claimed delivery for its message: the previous flip, the project, the other checks. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../../src/domain/check/check.ts'
import { storedKey } from '../../../../src/domain/project.ts'
import { openMemory } from '../../../support/sqlite.ts'
import {
  A_TRACE,
  aCheck,
  after,
  anAuthor,
  aProject,
  only,
  SECRET,
  type StoreFixture,
  storeFixture,
} from '../../../support/store-builders.ts'

let g: StoreFixture
beforeEach(async () => {
  g = await storeFixture(openMemory, { name: 'Home lab' })
})
afterEach(() => g.close())

/** Creates other checks of the project, named in order, in any status. */
const others = async (count: number, over: Partial<Check> = {}) => {
  const made: Check[] = []
  for (let index = 1; index <= count; index += 1) made.push(await g.check({ name: `Job ${index}`, ...over }))
  return made
}

/** Creates a check with a channel that goes down now, and claims its delivery. */
const claimedDown = async () => {
  const check = await g.check({ name: 'Itself' }, [await g.channel()])
  await g.ping(check, { action: 'fail' })
  return { check, order: only(await g.claim()) }
}

describe('the previous flip', () => {
  test('is null for the first flip', async () => {
    const { order } = await claimedDown()
    expect([order.flip.n, order.previousFlip]).toEqual([1, null])
  })

  test('is the flip to down when the check recovers', async () => {
    const { check, order: down } = await claimedDown()
    await g.store.deliveries.record([down.delivery], { state: 'sent' }, A_TRACE, g.clock.now())
    g.clock.advance({ minutes: 90 })
    await g.ping(check)
    const up = only(await g.claim())
    expect(up.flip.newStatus).toBe('up')
    expect(up.previousFlip).toEqual(down.flip)
  })

  test('is the one before this flip, not the newest of the check', async () => {
    const { check, order } = await claimedDown()
    await g.store.deliveries.record(
      [order.delivery],
      { state: 'pending', error: 'not now', nextAttemptAt: after(10) },
      A_TRACE,
      g.clock.now(),
    )
    await g.ping(check)
    await g.ping(check, { action: 'fail' })
    g.clock.advance({ seconds: 10 })
    const again = only((await g.claim()).filter(({ flip }) => flip.n === 1))
    expect(again.previousFlip).toBeNull()
  })

  test('is of the same check', async () => {
    const [other] = await others(1)
    if (other) await g.ping(other, { action: 'fail' })
    const { order } = await claimedDown()
    expect(order.previousFlip).toBeNull()
  })
})

test('the project is named, with its address and its zone', async () => {
  await g.store.by(anAuthor()).projects.edit(g.project.id, { tz: 'Europe/Riga' })
  const { order } = await claimedDown()
  expect([order.projectName, order.projectSlug, order.projectTz]).toEqual(['Home lab', g.project.slug, 'Europe/Riga'])
})

const NONE = { up: 0, new: 0, paused: 0 }

describe('the other checks', () => {
  test('do not exist where the check is the only one', async () => {
    const { order } = await claimedDown()
    expect(order.siblings).toEqual({ exist: false, downCount: 0, down: [], counts: NONE })
  })

  test.each(['new', 'up', 'paused'] as const)('exist, and are not down, when they are %s', async (status) => {
    await others(2, { status })
    const { order } = await claimedDown()
    expect(order.siblings).toEqual({ exist: true, downCount: 0, down: [], counts: { ...NONE, [status]: 2 } })
  })

  test('that are overdue count as down only once their flip is written', async () => {
    await g.ping(only(await others(1)))
    g.clock.advance({ hours: 1 })
    const { check, order } = await claimedDown()
    expect(order.siblings.downCount).toBe(0)
    await g.store.deliveries.record([order.delivery], { state: 'sent' }, A_TRACE, g.clock.now())
    await g.judgeOverdue()
    await g.ping(check)
    expect(only(await g.claim()).siblings.downCount).toBe(1)
  })

  test('that are down come in order of creation with what a message says of them, not the check itself', async () => {
    const [first, second, third] = [...(await others(2)), await g.check({ name: '', status: 'down' })]
    if (!first || !second || !third) throw new Error('three checks were made')
    g.clock.advance({ seconds: 30 })
    await g.ping(second, { action: 'fail' })
    g.clock.advance({ seconds: 30 })
    await g.ping(first, { action: 'fail' })
    const { order } = await claimedDown()
    expect(order.siblings).toEqual({
      exist: true,
      downCount: 3,
      counts: null,
      down: [
        { id: first.id, name: 'Job 1', lastPingAt: after(60) },
        { id: second.id, name: 'Job 2', lastPingAt: after(30) },
        { id: third.id, name: '', lastPingAt: null },
      ],
    })
  })

  test.each([
    [10, 10],
    [11, 10],
    [25, 10],
  ])('when %d are down are all counted, and %d of them named', async (count, named) => {
    await others(count, { status: 'down' })
    const { order } = await claimedDown()
    expect(order.siblings.downCount).toBe(count)
    expect(order.siblings.down.map(({ name }) => name)).toEqual(
      Array.from({ length: named }, (_, index) => `Job ${index + 1}`),
    )
  })

  test('do not include those of another project', async () => {
    const elsewhere = aProject()
    await g.store
      .by(anAuthor())
      .projects.create(elsewhere, [storedKey(elsewhere, 'ping', 'another key', SECRET, after(0))])
    const stranger = aCheck(elsewhere, { status: 'down' })
    await g.store.by(anAuthor()).checks.upsert(stranger, null, (check) => ({ check, channelIds: [] }), g.rules)
    const { order } = await claimedDown()
    expect(order.siblings).toEqual({ exist: false, downCount: 0, down: [], counts: NONE })
  })

  test('are shown as they are at the attempt, not at the flip', async () => {
    const job = only(await others(1, { status: 'down' }))
    const { order } = await claimedDown()
    expect(order.siblings.downCount).toBe(1)
    await g.ping(job)
    g.clock.advance({ minutes: 2 })
    const again = only(await g.claim())
    expect(again.siblings).toEqual({ exist: true, downCount: 0, down: [], counts: { ...NONE, up: 1 } })
  })
})
