/** Reasons why checks are down. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { after, bytes, type OpenStore, type StoreFixture, storeFixture } from '../../support/store-builders.ts'

export function troublesContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const troubleOf = async (check: Check) => (await g.store.overview.listTroubles([check.id])).get(check.id)
  const at = (seconds: number) => g.clock.set(after(seconds).toString())
  const fail = (check: Check, body: string | null = null, over = {}) =>
    g.ping(check, { action: 'fail', body: body === null ? null : bytes(body), ...over })

  describe('of a check that is down', () => {
    test('by a failure, the failure and its last words are told', async () => {
      const check = await g.check()
      await fail(check, 'one\nhost key has changed\n\n', { exitStatus: 2 })
      expect(await troubleOf(check)).toEqual({
        since: after(0),
        reason: 'fail',
        failure: { n: 1, exitStatus: 2, lastLine: 'host key has changed', cause: null, happenedAt: after(0) },
      })
    })

    test('since several failures, the newest is told, and when it began', async () => {
      const check = await g.check()
      await fail(check, 'first')
      at(10)
      await fail(check, 'second')
      await g.ping(check, { action: 'start' })
      await g.ping(check, { action: 'log' })
      const trouble = await troubleOf(check)
      expect([String(trouble?.since), trouble?.failure?.n, trouble?.failure?.lastLine]).toEqual([
        String(after(0)),
        2,
        'second',
      ])
    })

    test('by silence, its deadline is told, and no failure of an earlier time', async () => {
      const check = await g.check()
      await fail(check, 'long ago')
      at(10)
      await g.ping(check)
      at(500)
      await g.judgeOverdue()
      expect(await troubleOf(check)).toEqual({ since: after(130), reason: 'timeout', failure: null })
      at(600)
      await fail(check, 'now')
      expect((await troubleOf(check))?.failure?.lastLine).toBe('now')
      expect((await troubleOf(check))?.reason).toBe('timeout')
    })

    test('the end of a long body is read, and no body of an email', async () => {
      const check = await g.check()
      await fail(check, `${'x'.repeat(100_000)}\nthe end`)
      expect((await troubleOf(check))?.failure?.lastLine).toBe('the end')
      await fail(check, 'Subject: no\n\n--boundary--', { scheme: 'email' })
      expect((await troubleOf(check))?.failure).toMatchObject({ n: 2, lastLine: null })
    })
  })

  test('several are told apart, and one without a flip is left out', async () => {
    const [one, two, up] = [await g.check(), await g.check(), await g.check()]
    await fail(one, 'of one')
    await fail(two, 'of two')
    const found = await g.store.overview.listTroubles([two.id, up.id, crypto.randomUUID(), one.id])
    expect([...found].map(([id, { failure }]) => [id, failure?.lastLine])).toEqual([
      [two.id, 'of two'],
      [one.id, 'of one'],
    ])
    const none = await g.check({ status: 'down' })
    expect((await g.store.overview.listTroubles([none.id])).size).toBe(0)
  })
}
