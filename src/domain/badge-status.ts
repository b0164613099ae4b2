/** What a badge says of the checks behind it: how many there are, how many are late or down, and the worst of it in a word. */
import type { Check } from './check.ts'
import { expectedIfReadable, type StatusFacts, statusAt } from './status.ts'
import type { Instant } from './time.ts'

/** As much of a check as a badge needs. */
export type BadgeCheck = StatusFacts & Pick<Check, 'name' | 'tags'>

/** Number of checks, and of those in two of the states; order and names of the members are those of the JSON format. */
export interface BadgeCounts {
  readonly total: number
  readonly grace: number
  readonly down: number
}

export type BadgeStatus = 'up' | 'late' | 'down'

/** How many of them a badge tells apart: with two, a check in its grace time counts as up. */
export type BadgeStates = 2 | 3

/** New, paused and running checks count as up, so they stand in the total only. */
export function countForBadge(checks: readonly StatusFacts[], now: Instant): BadgeCounts {
  let grace = 0
  let down = 0
  for (const check of checks) {
    const status = statusAt(check, now, expectedIfReadable(check))
    if (status === 'grace') grace += 1
    if (status === 'down') down += 1
  }
  return { total: checks.length, grace, down }
}

/** The worst there is; up where there is nothing at all. */
export function badgeStatus({ grace, down }: BadgeCounts, states: BadgeStates): BadgeStatus {
  if (down > 0) return 'down'
  return grace > 0 && states === 3 ? 'late' : 'up'
}
