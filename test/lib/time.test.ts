/** Conversions of instants. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  addSeconds,
  earlier,
  fromMicroseconds,
  fromSeconds,
  isAtOrAfter,
  isBefore,
  isoMicroseconds,
  isoSeconds,
  microsecondsBetween,
  Temporal,
  toMicroseconds,
} from '../../src/lib/time.ts'
import { at, NOON } from '../support/builders.ts'

describe('microseconds', () => {
  test('since 1970, rounded down', () => {
    expect(toMicroseconds(Temporal.Instant.from('1970-01-01T00:00:01.000002999Z'))).toBe(1_000_002)
    expect(toMicroseconds(NOON)).toBe(1_772_625_600_000_000)
  })

  test('survive the way into the store and back until the year 2255', () => {
    const end = toMicroseconds(Temporal.Instant.from('2255-01-01T00:00Z'))
    expect(end).toBeLessThan(Number.MAX_SAFE_INTEGER)
    const property = fc.property(fc.integer({ min: 0, max: end }), (microseconds) => {
      expect(toMicroseconds(fromMicroseconds(microseconds))).toBe(microseconds)
    })
    fc.assert(property)
  })

  test('between two instants are negative when the second is earlier', () => {
    expect(microsecondsBetween(NOON, at('12:00:01.000001'))).toBe(1_000_001)
    expect(microsecondsBetween(at('12:00:01.000001'), NOON)).toBe(-1_000_001)
  })
})

test('seconds since 1970 are an instant', () => {
  expect(fromSeconds(1_772_625_600)).toEqual(NOON)
  expect(isoSeconds(fromSeconds(10_000_000_000))).toBe('2286-11-20T17:46:40+00:00')
})

test('seconds are added as elapsed time', () => {
  expect(addSeconds(NOON, 86_400)).toEqual(Temporal.Instant.from('2026-03-05T12:00Z'))
})

test('equal instants are at or after each other, and neither is before the other', () => {
  const [a, b] = [at('12:00'), at('12:00:00.000001')]
  expect([isBefore(a, b), isBefore(b, a), isBefore(a, at('12:00'))]).toEqual([true, false, false])
  expect([isAtOrAfter(a, b), isAtOrAfter(b, a), isAtOrAfter(a, at('12:00'))]).toEqual([false, true, true])
})

test('the earlier of two instants is the one that is there when the other is missing', () => {
  const [a, b] = [at('12:00'), at('12:01')]
  expect([earlier(a, b), earlier(b, a), earlier(a, null), earlier(null, b), earlier(null, null)]).toEqual([
    a,
    a,
    a,
    b,
    null,
  ])
})

describe('on the wire', () => {
  test.each([
    ['12:00', '12:00:00', '12:00:00'],
    ['12:00:00.000001', '12:00:00', '12:00:00.000001'],
    ['12:00:00.999999', '12:00:00', '12:00:00.999999'],
    ['12:00:00.5', '12:00:00', '12:00:00.500000'],
    ['12:00:00.999999999', '12:00:00', '12:00:00.999999'],
    ['12:00:00.000000999', '12:00:00', '12:00:00'],
  ])('%s is %s in seconds and %s in microseconds', (time, seconds, microseconds) => {
    expect(isoSeconds(at(time))).toBe(`2026-03-04T${seconds}+00:00`)
    expect(isoMicroseconds(at(time))).toBe(`2026-03-04T${microseconds}+00:00`)
  })
})
