/** Calculates the values that a badge shows: how many checks there are, how many are late or down, and the worst status. */

import type { Instant } from '../../lib/time.ts'
import { ALL_TAGS, type BadgeStates } from '../badge-urls.ts'
import type { Check } from '../check/check.ts'
import { expectedIfReadable, type StatusFields, statusAt } from '../check/status.ts'
import { splitTags } from '../check/tags.ts'

/** The check fields that a badge depends on. */
export type BadgeCheck = StatusFields & Pick<Check, 'name' | 'tags'>

/** Number of checks in total, in their grace time, and down. The JSON badge uses the same names in the same order. */
export interface BadgeCounts {
  readonly total: number
  readonly grace: number
  readonly down: number
}

export type BadgeStatus = 'up' | 'late' | 'down'

const NONE: BadgeCounts = { total: 0, grace: 0, down: 0 }

/** Counts a single check. New, paused and running checks count as up, so they are included only in the total. */
export function countForBadge(check: StatusFields, now: Instant): BadgeCounts {
  const status = statusAt(check, now, expectedIfReadable(check))
  return { total: 1, grace: Number(status === 'grace'), down: Number(status === 'down') }
}

/** Counts the checks for every tag while a project's checks are being read. */
export class ProjectBadges {
  #all = NONE
  readonly #tagged = new Map<string, BadgeCounts>()

  add(check: BadgeCheck, now: Instant): void {
    const own = countForBadge(check, now)
    this.#all = sum(this.#all, own)
    for (const tag of splitTags(check.tags)) this.#tagged.set(tag, sum(this.#tagged.get(tag) ?? NONE, own))
  }

  /** @param tag one tag, or {@link ALL_TAGS} */
  countsOf(tag: string): BadgeCounts {
    return tag === ALL_TAGS ? this.#all : (this.#tagged.get(tag) ?? NONE)
  }
}

function sum(one: BadgeCounts, other: BadgeCounts): BadgeCounts {
  return { total: one.total + other.total, grace: one.grace + other.grace, down: one.down + other.down }
}

/** Returns the checks' worst status; `up` if there are no checks. */
export function badgeStatus({ grace, down }: BadgeCounts, states: BadgeStates): BadgeStatus {
  if (down > 0) return 'down'
  return grace > 0 && states === 3 ? 'late' : 'up'
}
