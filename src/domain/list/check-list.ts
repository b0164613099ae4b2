/** The list of a project's checks: which checks match the reader's filter, their order, and the number of checks in each group. */
import { compareNames } from '../../lib/text/natural-order.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { Advice } from '../advice/advice.ts'
import { DOUBTS, doubtOf } from '../advice/doubt.ts'
import type { Check } from '../check/check.ts'
import { SHOWN_STATES, type ShownCheck, type ShownState } from '../check/shown-check.ts'
import { hasTags, splitTags } from '../check/tags.ts'
import { lastRunDuration } from '../ping/overlap.ts'

export const SORTS = ['name', 'last', 'next', 'duration', 'created'] as const
export type Sort = (typeof SORTS)[number]

/** Conditions that a check must match to be listed. */
interface ListFilter {
  /** text to find in names, tags and slugs, ignoring case, or a complete id; '' matches all checks */
  readonly text: string
  /** the check must have all of these tags */
  readonly tags: readonly string[]
  /** the check must be in one of these states; empty: any state */
  readonly states: readonly ShownState[]
  /** the check must have one of these kinds of advice; empty: any check */
  readonly advice: readonly AdviceFilter[]
}

export interface ListQuery extends ListFilter {
  readonly sort: Sort
  /** true: the list is in reverse order */
  readonly isReversed: boolean
}

/** Filters for checks with any advice, or with one kind of doubt. */
export const ADVICE_FILTERS = ['any', ...DOUBTS] as const
export type AdviceFilter = (typeof ADVICE_FILTERS)[number]

/** A check's state at a given time, and its advice. */
export interface Standing extends Pick<ShownCheck, 'state' | 'isSlow'> {
  /** advice that the check's page shows; null: none */
  readonly advice: Pick<Advice, 'kind' | 'variant'> | null
}

/**
 * Groups in the list, in order. `needs`: a user must act, because of the check's state, or because nobody would be alerted if its job
 * failed. `slow`: the current run takes longer than usual, whether or not it is late. `expected`: monitored checks without a problem.
 * `unpinged`: the check has had no ping since it was created or since a user resumed it. `stopped`: paused checks.
 */
export const GROUPS = ['needs', 'slow', 'expected', 'unpinged', 'stopped'] as const
export type Group = (typeof GROUPS)[number]

export function groupOf({ state, isSlow, advice }: Standing): Group {
  if (state === 'down' || doubtOf(advice) !== null) return 'needs'
  if (isSlow) return 'slow'
  if (state === 'late') return 'needs'
  if (state === 'paused') return 'stopped'
  return state === 'new' ? 'unpinged' : 'expected'
}

/** The data needed to sort a check. */
export interface ListEntry {
  /** the check's UUID, which is secret */
  readonly id: string
  readonly publicId: string
  readonly state: ShownState
  readonly group: Group
  readonly name: string
  /** primary sort value, compared before the name; null sorts last */
  readonly rank: number | null
}

/** Returns the advice filters that match a check with this advice. */
function filtersOf({ advice }: Pick<Standing, 'advice'>): readonly AdviceFilter[] {
  if (advice === null) return NO_FILTERS
  const doubt = doubtOf(advice)
  return doubt === null ? ANY : ['any', doubt]
}

const NO_FILTERS: readonly AdviceFilter[] = []
const ANY: readonly AdviceFilter[] = ['any']

/** Number of checks by state and advice. */
export interface StandingCounts {
  readonly states: Readonly<Record<ShownState, number>>
  readonly advice: Readonly<Record<AdviceFilter, number>>
  /** number of checks whose current run takes longer than usual, in any group */
  readonly slow: number
  /** number of late checks without a run in progress */
  readonly silent: number
  /** number of checks per group; every check is in one group */
  readonly groups: Readonly<Record<Group, number>>
}

export function isSameCounts(a: StandingCounts, b: StandingCounts): boolean {
  return (
    isSameRecord(a.states, b.states) && a.silent === b.silent && isSameDoubts(a, b) && isSameRecord(a.groups, b.groups)
  )
}

/** Whether two counts have the same number of slow checks and the same number of checks with each kind of advice. */
export function isSameDoubts(a: StandingCounts, b: StandingCounts): boolean {
  return a.slow === b.slow && isSameRecord(a.advice, b.advice)
}

function isSameRecord<Key extends string>(a: Readonly<Record<Key, number>>, b: Readonly<Record<Key, number>>): boolean {
  return (Object.keys(a) as Key[]).every((key) => a[key] === b[key])
}

export class StandingTally implements StandingCounts {
  slow = 0
  silent = 0
  readonly states: Record<ShownState, number> = { new: 0, up: 0, started: 0, late: 0, down: 0, paused: 0 }
  readonly advice: Record<AdviceFilter, number> = { any: 0, untold: 0, unwatched: 0 }
  readonly groups: Record<Group, number> = { needs: 0, slow: 0, expected: 0, unpinged: 0, stopped: 0 }

  /** @param step -1: removes a check that was counted earlier */
  count(standing: Standing, step: 1 | -1 = 1): void {
    this.states[standing.state] += step
    for (const sort of filtersOf(standing)) this.advice[sort] += step
    this.groups[groupOf(standing)] += step
    if (standing.isSlow) this.slow += step
    else if (standing.state === 'late') this.silent += step
  }

  copy(): StandingCounts {
    const { slow, silent, states, advice, groups } = this
    return { slow, silent, states: { ...states }, advice: { ...advice }, groups: { ...groups } }
  }
}

/** Number of a project's checks, in total and by property. */
export interface ListCounts extends StandingCounts {
  readonly total: number
  /** number of checks per tag */
  readonly tags: ReadonlyMap<string, number>
}

export class ListTally extends StandingTally implements ListCounts {
  total = 0
  readonly tags = new Map<string, number>()

  add({ tags }: Check, standing: Standing): void {
    this.total += 1
    this.count(standing)
    if (tags !== '') for (const tag of splitTags(tags)) this.tags.set(tag, (this.tags.get(tag) ?? 0) + 1)
  }
}

/** @param knowsIds false: the reader may not see UUIDs, so the filter ignores them */
export function createMatcher(query: ListFilter, knowsIds: boolean): (check: Check, standing: Standing) => boolean {
  const text = query.text.toLowerCase()
  return (check, { state, advice }) =>
    (query.states.length === 0 || query.states.includes(state)) &&
    (query.advice.length === 0 || filtersOf({ advice }).some((sort) => query.advice.includes(sort))) &&
    hasTags(check.tags, query.tags) &&
    (text === '' ||
      check.name.toLowerCase().includes(text) ||
      check.tags.toLowerCase().includes(text) ||
      check.slug.includes(text) ||
      check.publicId === text ||
      (knowsIds && check.id === text))
}

/** @param expected time of the next expected success */
export function listEntry(check: Check, standing: Standing, expected: Instant | null, sort: Sort): ListEntry {
  const { id, publicId, name } = check
  const { state } = standing
  return { id, publicId, state, group: groupOf(standing), name, rank: rankOf(check, expected, sort) }
}

/**
 * Returns the value to sort by. Each sort criterion has its natural order: newest ping, next expected ping, longest run or newest check
 * first.
 */
function rankOf(check: Check, expected: Instant | null, sort: Sort): number | null {
  switch (sort) {
    case 'name':
      return null
    case 'last':
      return check.lastPingAt && -toMicroseconds(check.lastPingAt)
    case 'next':
      return expected && toMicroseconds(expected)
    case 'duration':
      return longestFirst(lastRunDuration(check))
    case 'created':
      return -toMicroseconds(check.createdAt)
  }
}

function longestFirst(duration: number | null): number | null {
  return duration && -duration
}

/**
 * Compares entries by group, then by the selected sort, then by name. In the first group, checks that are down come first, then late
 * checks, then checks with advice.
 */
export function compareEntries({ isReversed, sort }: Pick<ListQuery, 'sort' | 'isReversed'>) {
  const way = isReversed ? -1 : 1
  const nameWay = sort === 'name' ? way : 1
  return (a: ListEntry, b: ListEntry): number =>
    urgency(a) - urgency(b) || compareRanks(a.rank, b.rank, way) || nameWay * compareNames(a.name, b.name)
}

function urgency({ state, group }: ListEntry): number {
  if (group !== 'needs') return GROUPS.indexOf(group)
  if (state === 'down') return -2
  return state === 'late' ? -1 : 0
}

function compareRanks(a: number | null, b: number | null, way: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return way * (a - b)
}

export function isShownState(text: string): text is ShownState {
  return SHOWN_STATES.some((state) => state === text)
}

export function isAdviceFilter(text: string): text is AdviceFilter {
  return ADVICE_FILTERS.some((sort) => sort === text)
}
