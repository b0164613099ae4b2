import { expect, test } from 'bun:test'
import { Cron } from 'croner'
import fc from 'fast-check'
import { nextReading } from '../../../src/domain/schedule/readings.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

test('earlier searches never change a result, in any order', () => {
  const patterns = fc
    .tuple(
      fc.constantFrom('0', '59', '0,30', '*'),
      fc.constantFrom('0', '30', '0,7,14,21-23,56', '*'),
      fc.constantFrom('0', '3', '23', '9-17', '*'),
      fc.constantFrom('* * * *', '* * 5#L *', '1 1 * 2026', '29 2 * *', '1,15 * * 2026-2027', 'L * * *', '* 3 +1-5 *'),
    )
    .map((fields) => fields.join(' '))
  const question = fc.tuple(patterns, fc.nat({ max: 800 * 86_400 }))
  const property = fc.property(fc.array(question, { minLength: 2, maxLength: 40 }), (questions) => {
    for (const [pattern, seconds] of questions) {
      const after = START + seconds * 1000
      const fresh = new Cron(pattern, { utcOffset: 0 }).nextRun(new Date(after))
      expect(nextReading(pattern, after)).toBe(fresh?.getTime() ?? null)
    }
  })
  fc.assert(property, { numRuns: 40 })
})

test('a reading that has been reached is no longer the next one', () => {
  const daily = '0 0 0 * * * *'
  expect(nextReading(daily, START)).toBe(START + DAY)
  expect(nextReading(daily, START + DAY - 1000)).toBe(START + DAY)
  expect(nextReading(daily, START + DAY)).toBe(START + 2 * DAY)
  expect(nextReading(daily, START - 1000)).toBe(START)
})

test('a pattern that has ended stays ended for later moments only', () => {
  const once = '0 0 0 1 6 * 2026'
  const june = Date.UTC(2026, 5, 1)
  expect(nextReading(once, june)).toBeNull()
  expect(nextReading(once, june + DAY)).toBeNull()
  expect(nextReading(once, june - DAY)).toBe(june)
})
