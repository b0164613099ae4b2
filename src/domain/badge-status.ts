/** What a badge says of the checks behind it: how many there are, how many are late or down, and the worst of it in a word. */
import { ALL_TAGS } from './badge.ts'
import type { Check } from './check.ts'
import { expectedIfReadable, type StatusFacts, statusAt } from './status.ts'
import { splitTags } from './tags.ts'
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

const NONE: BadgeCounts = { total: 0, grace: 0, down: 0 }

/** New, paused and running checks count as up, so they stand in the total only. */
export function countForBadge(check: StatusFacts, now: Instant): BadgeCounts {
  const status = statusAt(check, now, expectedIfReadable(check))
  return { total: 1, grace: Number(status === 'grace'), down: Number(status === 'down') }
}

/** What all badges of a project say, counted as its checks are read. */
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

/** The worst there is; up where there is nothing at all. */
export function badgeStatus({ grace, down }: BadgeCounts, states: BadgeStates): BadgeStatus {
  if (down > 0) return 'down'
  return grace > 0 && states === 3 ? 'late' : 'up'
}
