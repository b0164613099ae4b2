/** Rounds periods and grace times to values that a user would choose. */
import { DAY, HOUR, MINUTE, SECOND } from '../units.ts'

const GRACES = [
  ...[1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 75, 90, 105].map((minutes) => minutes * MINUTE),
  ...[2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16].map((hours) => hours * HOUR),
  ...[1, 1.5, 2, 3].map((days) => days * DAY),
]

/** Rounds a grace time up to the next round value, in milliseconds. Values of three days or more are rounded to whole days. */
export function roundGrace(needed: number): number {
  return GRACES.find((grace) => grace >= needed) ?? Math.ceil(needed / DAY) * DAY
}

const PERIODS = [7 * DAY, DAY, HOUR, 30 * MINUTE, 15 * MINUTE, 10 * MINUTE, 5 * MINUTE, MINUTE]
const NEAR = 0.04

/**
 * Rounds a period to the nearest round value, in milliseconds. Uses the longest unit that is accurate enough, or whole seconds if none is.
 */
export function roundPeriod(period: number): number {
  for (const unit of PERIODS) {
    const near = Math.round(period / unit) * unit
    if (near > 0 && Math.abs(near - period) <= period * NEAR) return near
  }
  return Math.max(1, Math.round(period / SECOND)) * SECOND
}

const RESERVE = 1.1

/** Returns the grace time to propose if no run needs more than `longest`. */
export function graceForNeed(longest: number): number {
  return roundGrace(RESERVE * longest)
}
