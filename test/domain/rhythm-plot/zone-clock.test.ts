/** The clocks of a zone in the time of a plot. */
import { expect, test } from 'bun:test'
import { zoneClock } from '../../../src/domain/rhythm-plot/zone-clock.ts'

test('what clocks show is known from the beginning of a run, which lies between two milliseconds', () => {
  const began = Date.UTC(2026, 10, 27, 7, 53) + 0.518
  expect(zoneClock('Europe/Riga', began, began).reading(began)).toBe(began + 2 * 3_600_000)
})
