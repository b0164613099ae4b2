/** Grace times for a period that is to be changed. All times are milliseconds. */

import { median } from '../../../lib/figures/statistics.ts'
import { HOUR } from '../../units.ts'
import type { Reading } from '../reading.ts'
import { roundGrace } from '../round.ts'

/**
 * Returns a grace time of one and a half times the longest need of a run, but at least a quarter of the distance of runs, or an hour if
 * that is less. It is never longer than the period; within it, never shorter than the present grace time.
 */
export function graceOfPeriod(reading: Reading, period: number): number {
  const gap = median(reading.distances)
  const wanted = roundGrace(Math.max(1.5 * longestNeed(reading, period), Math.min(HOUR, gap / 4)))
  return Math.min(Math.max(reading.grace, wanted), period)
}

/** Returns the longest delay of a run after the period, or its longest duration. */
export function longestNeed({ distances, runsSinceChange }: Reading, period: number): number {
  const usual = distances.filter((distance) => distance < 1.5 * period)
  const took = runsSinceChange.map(({ duration }) => duration ?? 0)
  return Math.max(0, ...usual.map((distance) => distance - period), ...took)
}
