/** Round periods and grace times, such as a person would choose. */
import { DAY, HOUR, MINUTE, SECOND } from '../units.ts'

const GRACES = [
  ...[1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 75, 90, 105].map((minutes) => minutes * MINUTE),
  ...[2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16].map((hours) => hours * HOUR),
  ...[1, 1.5, 2, 3].map((days) => days * DAY),
]

/** Returns the shortest round grace time that is at least `needed`, in milliseconds. From three days on, it is a number of days. */
export function roundGrace(needed: number): number {
  return GRACES.find((grace) => grace >= needed) ?? Math.ceil(needed / DAY) * DAY
}

const PERIODS = [7 * DAY, DAY, HOUR, 30 * MINUTE, 15 * MINUTE, 10 * MINUTE, 5 * MINUTE, MINUTE]
const NEAR = 0.04

/** Returns the nearest round period, in milliseconds. It uses the longest unit that is accurate enough, or else whole seconds. */
export function roundPeriod(period: number): number {
  for (const unit of PERIODS) {
    const near = Math.round(period / unit) * unit
    if (near > 0 && Math.abs(near - period) <= period * NEAR) return near
  }
  return Math.max(1, Math.round(period / SECOND)) * SECOND
}

const RESERVE = 1.1

/** Returns the grace time to propose when runs need at most `longest`. */
export function graceForNeed(longest: number): number {
  return roundGrace(RESERVE * longest)
}
