/** What the cache keeps, and what it evicts first. */
import { expect, test } from 'bun:test'
import { BoundedCache } from '../../../src/lib/caches/bounded-cache.ts'

const never = () => {
  throw new Error('made again')
}

test('a known key is not made again', () => {
  const cache = new BoundedCache<number>(2)
  expect(cache.get('a', () => 1)).toBe(1)
  expect(cache.get('a', never)).toBe(1)
})

test('the least recently used value is evicted first', () => {
  const cache = new BoundedCache<number>(2)
  cache.get('a', () => 1)
  cache.get('b', () => 2)
  cache.get('a', never)
  cache.get('c', () => 3)
  expect(cache.get('a', never)).toBe(1)
  expect(cache.get('b', () => 4)).toBe(4)
  expect(cache.size).toBe(2)
})

test('heavy values leave less space, and one that is too heavy is kept alone', () => {
  const cache = new BoundedCache<number>(10, (value) => value)
  for (const weight of [4, 5, 3]) cache.get(String(weight), () => weight)
  expect(cache.size).toBe(2)
  cache.get('huge', () => 11)
  expect(cache.size).toBe(1)
  expect(cache.get('huge', never)).toBe(11)
})

test('finding a value counts as a use, and never makes one', () => {
  const cache = new BoundedCache<number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect([cache.find('a'), cache.find('x')]).toEqual([1, undefined])
  cache.set('c', 3)
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual([1, undefined, 3])
})

test('peeking at a value does not count as a use, and never makes one', () => {
  const cache = new BoundedCache<number>(2)
  cache.get('a', () => 1)
  cache.get('b', () => 2)
  expect([cache.peek('a'), cache.peek('c')]).toEqual([1, undefined])
  cache.get('c', () => 3)
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual([undefined, 2, 3])
})

test('setting a value replaces the previous one and its weight, and counts as a use', () => {
  const cache = new BoundedCache<number>(10, (value) => value)
  cache.set('a', 8)
  cache.set('b', 2)
  cache.set('a', 1)
  cache.set('c', 7)
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual([1, 2, 7])
  cache.set('d', 1)
  expect([cache.peek('a'), cache.peek('b')]).toEqual([1, undefined])
})

test('a value whose making fails is not kept', () => {
  const cache = new BoundedCache<number>(2)
  expect(() => cache.get('a', never)).toThrow('made again')
  expect(cache.size).toBe(0)
})
