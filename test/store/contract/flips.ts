/** The list of flips. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { flipTo } from '../../../src/domain/check/flip.ts'
import { allFlips } from '../../support/lists.ts'
import { after, anAuthor, type OpenStore, type StoreFixture, storeFixture } from '../../support/store-builders.ts'

export function flipsContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  describe('the flips of a check', () => {
    test('are listed newest first by number, although the clock ran back between them', async () => {
      const check = await g.check()
      await g.check()
      for (const action of ['success', 'fail', 'success'] as const) {
        await g.ping(check, { action })
        g.clock.advance({ seconds: -10 })
      }
      expect(await allFlips(g.store, check.id)).toEqual([
        { checkId: check.id, n: 3, createdAt: after(-20), oldStatus: 'down', newStatus: 'up', reason: '' },
        { checkId: check.id, n: 2, createdAt: after(-10), oldStatus: 'up', newStatus: 'down', reason: 'fail' },
        { checkId: check.id, n: 1, createdAt: after(0), oldStatus: 'new', newStatus: 'up', reason: '' },
      ])
    })

    test('are those of this check only', async () => {
      const [check, other] = [await g.check(), await g.check()]
      await g.ping(other)
      expect(await allFlips(g.store, check.id)).toEqual([])
      expect(await allFlips(g.store, other.id)).toHaveLength(1)
    })

    test('can be limited to a range, from inclusive and until exclusive, to the microsecond', async () => {
      const check = await g.check()
      for (let n = 1; n <= 4; n += 1) {
        await g.ping(check, { action: n % 2 ? 'fail' : 'success' })
        g.clock.advance({ seconds: 10 })
      }
      const listed = async (filter: object) => (await allFlips(g.store, check.id, filter)).map(({ n }) => n)
      expect(await listed({ from: after(10) })).toEqual([4, 3, 2])
      expect(await listed({ from: after(10.000_001) })).toEqual([4, 3])
      expect(await listed({ until: after(20) })).toEqual([2, 1])
      expect(await listed({ until: after(20.000_001) })).toEqual([3, 2, 1])
      expect(await listed({ from: after(10), until: after(30) })).toEqual([3, 2])
      expect(await listed({ from: after(30), until: after(10) })).toEqual([])
    })
  })
  test('the last time that somebody paused or resumed each of several checks is known, unless nobody did', async () => {
    const [twice, never, once, stopped] = [await g.check(), await g.check(), await g.check(), await g.check()]
    const turn = async ({ id }: Check, status: 'paused' | 'new' | 'up', seconds: number) => {
      const change = (seen: Check) => flipTo(seen, status, '', after(seconds))
      await g.store.by(anAuthor()).checks.change(id, change, g.rules)
    }
    for (const [check, seconds] of [
      [twice, 10],
      [once, 20],
      [twice, 30],
    ] as const) {
      await turn(check, 'paused', seconds)
      await turn(check, 'new', seconds + 1)
    }
    await turn(once, 'up', 22)
    await turn(stopped, 'paused', 40)
    expect(await g.store.flips.listSwitches([once.id, never.id, twice.id, stopped.id])).toEqual(
      new Map([
        [once.id, after(21)],
        [twice.id, after(31)],
        [stopped.id, after(40)],
      ]),
    )
  })
}
