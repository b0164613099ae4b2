/** A list of checks as a reader asks for it: which of a project's checks match, how many there are of each kind, and their order. */
import { compareNames } from '../../lib/natural-order.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { Check } from './check.ts'
import { SHOWN_STATES, type ShownState } from './shown.ts'
import { hasTags, splitTags } from './tags.ts'

export const SORTS = ['name', 'last', 'next', 'duration', 'created'] as const
export type Sort = (typeof SORTS)[number]

export interface ListQuery {
  /** looked for in names, tags and slugs, without regard to case; also a whole id. '' is no filter */
  readonly text: string
  /** a check must have all of them */
  readonly tags: readonly string[]
  /** a check must have one of them; none is no filter */
  readonly states: readonly ShownState[]
  readonly sort: Sort
  /** true: from the other end */
  readonly isReversed: boolean
}

/** What a list remembers of a check to put it into its place. */
export interface ListEntry {
  /** a secret: the check's UUID */
  readonly id: string
  readonly publicId: string
  readonly state: ShownState
  readonly name: string
  /** what it is sorted by besides the name; null comes last */
  readonly rank: number | null
}

/** Of all checks of a project. */
export interface ListCounts {
  readonly total: number
  readonly states: Readonly<Record<ShownState, number>>
  /** number of checks by tag */
  readonly tags: ReadonlyMap<string, number>
}

export class ListTally implements ListCounts {
  total = 0
  readonly states: Record<ShownState, number> = { new: 0, up: 0, started: 0, late: 0, down: 0, paused: 0 }
  readonly tags = new Map<string, number>()

  add({ tags }: Check, state: ShownState): void {
    this.total += 1
    this.states[state] += 1
    if (tags !== '') for (const tag of splitTags(tags)) this.tags.set(tag, (this.tags.get(tag) ?? 0) + 1)
  }
}

/** @param knowsIds false: the reader may not find out UUIDs, so they are not looked at */
export function createMatcher(query: ListQuery, knowsIds: boolean): (check: Check, state: ShownState) => boolean {
  const text = query.text.toLowerCase()
  return (check, state) =>
    (query.states.length === 0 || query.states.includes(state)) &&
    hasTags(check.tags, query.tags) &&
    (text === '' ||
      check.name.toLowerCase().includes(text) ||
      check.tags.toLowerCase().includes(text) ||
      check.slug.includes(text) ||
      check.publicId === text ||
      (knowsIds && check.id === text))
}

/** Whether somebody must look at it. */
export function needsSomebody(state: ShownState): boolean {
  return state === 'down' || state === 'late'
}

/** @param expected when its next success is expected */
export function listEntry(check: Check, state: ShownState, expected: Instant | null, sort: Sort): ListEntry {
  const { id, publicId, name } = check
  return { id, publicId, state, name, rank: rankOf(check, expected, sort) }
}

/** The natural order of each comes first: the newest ping, the next one to come, the longest run, the newest check. */
function rankOf(check: Check, expected: Instant | null, sort: Sort): number | null {
  switch (sort) {
    case 'name':
      return null
    case 'last':
      return check.lastPingAt && -toMicroseconds(check.lastPingAt)
    case 'next':
      return expected && toMicroseconds(expected)
    case 'duration':
      return check.lastDuration && -check.lastDuration
    case 'created':
      return -toMicroseconds(check.createdAt)
  }
}

/** Down first, then late, then all others; among them by the query, then by name. */
export function compareEntries({ isReversed, sort }: Pick<ListQuery, 'sort' | 'isReversed'>) {
  const way = isReversed ? -1 : 1
  const nameWay = sort === 'name' ? way : 1
  return (a: ListEntry, b: ListEntry): number =>
    urgency(a.state) - urgency(b.state) || compareRanks(a.rank, b.rank, way) || nameWay * compareNames(a.name, b.name)
}

function urgency(state: ShownState): number {
  if (state === 'down') return 0
  return state === 'late' ? 1 : 2
}

function compareRanks(a: number | null, b: number | null, way: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return way * (a - b)
}

export function isShownState(text: string): text is ShownState {
  return SHOWN_STATES.some((state) => state === text)
}
