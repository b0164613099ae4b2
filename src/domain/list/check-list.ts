/** The list of a project's checks for a reader: which checks match, how many there are of each kind, and their order. */
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

/** The filter of a list. */
interface ListFilter {
  /** searched in names, tags and slugs, ignoring case; also a whole id. '' is no filter */
  readonly text: string
  /** a check must have all of them */
  readonly tags: readonly string[]
  /** a check must have one of them; none is no filter */
  readonly states: readonly ShownState[]
  /** a check must have advice of one of these sorts; none is no filter */
  readonly advice: readonly AdviceFilter[]
}

export interface ListQuery extends ListFilter {
  readonly sort: Sort
  /** true: reverses the order */
  readonly isReversed: boolean
}

/** Any advice, or advice that is a doubt. */
export const ADVICE_FILTERS = ['any', ...DOUBTS] as const
export type AdviceFilter = (typeof ADVICE_FILTERS)[number]

/** The state of a check at an instant, and its advice. */
export interface Standing extends Pick<ShownCheck, 'state' | 'isSlow'> {
  /** the displayed advice; null: none */
  readonly advice: Pick<Advice, 'kind' | 'variant'> | null
}

/**
 * The groups of a list, in their order. `needs`: a check that needs a person, because of its state, or because nobody would be alerted if
 * its job failed. `slow`: a run in progress takes longer than usual, late or not. `expected`: the only group of monitored checks without a
 * problem. `unpinged`: not pinged yet, or not since a person resumed the check. `stopped`: paused.
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

/** The data that a list keeps of a check to sort it. */
export interface ListEntry {
  /** a secret: the check's UUID */
  readonly id: string
  readonly publicId: string
  readonly state: ShownState
  readonly group: Group
  readonly name: string
  /** sort value besides the name; null sorts last */
  readonly rank: number | null
}

/** Returns the filters that match a check with the given advice. */
function filtersOf({ advice }: Pick<Standing, 'advice'>): readonly AdviceFilter[] {
  if (advice === null) return NO_FILTERS
  const doubt = doubtOf(advice)
  return doubt === null ? ANY : ['any', doubt]
}

const NO_FILTERS: readonly AdviceFilter[] = []
const ANY: readonly AdviceFilter[] = ['any']

/** Counts of checks. */
export interface StandingCounts {
  readonly states: Readonly<Record<ShownState, number>>
  readonly advice: Readonly<Record<AdviceFilter, number>>
  /** checks whose run takes longer than usual, in any group */
  readonly slow: number
  /** late checks without a run in progress */
  readonly silent: number
  /** counts by group; each check counts in one group */
  readonly groups: Readonly<Record<Group, number>>
}

export function isSameCounts(a: StandingCounts, b: StandingCounts): boolean {
  return (
    isSameRecord(a.states, b.states) && a.silent === b.silent && isSameDoubts(a, b) && isSameRecord(a.groups, b.groups)
  )
}

/** Whether two counts agree on slow checks, and on checks with each sort of advice. */
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

  /** @param step -1 removes the check again */
  count(standing: Standing, step: 1 | -1 = 1): void {
    this.states[standing.state] += step
    for (const sort of filtersOf(standing)) this.advice[sort] += step
    this.groups[groupOf(standing)] += step
    if (standing.isSlow) this.slow += step
    else if (standing.state === 'late') this.silent += step
  }

  /** Returns the current counts. */
  copy(): StandingCounts {
    const { slow, silent, states, advice, groups } = this
    return { slow, silent, states: { ...states }, advice: { ...advice }, groups: { ...groups } }
  }
}

/** Counts of all checks of a project. */
export interface ListCounts extends StandingCounts {
  readonly total: number
  /** number of checks by tag */
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

/** @param knowsIds false: the reader may not learn UUIDs, so they are not searched */
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

/** @param expected when the next success of the check is expected */
export function listEntry(check: Check, standing: Standing, expected: Instant | null, sort: Sort): ListEntry {
  const { id, publicId, name } = check
  const { state } = standing
  return { id, publicId, state, group: groupOf(standing), name, rank: rankOf(check, expected, sort) }
}

/** Ranks by the natural order of each sort: first the newest ping, the next expected one, the longest run, the newest check. */
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

/** Compares entries: by group (in the first group, down before late before advice), then by the query, then by name. */
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
