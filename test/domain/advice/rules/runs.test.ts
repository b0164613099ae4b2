/** Problems that show in runs: overlaps, hollow successes, alternating results, and two checks for one job. */
import { describe, expect, test } from 'bun:test'
import type { AdvisedPing } from '../../../../src/domain/advice/facts.ts'
import { advised, DAY, facts, HOUR, MINUTE, nightly, ping, START, said } from '../facts.ts'

const NOW = START + 9 * DAY + 4 * HOUR

describe('overlapping runs', () => {
  test('silence what reads their durations', () => {
    const check = { schedule: '*/10 * * * *', graceSeconds: 600 }
    const log = Array.from({ length: 24 }, (_, index) => {
      const began = START + index * 10 * MINUTE
      return [
        ping(began, { kind: 'start', runId: `${index}` }),
        ping(began + 14 * MINUTE, { duration: 840, runId: `${index}` }),
      ]
    })
    const now = START + 4.1 * HOUR
    const sorted = log.flat().toSorted((a, b) => a.at - b.at)
    expect(advised(facts({ check, log: sorted }), now)).toEqual(['overlap/run-ids'])
    expect(said(facts({ check, log: sorted }), now)).toBe(
      '12 of the last 12 runs began while an earlier one was under way, for up to 4 min.',
    )
  })
})

describe('a hollow success', () => {
  const ending = (lines: readonly string[], given: (day: number) => Partial<AdvisedPing> = () => ({})) =>
    facts({ log: nightly(lines.length, (day) => ({ lastLine: lines[day] ?? null, ...given(day) })) })
  const now = (lines: readonly string[]) => START + (lines.length - 1) * DAY + 3.5 * HOUR
  const usual = ['saved 1', 'saved 2', 'saved 3', 'saved 4']

  test.each(['error: disk full', 'Fatal! no repository', 'PANIC: out of memory', 'Segmentation fault: 11 frames'])(
    'ends with %p',
    (line) => {
      const lines = [...usual, line, line]
      const isNumber = /: \d/.test(line)
      expect(advised(ending(lines), now(lines))).toEqual(isNumber ? [] : ['hollow/error-line'])
    },
  )

  test('is not told of a line that successes had before, nor of too few', () => {
    for (const lines of [
      ['error: old', ...usual, 'error: a', 'error: b'],
      ['a', 'b', 'c', 'error: a', 'error: b'],
    ]) {
      expect(advised(ending(lines), now(lines))).toEqual([])
    }
  })

  test('is not told of a short line that a failure had too', () => {
    const lines = ['finished', ...usual, 'finished', 'finished']
    expect(
      advised(
        ending(lines, (day) => (day === 0 ? { kind: 'fail' } : {})),
        now(lines),
      ),
    ).toEqual([])
  })
})

describe('outcomes by turns', () => {
  test('are told after eight runs, with the messages that they sent', () => {
    const log = nightly(8, (day) => ({ kind: day % 2 === 0 ? 'fail' : 'success' }))
    expect(said(facts({ log }), START + 7 * DAY + 4 * HOUR)).toBe(
      '4 of the last 8 runs failed: 7 changes and 7 messages in 7 d.',
    )
  })

  test('are not told when they are over', () => {
    const log = nightly(20, (day) => ({ kind: day < 11 && day % 2 === 0 ? 'fail' : 'success' }))
    expect(advised(facts({ log }), START + 19 * DAY + 4 * HOUR)).toEqual([])
  })
})

describe('two checks for one job', () => {
  const log = nightly(10).map((each, index) => ({ ...each, at: each.at + ((index * 37) % 11) * MINUTE }))
  const other = (change: (each: AdvisedPing, index: number) => AdvisedPing) => [{ name: 'Old', log: log.map(change) }]
  const after = (each: AdvisedPing) => ({ ...each, at: each.at + 900 })

  test('are told with the name of the other', () => {
    const check = { graceSeconds: 7_200 }
    expect(said(facts({ check, log, others: other(after) }), NOW)).toBe(
      'Pinged within 1 s of Old, each of the last 10 times: the same job?',
    )
    const others = other((each) => ({ ...each, at: each.at - 1_100 }))
    expect(said(facts({ check, log, others }), NOW)).toContain('within 2 s of Old')
  })

  test.each<[string, (each: AdvisedPing, index: number) => AdvisedPing]>([
    ['the order changes', (each, index) => ({ ...each, at: each.at + (index % 2 === 0 ? 900 : -900) })],
    ['the senders differ', (each) => ({ ...after(each), sender: '10.0.0.9' })],
    ['the outcomes differ', (each, index) => ({ ...after(each), kind: index === 4 ? 'fail' : 'success' })],
    ['one comes later', (each, index) => ({ ...each, at: each.at + (index === 4 ? 5_000 : 900) })],
  ])('are not told when %s', (_, change) => {
    expect(advised(facts({ check: { graceSeconds: 7_200 }, log, others: other(change) }), NOW)).toEqual([])
  })
})

test('a duration with fractions of a millisecond is read like any other', () => {
  const took = 20 * MINUTE
  const runs = nightly(6).flatMap(({ at }) => [
    ping(at, { kind: 'start' }),
    ping(at + took, { duration: took / 1_000 + 0.000345 }),
  ])
  const now = START + 5 * DAY + 4 * HOUR
  expect(said(facts({ check: { graceSeconds: 600 }, log: runs }), now)).toBe(
    'Takes up to 20 min, but grace is 10 min: 6 of 6 runs were late. 30 min would have covered all of them.',
  )
  expect(said(facts({ check: { tz: 'Europe/Berlin' }, log: runs }), now)).toStartWith('Runs at 03:00 UTC, 2 h after')
})
