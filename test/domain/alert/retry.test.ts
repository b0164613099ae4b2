/** Time of the next attempt after a failed delivery. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nextAttempt } from '../../../src/domain/alert/retry.ts'
import { addSeconds, isBefore, microsecondsBetween } from '../../../src/lib/time.ts'
import { NOON } from '../../support/builders.ts'

/** Returns the seconds to wait after a failed attempt at noon; the reason if it was the last. */
function wait(attempts: number, fraction: number, retryAfterSeconds: number | null = null, ageSeconds = 0) {
  const next = nextAttempt({ attempts, owedAt: addSeconds(NOON, -ageSeconds), retryAfterSeconds }, NOON, fraction)
  return next.at === null ? next.reason : microsecondsBetween(NOON, next.at) / 1_000_000
}

describe('after a failed attempt', () => {
  test('the wait doubles from five seconds up to an hour', () => {
    const waits = Array.from({ length: 14 }, (_, made) => wait(made + 1, 0.5))
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600, 3600])
  })

  test('the wait is spread from half to one and a half', () => {
    expect([wait(1, 0), wait(1, 0.25), wait(1, 0.5), wait(1, 0.999)]).toEqual([2.5, 3.75, 5, 7.495])
    expect([wait(20, 0), wait(20, 0.999)]).toEqual([1800, 5396.4])
  })

  test('the receiver may ask for a longer wait, never for a shorter one', () => {
    expect([wait(1, 0.5, 60), wait(1, 0.5, 1), wait(1, 0.5, 0)]).toEqual([60, 5, 5])
  })

  test('the last one is a minute before the day is over, whatever the receiver asks for', () => {
    expect(wait(1, 0.5, null, 86_330)).toBe(5)
    expect(wait(1, 0.5, null, 86_338)).toBe(2)
    expect(wait(1, 0.5, null, 86_340)).toBe('failed for a day')
    expect(wait(1, 0.5, 86_339)).toBe(86_339)
    expect(wait(1, 0.5, 90_000)).toBe(86_340)
  })

  test('it is the last after as many as no day has, however often quiet hours let the day begin anew', () => {
    expect([wait(59, 0.5), wait(60, 0.5)]).toEqual([3_600, 'failed 60 times'])
  })
})

test('whatever the receiver asks for, the next attempt is later than now and within the day, or there is none', () => {
  const requests = fc.oneof(fc.constant(null), fc.nat(), fc.constantFrom(1e10, 8.64e12, 1e300, Infinity))
  const ages = fc.integer({ min: 0, max: 100_000 })
  const property = fc.property(
    fc.integer({ min: 1, max: 5000 }),
    fc.nat(999),
    requests,
    ages,
    (made, mille, asked, age) => {
      const createdAt = addSeconds(NOON, -age)
      const retry = { attempts: made, owedAt: createdAt, retryAfterSeconds: asked }
      const { at: next } = nextAttempt(retry, NOON, mille / 1000)
      if (next === null) return
      expect(isBefore(NOON, next)).toBe(true)
      expect(isBefore(next, addSeconds(createdAt, 86_400))).toBe(true)
      const isLast = !isBefore(next, addSeconds(createdAt, 86_400 - 61))
      expect(isLast || !isBefore(next, addSeconds(NOON, asked ?? 0))).toBe(true)
    },
  )
  fc.assert(property)
})
