/** Texts about pings that arrived and did not count, for a reader in UTC. */
import { describe, expect, test } from 'bun:test'
import {
  CAUSES,
  type Cause,
  refusedSince,
  type UncountedPings,
  uncountedHeadline,
  uncountedSentence,
} from '../../../src/domain/cause/uncounted.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { aCheck, at } from '../../support/builders.ts'

type Counts = Partial<Record<Cause, number>>
const DOWN: Partial<Check> = { status: 'down', lastPingAt: at('09:54') }
const NOW = at('12:00')

function came(counts: Counts, method: string | null = 'GET'): UncountedPings {
  const all = Object.fromEntries(CAUSES.map((cause) => [cause, counts[cause] ?? 0])) as Record<Cause, number>
  return { counts: all, method, lastAt: at('11:59') }
}

function says(counts: Counts, check: Partial<Check> = DOWN, method: string | null = 'GET'): string {
  const sentence = uncountedSentence(aCheck(check), { pings: came(counts, method), refused: null })
  return sentenceText(sentence, { now: NOW, tz: 'UTC' })
}

describe('pings that did not count', () => {
  test('are counted since the last one that did, with the reason', () => {
    expect(says({ 'no-keyword': 5 })).toBe('5 pings have arrived since 09:54, but none counted: no keyword was found.')
    expect(says({ 'no-keyword': 1 })).toBe('1 ping has arrived since 09:54, but did not count: no keyword was found.')
    expect(says({ 'no-keyword': 6 }, { status: 'new' })).toBe(
      '6 pings have arrived, but none counted: no keyword was found.',
    )
    expect(says({ 'no-keyword': 2 }, { ...DOWN, lastStartAt: at('10:30') })).toStartWith(
      '2 pings have arrived since 10:30, but',
    )
    expect(says({ 'no-keyword': 100 })).toStartWith('100 or more pings have arrived since')
  })

  test('are told by their method while the check takes only POST', () => {
    expect(says({ method: 5 }, { ...DOWN, methods: 'POST' })).toBe(
      '5 pings have arrived since 09:54, but none counted: they used GET; this check accepts only POST.',
    )
    expect(says({ method: 1 })).toBe('1 ping has arrived since 09:54, but did not count: it used GET.')
    expect(says({ method: 2 }, DOWN, null)).toEndWith(': they used methods other than POST.')
  })

  test('for several reasons are counted by reason', () => {
    expect(says({ 'no-keyword': 3, method: 2 })).toBe(
      '5 pings have arrived since 09:54, but none counted: no keyword was found in 3, 2 used GET.',
    )
    expect(says({ 'no-keyword': 3, unknown: 2 })).toBe(
      '5 pings have arrived since 09:54, but none counted: no keyword was found in 3.',
    )
  })

  test('of which the log has no reason are told without one', () => {
    expect(says({ unknown: 5 })).toBe('5 pings have arrived since 09:54, but none counted.')
  })

  test('are told of a pause while it lasts, and not after it', () => {
    const paused = { status: 'paused', manualResume: true, lastPingAt: null } as const
    expect(says({ pause: 12, 'no-keyword': 1 }, paused)).toBe(
      '12 pings have arrived since the check was paused; none will count until somebody resumes it.',
    )
    expect(says({ pause: 12 }, { status: 'new' })).toBe('')
    expect(says({ pause: 12, 'no-keyword': 1 }, { status: 'new' })).toStartWith('1 ping has arrived, but did not count')
  })

  test('since they were log entries are told while no other ping ever came', () => {
    expect(says({ log: 4 }, { status: 'new' })).toBe(
      '4 pings have arrived, but none counted: they went to /log, which only adds an entry to the log.',
    )
    expect(says({ log: 4, 'no-keyword': 1 }, { status: 'new' })).toStartWith('1 ping has arrived')
    expect(says({ log: 4 })).toBe('')
    expect(says({ log: 4 }, { status: 'new', lastStartAt: at('10:00') })).toBe('')
  })

  test('have a headline with the reason behind it', () => {
    const parts = uncountedHeadline(aCheck(DOWN), { pings: came({ method: 5 }), refused: null })
    const text = [parts?.lead ?? [], parts?.detail ?? []].map((each) => sentenceText(each, { now: NOW, tz: 'UTC' }))
    expect(text).toEqual(['5 pings have arrived since 09:54, but none counted.', 'They used GET.'])
  })
})

test('what was refused is told when it came after the last ping that counted', () => {
  const since = (check: Partial<Check>) =>
    refusedSince(aCheck(check), { pings: null, refused: { n: 1, lastTail: '/-1', lastAt: at('11:00') } }).length > 0
  expect(since(DOWN)).toBeTrue()
  expect(since({ status: 'new' })).toBeTrue()
  expect(since({ ...DOWN, lastPingAt: at('11:30') })).toBeFalse()
  expect(since({ ...DOWN, lastStartAt: at('11:30') })).toBeFalse()
})
