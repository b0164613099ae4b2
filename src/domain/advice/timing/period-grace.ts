/** Grace times to propose together with a new period. All times are in milliseconds. */

import { median } from '../../../lib/figures/statistics.ts'
import { HOUR } from '../../units.ts'
import type { Reading } from '../reading.ts'
import { roundGrace } from '../round.ts'

/**
 * Returns the grace time to propose: one and a half times the longest need of a run, but at least an hour or a quarter of the time between
 * runs, whichever is less. It is never longer than the period. It is never shorter than the current grace time, unless that is longer than
 * the period.
 */
export function graceOfPeriod(reading: Reading, period: number): number {
  const gap = median(reading.distances)
  const wanted = roundGrace(Math.max(1.5 * longestNeed(reading, period), Math.min(HOUR, gap / 4)))
  return Math.min(Math.max(reading.grace, wanted), period)
}

/** Returns the longest need of any run. A run's need is its delay after the period, or its duration. */
export function longestNeed({ distances, runsSinceChange }: Reading, period: number): number {
  const usual = distances.filter((distance) => distance < 1.5 * period)
  const took = runsSinceChange.map(({ duration }) => duration ?? 0)
  return Math.max(0, ...usual.map((distance) => distance - period), ...took)
}
