/** Status of a badge over several checks. */
import { describe, expect, test } from 'bun:test'
import { badgeStatus, countForBadge, ProjectBadges } from '../../../src/domain/badge/status.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { aCheck, at, NOON } from '../../support/builders.ts'

const up: Partial<Check> = { status: 'up', lastPingAt: NOON, timeoutSeconds: 3600, graceSeconds: 600 }

describe('the counts', () => {
  const counts = (time: string, ...given: Partial<Check>[]) => {
    const badges = new ProjectBadges()
    for (const one of given) badges.add(aCheck(one), at(time))
    return badges.countsOf('*')
  }

  test.each([
    ['12:59:59', { total: 1, grace: 0, down: 0 }],
    ['13:00', { total: 1, grace: 1, down: 0 }],
    ['13:10', { total: 1, grace: 0, down: 1 }],
  ])('at %s follow the clock, not the stored status', (time, expected) => {
    expect(counts(time, up)).toEqual(expected)
  })

  test.each([
    ['new', { status: 'new' }],
    ['paused', { status: 'paused' }],
    ['running', { ...up, status: 'new', lastStartAt: at('12:55') }],
  ] as const)('of a check that is %s count it as up', (_, check) => {
    expect(counts('13:00', check)).toEqual({ total: 1, grace: 0, down: 0 })
  })

  test('add up', () => {
    const late = counts('13:05', up, up, { status: 'down' }, { status: 'new' }, { status: 'paused' })
    expect(late).toEqual({ total: 5, grace: 2, down: 1 })
    expect(counts('13:05')).toEqual({ total: 0, grace: 0, down: 0 })
  })

  test('of a tag count each check with exactly that tag once', () => {
    const badges = new ProjectBadges()
    for (const tags of ['prod db prod', 'production', '*', '']) badges.add(aCheck({ ...up, tags }), at('13:10'))
    badges.add(aCheck({ tags: 'prod' }), at('13:10'))
    const of = (tag: string) => Object.values(badges.countsOf(tag))
    expect([of('prod'), of('db'), of('pro'), of('*')]).toEqual([
      [2, 0, 1],
      [1, 0, 1],
      [0, 0, 0],
      [5, 0, 4],
    ])
  })

  test('of a single check are those of its own badge', () => {
    expect(countForBadge(aCheck(up), at('13:00'))).toEqual({ total: 1, grace: 1, down: 0 })
  })

  test('are in the order of the JSON format', () => {
    expect(Object.keys(counts('13:00', up))).toEqual(['total', 'grace', 'down'])
  })

  test('do not fail for a stored schedule that is no longer valid', () => {
    const unreadable: Partial<Check> = { ...up, kind: 'cron', schedule: 'no more', tz: 'Mars/Olympus' }
    expect(counts('13:05', unreadable, up)).toEqual({ total: 2, grace: 1, down: 0 })
  })
})

describe('the status', () => {
  const cases = [
    [0, 0, 'up', 'up'],
    [1, 0, 'up', 'late'],
    [0, 1, 'down', 'down'],
    [1, 1, 'down', 'down'],
  ] as const
  test.each(cases)(
    'with %d in grace and %d down is %s with two states and %s with three',
    (grace, down, two, three) => {
      const counts = { total: 9, grace, down }
      expect([badgeStatus(counts, 2), badgeStatus(counts, 3)]).toEqual([two, three])
    },
  )
})
