/** Grace times for a period that is to be changed. All times are milliseconds. */

import { median } from '../../../lib/figures/statistics.ts'
import { HOUR } from '../../units.ts'
import type { Reading } from '../reading.ts'
import { roundGrace } from '../round.ts'

/** Half as much again as runs needed, and at least a quarter of the distance, but no more than an hour for that; at most the distance. */
export function graceOfPeriod(reading: Reading, period: number): number {
  const gap = median(reading.distances)
  const wanted = roundGrace(Math.max(1.5 * longestNeed(reading, period), Math.min(HOUR, gap / 4)))
  return Math.min(Math.max(reading.grace, wanted), period)
}

/** The most by which runs came later than the period, or their longest duration. */
export function longestNeed({ distances, runsSinceChange }: Reading, period: number): number {
  const usual = distances.filter((distance) => distance < 1.5 * period)
  const took = runsSinceChange.map(({ duration }) => duration ?? 0)
  return Math.max(0, ...usual.map((distance) => distance - period), ...took)
}
