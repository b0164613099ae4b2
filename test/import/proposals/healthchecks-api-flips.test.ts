import { describe, expect, test } from 'bun:test'
import type { StoredStatus } from '../../../src/domain/check/check.ts'
import { toFlips } from '../../../src/import/from-healthchecks-api/flips.ts'
import { addSeconds, isoMicroseconds, isoSeconds, Temporal } from '../../../src/lib/time.ts'

const BEGIN = Temporal.Instant.from('2026-11-01T00:00:00Z')

/**
 * @param ups oldest first: whether the check was up after each flip, an hour apart
 * @returns states before the first flip, and after each
 */
function told(ups: readonly (0 | 1)[], last: StoredStatus | null): string[] {
  const listed = ups.map((up, hour) => ({ timestamp: isoSeconds(addSeconds(BEGIN, hour * 3600)), up })).reverse()
  const flips = toFlips('id', listed, last, [])
  for (const [index, flip] of flips.entries()) {
    expect(flip.n).toBe(index + 1)
    if (index > 0) expect(flip.oldStatus).toBe(flips[index - 1]?.newStatus ?? 'new')
  }
  return [...flips.slice(0, 1).map(({ oldStatus }) => oldStatus), ...flips.map(({ newStatus }) => newStatus)]
}

describe('flips that say only up or not', () => {
  const cases: readonly [ups: readonly (0 | 1)[], last: StoredStatus | null, statuses: readonly string[]][] = [
    [[], 'new', []],
    [[1], 'up', ['new', 'up']],
    [[1, 0, 1], 'up', ['new', 'up', 'down', 'up']],
    [[1, 0], 'paused', ['new', 'up', 'paused']],
    [[1, 0, 0], 'new', ['new', 'up', 'paused', 'new']],
    [[1, 0, 0, 0], 'new', ['new', 'up', 'down', 'paused', 'new']],
    [[1, 0, 0], 'paused', ['new', 'up', 'down', 'paused']],
    [[0], 'down', ['new', 'down']],
    [[1, 0], null, ['new', 'up', 'down']],
  ]
  for (const [ups, last, statuses] of cases) {
    test(`${ups.join(' ') || 'none'}, now ${last}: ${statuses.join(' → ') || 'none'}`, () => {
      expect(told(ups, last)).toEqual([...statuses])
    })
  }

  test('of which older ones were removed begin with what the check must have been', () => {
    expect(told([0, 1], 'up')).toEqual(['new', 'down', 'up'])
    expect(told([0, 0], 'new')).toEqual(['new', 'paused', 'new'])
  })

  test('that do not follow from each other, since some are missing, are still numbered and end as the check is', () => {
    const listed = [1, 1, 0].map((up, hour) => ({
      timestamp: isoSeconds(addSeconds(BEGIN, hour * 60)),
      up: up as 0 | 1,
    }))
    const flips = toFlips('id', listed.reverse(), 'down', [])
    expect(flips.map(({ n, newStatus }) => [n, newStatus])).toEqual([
      [1, 'up'],
      [2, 'up'],
      [3, 'down'],
    ])
  })

  test('are as exact as the pings of the same second, and a failure is one only then', () => {
    const failed = addSeconds(BEGIN, 60).add({ microseconds: 123 })
    const flips = toFlips(
      'id',
      [
        { timestamp: isoSeconds(addSeconds(BEGIN, 7200)), up: 0 },
        { timestamp: isoSeconds(addSeconds(BEGIN, 3600)), up: 1 },
        { timestamp: isoSeconds(failed), up: 0 },
      ],
      'down',
      [{ kind: 'fail', receivedAt: failed }],
    )
    expect(flips.map(({ reason }) => reason)).toEqual(['fail', '', 'timeout'])
    expect(isoMicroseconds(flips[0]?.createdAt ?? BEGIN)).toBe('2026-11-01T00:01:00.000123+00:00')
  })

  test('of a long list take a moment', () => {
    const ups = Array.from({ length: 50_000 }, (): 0 => 0)
    expect(told(ups, 'paused')).toHaveLength(50_001)
  })
})
