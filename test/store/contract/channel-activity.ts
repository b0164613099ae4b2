/** Activity of channels in a list: the number of checks that use each, and the results of its newest deliveries. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { cancelledBy, type DeliveryResult } from '../../../src/domain/alert/delivery.ts'
import { A_TRACE, after, type OpenStore, only, type StoreFixture, storeFixture } from '../../support/store-builders.ts'

export function channelActivityContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const end = async (result: DeliveryResult) => {
    const order = only(await g.claim())
    await g.store.deliveries.record([order.delivery], result, A_TRACE, g.clock.now())
  }
  const failed: DeliveryResult = { state: 'failed', error: 'it failed', disablesChannel: false }

  describe('the activity of channels', () => {
    test('comes in the order of the ids, with zeros for one that was never used or does not exist', async () => {
      const [used, unused] = [await g.channel(), await g.channel()]
      await g.check({}, [used])
      await g.check({}, [used])
      const nothing = { checks: 0, newest: [], lastAt: null, waiting: 0, nextTryAt: null }
      expect(await g.store.channels.listActivities([unused.id, 'nowhere', used.id])).toEqual([
        { ...nothing, channelId: unused.id },
        { ...nothing, channelId: 'nowhere' },
        { ...nothing, channelId: used.id, checks: 2 },
      ])
    })

    test('has the newest deliveries, oldest first, with what became of each', async () => {
      const channel = await g.channel()
      const check = await g.check({}, [channel])
      await g.ping(check, { action: 'fail' })
      await end({ state: 'sent' })
      g.clock.advance({ minutes: 1 })
      await g.ping(check)
      await end(failed)
      g.clock.advance({ minutes: 1 })
      await g.ping(check, { action: 'fail' })
      await end({ state: 'pending', error: 'not now', nextAttemptAt: after(300) })
      g.clock.advance({ minutes: 1 })
      await g.ping(check)
      const [activity] = await g.store.channels.listActivities([channel.id])
      expect(activity).toMatchObject({
        newest: ['sent', 'failed', 'retrying', 'under way'],
        lastAt: after(180),
        waiting: 2,
        nextTryAt: after(300),
      })
    })

    test('has 30 deliveries at most, and those of other channels are not among them', async () => {
      const [channel, other] = [await g.channel(), await g.channel()]
      await g.ping(await g.check({}, [other]), { action: 'fail' })
      await end({ state: 'sent' })
      const check = await g.check({}, [channel])
      for (let n = 0; n < 31; n++) {
        g.clock.advance({ seconds: 1 })
        await g.ping(check, n % 2 === 0 ? { action: 'fail' } : {})
        await end(n === 0 ? failed : { state: 'sent' })
      }
      const [activity] = await g.store.channels.listActivities([channel.id])
      expect(activity?.newest).toEqual(Array.from({ length: 30 }, () => 'sent'))
    })
  })

  test('a channel fails since the oldest alert that failed after the last one that was sent', async () => {
    const [channel, unused] = [await g.channel(), await g.channel()]
    const check = await g.check({}, [channel])
    const since = async () => {
      const found = await g.store.channels.listFailingSince([unused.id, channel.id, 'nowhere'])
      expect([...found.keys()].filter((id) => id !== channel.id)).toEqual([])
      return found.get(channel.id)?.toString()
    }
    const results: readonly (readonly [DeliveryResult, number | null])[] = [
      [failed, 0],
      [{ state: 'sent' }, null],
      [{ ...failed, error: cancelledBy({ kind: 'person', name: 'somebody@example.org' }) }, null],
      [failed, 180],
      [{ state: 'pending', error: 'not now', nextAttemptAt: after(900) }, 180],
    ]
    for (const [n, [result, expected]] of results.entries()) {
      await g.ping(check, n % 2 === 0 ? { action: 'fail' } : {})
      await end(result)
      expect(await since()).toBe(expected === null ? undefined : after(expected).toString())
      g.clock.advance({ minutes: 1 })
    }
  })

  test('the checks of a project are counted, without those of others and those that were deleted', async () => {
    expect(await g.store.channels.countChecks(g.project.id)).toBe(0)
    await g.check()
    await g.check()
    expect(await g.store.channels.countChecks(g.project.id)).toBe(2)
    expect(await g.store.channels.countChecks('nowhere')).toBe(0)
  })
}
