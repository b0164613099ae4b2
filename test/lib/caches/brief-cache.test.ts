/** Results of the cache while a value is fresh, stale, or read again. */
import { expect, test } from 'bun:test'
import { BriefCache } from '../../../src/lib/caches/brief-cache.ts'
import { handClock } from '../../support/clock.ts'

const never = () => Promise.reject(new Error('read again'))

function staleCache() {
  const clock = handClock()
  const cache = new BriefCache<string>({ now: clock.now, seconds: 10, staleSeconds: 30, capacity: 10 })
  return { clock, get: (read: () => Promise<string>) => cache.get('key', '', read) }
}

test('a stale value is returned while the next one is read, which is then returned', async () => {
  const { clock, get } = staleCache()
  await get(async () => 'first')
  clock.advance({ seconds: 10 })
  const next = Promise.withResolvers<string>()
  expect(await get(() => next.promise)).toBe('first')
  expect(await get(never)).toBe('first')
  next.resolve('second')
  await next.promise
  expect(await get(never)).toBe('second')
})

test('a value that is too old even for that is not returned: callers wait for the read that is under way', async () => {
  const { clock, get } = staleCache()
  await get(async () => 'first')
  clock.advance({ seconds: 10 })
  const next = Promise.withResolvers<string>()
  await get(() => next.promise)
  clock.advance({ seconds: 20 })
  const waiting = get(never)
  next.resolve('second')
  expect(await waiting).toBe('second')
})

test('a value is too old after a while in which nobody asked', async () => {
  const { clock, get } = staleCache()
  await get(async () => 'first')
  clock.advance({ seconds: 30 })
  expect(await get(async () => 'second')).toBe('second')
})

test('a read that fails ends the stale value, too', async () => {
  const { clock, get } = staleCache()
  await get(async () => 'first')
  clock.advance({ seconds: 10 })
  expect(await get(never)).toBe('first')
  expect(await get(async () => 'second')).toBe('second')
})

test('without such a time callers wait for the next value', async () => {
  const clock = handClock()
  const cache = new BriefCache<number>({ now: clock.now, seconds: 10, capacity: 10 })
  await cache.get('key', '', async () => 1)
  clock.advance({ seconds: 10 })
  expect(await cache.get('key', '', async () => 2)).toBe(2)
})

test('a value whose read took long is kept for longer, where reads have only a share of the time', async () => {
  const clock = handClock()
  const cache = new BriefCache<number>({ now: clock.now, seconds: 1, share: 0.05, capacity: 10 })
  await cache.get('key', '', async () => {
    await Promise.resolve()
    clock.advance({ milliseconds: 487 })
    return 1
  })
  clock.advance({ seconds: 9 })
  expect(await cache.get('key', '', async () => 2)).toBe(1)
  clock.advance({ seconds: 1 })
  expect(await cache.get('key', '', async () => 2)).toBe(2)
})

test('values that have one share together are each kept for as much longer as there are of them', async () => {
  const clock = handClock()
  const shareOf = (key: string) => key.charAt(0)
  const cache = new BriefCache<number>({ now: clock.now, seconds: 1, share: 0.05, shareOf, capacity: 10 })
  const slowly = async () => {
    await Promise.resolve()
    clock.advance({ milliseconds: 500 })
    return 1
  }
  for (const key of ['a Riga', 'a UTC', 'b UTC']) await cache.get(key, '', slowly)
  clock.advance({ seconds: 10 })
  expect(await cache.get('b UTC', '', async () => 2)).toBe(2)
  expect(await cache.get('a UTC', '', async () => 2)).toBe(1)
  clock.advance({ seconds: 10 })
  expect(await cache.get('a UTC', '', async () => 2)).toBe(2)
})
