import { expect, test } from 'bun:test'
import { createSlidingWindow } from '../../../src/lib/limits/sliding-window.ts'
import { handClock } from '../../support/clock.ts'

test('a use counts until the window has passed since it', () => {
  const clock = handClock()
  const uses = createSlidingWindow(clock.now, 2, 60)
  expect(uses.look('key')).toEqual({ left: 2, oldestEndsSeconds: 0 })
  expect(uses.count('key')).toEqual({ left: 1, oldestEndsSeconds: 60 })
  clock.advance({ seconds: 20 })
  expect(uses.count('key')).toEqual({ left: 0, oldestEndsSeconds: 40 })
  clock.advance({ milliseconds: 39_999 })
  expect(uses.look('key')).toEqual({ left: 0, oldestEndsSeconds: 1 })
  clock.advance({ milliseconds: 1 })
  expect(uses.look('key')).toEqual({ left: 1, oldestEndsSeconds: 20 })
  clock.advance({ seconds: 20 })
  expect(uses.look('key')).toEqual({ left: 2, oldestEndsSeconds: 0 })
})

test('looking counts nothing, and each key is counted on its own', () => {
  const uses = createSlidingWindow(handClock().now, 1, 60)
  uses.look('a')
  uses.count('b')
  expect([uses.look('a').left, uses.look('b').left]).toEqual([1, 0])
})

test('uses beyond the limit push out the oldest', () => {
  const clock = handClock()
  const uses = createSlidingWindow(clock.now, 2, 60)
  for (const _ of Array(3)) {
    uses.count('key')
    clock.advance({ seconds: 10 })
  }
  expect(uses.look('key')).toEqual({ left: 0, oldestEndsSeconds: 40 })
})

test('a use that is taken back is the newest', () => {
  const clock = handClock()
  const uses = createSlidingWindow(clock.now, 3, 60)
  uses.count('key')
  clock.advance({ seconds: 10 })
  uses.count('key')
  uses.takeBack('key')
  expect(uses.look('key')).toEqual({ left: 2, oldestEndsSeconds: 50 })
  uses.takeBack('key')
  uses.takeBack('key')
  expect(uses.look('key').left).toBe(3)
})

test('a key that is cleared has all its uses again', () => {
  const uses = createSlidingWindow(handClock().now, 2, 60)
  uses.count('key')
  uses.count('key')
  uses.clear('key')
  uses.clear('other')
  expect(uses.look('key').left).toBe(2)
})

test('after the clock was set back, a use counts for no longer than the window', () => {
  const clock = handClock()
  const uses = createSlidingWindow(clock.now, 1, 60)
  uses.count('key')
  clock.advance({ hours: -1 })
  expect(uses.count('key')).toEqual({ left: 0, oldestEndsSeconds: 60 })
  clock.advance({ seconds: 60 })
  expect(uses.look('key').left).toBe(1)
})

test('beyond the limit of keys, the least recently used one is forgotten', () => {
  const uses = createSlidingWindow(handClock().now, 1, 60)
  uses.count('first')
  uses.count('second')
  uses.look('first')
  for (let index = 0; index < 9_999; index += 1) uses.count(`key ${index}`)
  expect([uses.look('first').left, uses.look('second').left]).toEqual([0, 1])
})
