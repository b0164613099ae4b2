/** Runs found in the log. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { pairRuns } from '../../../src/domain/log/runs.ts'
import type { PingKind } from '../../../src/domain/ping/signal.ts'
import { NOON, RID_A, RID_B } from '../../support/builders.ts'
import { moved } from '../support/histories.ts'

interface Row {
  readonly kind: PingKind
  readonly rid: string | null
  readonly second: number
}

/** Returns the seconds of each run by ping number. */
function seconds(log: readonly Row[]): Record<number, number> {
  const entries = log.map(({ kind, rid, second }, index) => {
    return { n: index + 1, kind, rid, receivedAt: moved(NOON, second * 1_000_000), occurredAt: null }
  })
  return Object.fromEntries([...pairRuns(entries)].map(([n, microseconds]) => [n, microseconds / 1_000_000]))
}

/** Parses `'start 0, A:success 5'`: kinds, with the name of the run if it has one, and seconds. */
function read(log: string): Row[] {
  return log.split(', ').map((entry) => {
    const [, name, kind, second] = /^(?:(A|B):)?(\w+) ([\d.]+)$/.exec(entry) ?? []
    const rid = name === 'A' ? RID_A : name === 'B' ? RID_B : null
    return { kind: kind as PingKind, rid, second: Number(second) }
  })
}

const HOURS_72 = 72 * 3600

test.each<[string, string, Record<number, number>]>([
  ['ends with a success', 'start 0, success 5', { 2: 5 }],
  ['ends with a failure', 'start 0, fail 5', { 2: 5 }],
  ['goes on through logs and ignored pings', 'start 0, log 1, ign 2, success 5', { 4: 5 }],
  ['begins with the latest of several starts', 'start 0, start 3, success 5', { 3: 2 }],
  ['ends once', 'start 0, success 5, success 9', { 2: 5 }],
  ['does not begin with a success or a failure', 'success 0, success 5, fail 6, success 7', {}],
  ['ends with its own id only', 'A:start 0, B:success 1, success 2, A:success 5', { 4: 5 }],
  ['without an id ends without one', 'start 0, A:success 1, fail 2', { 3: 2 }],
  ['may overlap with another', 'A:start 0, B:start 1, A:success 10, B:fail 21', { 3: 10, 4: 20 }],
  ['may end in the moment it began', 'start 5, success 5', { 2: 0 }],
  ['does not end before it began', 'start 5, success 4', {}],
  ['may last not quite 72 hours', 'start 0, success 259199.999999', { 2: HOURS_72 - 0.000001 }],
  ['is none after 72 hours', 'start 0, success 259200', {}],
  ['of 72 hours is over all the same', 'start 0, fail 259200, success 259201', {}],
])('a run %s', (_, log, durations) => {
  expect(seconds(read(log))).toEqual(durations)
})

test('an empty log has no runs', () => {
  expect(pairRuns([]).size).toBe(0)
})

describe('in any log', () => {
  const rows: fc.Arbitrary<Row> = fc.record({
    kind: fc.constantFrom('start', 'start', 'success', 'fail', 'log', 'ign'),
    rid: fc.constantFrom(null, RID_A, RID_B),
    second: fc.integer({ min: 0, max: 100_000 }),
  })

  function lookBack(log: readonly Row[], index: number): number | undefined {
    const end = log[index]
    if (end?.kind !== 'success' && end?.kind !== 'fail') return undefined
    const before = log.slice(0, index).filter(({ kind, rid }) => rid === end.rid && kind !== 'log' && kind !== 'ign')
    const start = before.at(-1)
    if (start?.kind !== 'start') return undefined
    const duration = end.second - start.second
    return duration >= 0 && duration < HOURS_72 ? duration : undefined
  }

  test.each([
    ['each row has the duration that looking back from it alone finds', true],
    ['so it is when the clock jumps about', false],
  ])('%s', (_, inOrder) => {
    const property = fc.property(fc.array(rows, { maxLength: 20 }), (log) => {
      let now = 0
      const timed = log.map((row) => {
        now = inOrder ? now + row.second : row.second
        return { ...row, second: now }
      })
      const found = seconds(timed)
      for (const index of timed.keys()) expect<unknown>(found[index + 1]).toBe(lookBack(timed, index))
    })
    fc.assert(property, { numRuns: 300 })
  })
})
