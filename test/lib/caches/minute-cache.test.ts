/** Values that are read once a minute at most. */
import { expect, test } from 'bun:test'
import { MinuteCache } from '../../../src/lib/caches/minute-cache.ts'

const MINUTE = 60_000

interface Value {
  readonly n: number
}

test('reads once a minute, for all who ask', async () => {
  const cache = new MinuteCache<Value>(2)
  let n = 0
  const read = async () => ({ n: ++n })
  expect(cache.get('a', 0, read).kept).toBeNull()
  expect(await cache.get('a', 0, read).fresh).toEqual({ n: 1 })
  expect(cache.get('a', MINUTE - 1, read).kept).toEqual({ n: 1 })
  expect(await cache.get('a', MINUTE - 1, read).fresh).toEqual({ n: 1 })
  expect(await cache.get('a', MINUTE, read).fresh).toEqual({ n: 2 })
  expect(await cache.get('b', MINUTE, read).fresh).toEqual({ n: 3 })
})

test('gives the last value while the next one is read, for some minutes', async () => {
  const cache = new MinuteCache<Value>(2)
  await cache.get('a', 0, async () => ({ n: 1 })).fresh
  const next = Promise.withResolvers<Value>()
  const found = cache.get('a', 2 * MINUTE, () => next.promise)
  expect(found.kept).toEqual({ n: 1 })
  expect(cache.get('a', 5 * MINUTE, () => next.promise).kept).toBeNull()
  next.resolve({ n: 2 })
  expect(await found.fresh).toEqual({ n: 2 })
})

test('an error is for those who wait, and the next one reads again', async () => {
  const cache = new MinuteCache<Value>(2)
  const failing = async (): Promise<Value> => {
    throw new Error('the disk is gone')
  }
  await expect(cache.get('a', 0, failing).fresh).rejects.toThrow('the disk is gone')
  expect(await cache.get('a', 0, async () => ({ n: 1 })).fresh).toEqual({ n: 1 })
})

test('a clock that was set back does not keep a value', async () => {
  const cache = new MinuteCache<Value>(2)
  await cache.get('a', 10 * MINUTE, async () => ({ n: 1 })).fresh
  expect(cache.get('a', 0, async () => ({ n: 2 })).kept).toBeNull()
})
