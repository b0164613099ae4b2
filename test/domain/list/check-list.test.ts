/** Selection and order of the checks in a list. */
import { expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { ShownState } from '../../../src/domain/check/shown-check.ts'
import {
  type AdviceFilter,
  compareEntries,
  createMatcher,
  type Group,
  groupOf,
  type ListQuery,
  ListTally,
  listEntry,
  type Standing,
} from '../../../src/domain/list/check-list.ts'
import { fromSeconds } from '../../../src/lib/time.ts'
import { UNTOLD, ZONE } from '../../support/advice.ts'
import { aCheck } from '../../support/builders.ts'

const QUERY: ListQuery = { text: '', tags: [], states: [], advice: [], sort: 'name', isReversed: false }
const standing = (given: Partial<Standing>): Standing => ({
  state: 'up',
  isSlow: false,
  advice: null,
  ...given,
})
const matches = (over: Partial<ListQuery>, check: Partial<Check>, state: ShownState = 'up', knowsIds = true) =>
  createMatcher({ ...QUERY, ...over }, knowsIds)(aCheck(check), standing({ state }))

test('text is looked for in name, tags and slug, without regard to case', () => {
  const check = { name: 'Nightly Backup', tags: 'DB prod', slug: 'nightly-backup' }
  for (const text of ['backup', 'NIGHT', 'db', 'nightly-b']) expect(matches({ text }, check)).toBe(true)
  expect(matches({ text: 'weekly' }, check)).toBe(false)
})

test('all tags, and any of the states', () => {
  expect(matches({ tags: ['a', 'b'] }, { tags: 'b c a' })).toBe(true)
  expect(matches({ tags: ['a', 'b'] }, { tags: 'a ab' })).toBe(false)
  expect(matches({ states: ['down', 'late'] }, {}, 'late')).toBe(true)
  expect(matches({ states: ['down', 'late'] }, {}, 'up')).toBe(false)
})

test('any advice, or advice of a sort', () => {
  const found = (sort: AdviceFilter, advice: Standing['advice']) =>
    createMatcher({ ...QUERY, advice: [sort] }, true)(aCheck(), standing({ advice }))
  expect([found('untold', UNTOLD), found('untold', ZONE), found('untold', null)]).toEqual([true, false, false])
  expect([found('any', UNTOLD), found('any', ZONE), found('any', null)]).toEqual([true, true, false])
})

test('a check that nobody would hear of comes after those that are late, and before all others', () => {
  const entry = (name: string, state: ShownState, advice: Standing['advice']) =>
    listEntry(aCheck({ name }), standing({ state, advice }), null, 'name')
  const entries = [
    entry('a', 'up', null),
    entry('b', 'up', UNTOLD),
    entry('c', 'late', null),
    entry('d', 'new', UNTOLD),
  ]
  expect(entries.toSorted(compareEntries({ sort: 'name', isReversed: false })).map(({ name }) => name)).toEqual([
    ...['c', 'b', 'd', 'a'],
  ])
})

test('a late run that goes on stands among those that are slow, in the order of the query', () => {
  const entry = (name: string, given: Partial<Standing>) => listEntry(aCheck({ name }), standing(given), null, 'name')
  const entries = [
    entry('a', { state: 'started', isSlow: true }),
    entry('b', { state: 'late', isSlow: true }),
    entry('c', { advice: UNTOLD }),
  ]
  expect(entries.toSorted(compareEntries({ sort: 'name', isReversed: false })).map(({ name }) => name)).toEqual([
    ...['c', 'a', 'b'],
  ])
})

test('a whole id is found, and a UUID only by who may know it', () => {
  const { id, publicId } = aCheck()
  for (const knows of [true, false]) {
    expect(matches({ text: publicId }, {}, 'up', knows)).toBe(true)
    expect(matches({ text: id }, {}, 'up', knows)).toBe(knows)
    expect(matches({ text: id.slice(0, 13) }, {}, 'up', knows)).toBe(false)
  }
})

function order(
  sort: ListQuery['sort'],
  isReversed: boolean,
  entries: readonly [ShownState, Partial<Check>][],
): string[] {
  const listed = entries.map(([state, check]) => listEntry(aCheck(check), standing({ state }), null, sort))
  return listed.toSorted(compareEntries({ sort, isReversed })).map(({ name }) => name)
}

test('down comes before late, and both before all others; names are ordered as people count', () => {
  const entries: readonly [ShownState, Partial<Check>][] = [
    ['up', { name: 'job 10' }],
    ['started', { name: 'Job 9' }],
    ['late', { name: 'z' }],
    ['down', { name: 'zz' }],
  ]
  expect(order('name', false, entries)).toEqual(['zz', 'z', 'Job 9', 'job 10'])
  expect(order('name', true, entries)).toEqual(['zz', 'z', 'job 10', 'Job 9'])
})

test('what is not known comes last, in either direction, and names decide between equals', () => {
  const entries: readonly [ShownState, Partial<Check>][] = [
    ['up', { name: 'b', lastPingAt: fromSeconds(10) }],
    ['up', { name: 'never', lastPingAt: null }],
    ['up', { name: 'newest', lastPingAt: fromSeconds(20) }],
    ['up', { name: 'a', lastPingAt: fromSeconds(10) }],
  ]
  expect(order('last', false, entries)).toEqual(['newest', 'a', 'b', 'never'])
  expect(order('last', true, entries)).toEqual(['a', 'b', 'newest', 'never'])
})

test('a tally counts states, advice, checks that need somebody, and each tag of a check once', () => {
  const tally = new ListTally()
  tally.add(aCheck({ tags: 'a b a' }), standing({ advice: UNTOLD }))
  tally.add(aCheck({ tags: '' }), standing({ state: 'down', advice: UNTOLD }))
  tally.add(aCheck({ tags: '' }), standing({ advice: ZONE }))
  expect([tally.total, tally.states.up, tally.states.down, tally.states.new]).toEqual([3, 2, 1, 0])
  expect([tally.advice, tally.groups.needs]).toEqual([{ any: 3, untold: 2, unwatched: 0 }, 2])
  expect([...tally.tags]).toEqual([
    ['a', 1],
    ['b', 1],
  ])
})

test.each<[Partial<Standing>, Group]>([
  [{ state: 'down' }, 'needs'],
  [{ state: 'late' }, 'needs'],
  [{ state: 'late', isSlow: true }, 'slow'],
  [{ state: 'new', advice: UNTOLD }, 'needs'],
  [{ state: 'started', isSlow: true }, 'slow'],
  [{ state: 'started' }, 'expected'],
  [{ state: 'up' }, 'expected'],
  [{ state: 'up', advice: ZONE }, 'expected'],
  [{ state: 'new' }, 'unpinged'],
  [{ state: 'paused' }, 'stopped'],
])('%j is in the group "%s"', (given, group) => {
  expect(groupOf(standing(given))).toBe(group)
})
