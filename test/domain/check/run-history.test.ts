/** The run history: what it stores about each run, and for how many runs. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type EndedRun,
  endsWithPause,
  RUNS_KEPT,
  recordPause,
  recordRun,
  runMarks,
} from '../../../src/domain/check/run-history.ts'

const NONE = new Uint8Array(0)
const anEnd = (given: Partial<EndedRun> = {}): EndedRun => ({ kind: 'ok', duration: null, missed: 0, ...given })
const kinds = (runs: Uint8Array) => runMarks(runs).map(({ kind }) => kind)

const SHORTEST = 10_000
const DAY = 86_400_000_000
const ends = fc.record({
  kind: fc.constantFrom('ok', 'late', 'failed'),
  duration: fc.option(fc.integer({ min: 0, max: 40 * DAY })),
  missed: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
})

describe('a run history', () => {
  test('of a check without runs is empty', () => {
    expect(runMarks(NONE)).toEqual([])
  })

  test('has each run after the runs that were missed before it, newest last', () => {
    const first = recordRun(NONE, anEnd())
    const second = recordRun(first, anEnd({ kind: 'late', missed: 2 }))
    const third = recordRun(recordPause(second), anEnd({ kind: 'failed' }))
    expect(kinds(third)).toEqual(['ok', 'missing', 'missing', 'late', 'paused', 'failed'])
    expect(kinds(first)).toEqual(['ok'])
  })

  test('has what was missed before a pause', () => {
    expect(kinds(recordPause(NONE, 2))).toEqual(['missing', 'missing', 'paused'])
  })

  test('keeps the newest thirty, in no more than thirty bytes', () => {
    const property = fc.property(fc.array(fc.option(ends), { maxLength: 50 }), (history) => {
      let runs: Uint8Array = NONE
      const all: string[] = []
      for (const end of history) {
        runs = end === null ? recordPause(runs) : recordRun(runs, end)
        for (let missed = 0; missed < (end?.missed ?? 0); missed++) all.push('missing')
        all.push(end?.kind ?? 'paused')
      }
      expect(kinds(runs)).toEqual(all.slice(-RUNS_KEPT) as never)
      expect(runs.length).toBeLessThanOrEqual(30)
    })
    fc.assert(property, { numRuns: 500 })
  })

  test('of a job that always goes alike takes two bytes', () => {
    let runs: Uint8Array = NONE
    for (let count = 1; count < 100; count++) {
      runs = recordRun(runs, anEnd())
      expect(runMarks(runs)).toHaveLength(Math.min(30, count))
    }
    expect(runs.length).toBe(2)
    expect(kinds(recordRun(runs, anEnd({ kind: 'failed' })))).toEqual([...kinds(runs).slice(1), 'failed'] as never)
  })

  test('ends with a pause until the next run, also after several pauses', () => {
    const paused = recordPause(recordPause(recordRun(NONE, anEnd())))
    expect([endsWithPause(paused), endsWithPause(recordRun(paused, anEnd())), endsWithPause(NONE)]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('the duration of a run', () => {
  const kept = (duration: number | null, kind: EndedRun['kind'] = 'ok') =>
    runMarks(recordRun(NONE, anEnd({ kind, duration })))[0]?.duration

  test('from ten milliseconds to thirty days is kept exact to a tenth', () => {
    const durations = fc.integer({ min: SHORTEST, max: 30 * DAY })
    const property = fc.property(durations, fc.constantFrom('ok' as const, 'late' as const), (duration, kind) => {
      expect(Math.abs((kept(duration, kind) ?? 0) / duration - 1)).toBeLessThan(0.1)
    })
    fc.assert(property, { numRuns: 1_000 })
  })

  test('that is shorter or longer is kept as the shortest or the longest', () => {
    expect([kept(0), kept(1)]).toEqual([SHORTEST, SHORTEST])
    expect(kept(400 * DAY)).toBe(30 * DAY)
  })

  test('is unknown without a start, and is not kept of a failed run', () => {
    expect([kept(null), kept(null, 'late'), kept(5_000_000, 'failed')]).toEqual([null, null, null])
  })
})
