/** Runs that overlap without run ids. Their ends cannot be distinguished, so their durations are unknown. */
import { describe, expect, test } from 'bun:test'
import { runMarks } from '../../../src/domain/check/run-history.ts'
import { pastStep, unknownCheck } from '../../../src/domain/log/past-runs.ts'
import { certainRuns, pairRuns } from '../../../src/domain/log/runs.ts'
import { isOverlapping, lastRunDuration } from '../../../src/domain/ping/overlap.ts'
import type { PingKind } from '../../../src/domain/ping/signal.ts'
import { NOON, RID_A, RID_B } from '../../support/builders.ts'
import { moved } from '../support/histories.ts'

const MINUTE = 60_000_000
const GRACE_MINUTES = 10
const TIMING = {
  kind: 'simple',
  timeoutSeconds: 300,
  graceSeconds: 60 * GRACE_MINUTES,
  schedule: '',
  tz: 'UTC',
} as const

/** Parses `'s0 s5 e6'`: starts, ends and failures with their minute; `sA3` has a run id. */
function read(log: string) {
  return log.split(' ').map((word, index) => {
    const [, letter = '', name, minute] = /^([sef])([AB])?([\d.]+)$/.exec(word) ?? []
    const kind: PingKind = letter === 's' ? 'start' : letter === 'e' ? 'success' : 'fail'
    const rid = name === 'A' ? RID_A : name === 'B' ? RID_B : null
    return { n: index + 1, kind, rid, receivedAt: moved(NOON, Number(minute) * MINUTE), occurredAt: null }
  })
}

/** Returns the state that lists use: the minutes of each ended run in the history, and the check after the last one. */
function kept(log: string) {
  let check = unknownCheck(TIMING, NOON)
  const ended: (number | null)[] = []
  for (const { kind, rid, receivedAt } of read(log)) {
    const { after, run } = pastStep(check, { kind, rid, at: receivedAt })
    check = after
    if (run) ended.push(run.duration && run.duration / MINUTE)
  }
  return { ended, check }
}

/** Returns the durations of the same runs in the log of a page. */
function shown(log: string) {
  const entries = read(log)
  const durations = certainRuns(entries, TIMING.graceSeconds)
  return entries.filter(({ kind }) => kind !== 'start').map(({ n }) => (durations.get(n) ?? 0) / MINUTE || null)
}

test.each<[string, string, (number | null)[]]>([
  ['one after the other has its duration', 's0 e4 s5 e9', [4, 4]],
  ['that overlaps has none, nor has the end of the other', 's0 s5 e6 e11', [null, null]],
  [
    'that always overlaps by one has none: a start, an end, a start, an end',
    's0 s5 e6 s10 e11 s15 e16',
    [null, null, null],
  ],
  ['may have failed', 's0 s5 f6 s10 e11', [null, null]],
  ['has its duration again after both have ended', 's0 s5 e6 e11 s20 e24', [null, null, 4]],
  ['has its duration again once the other must have died', 's0 s1 e5 s15 e19', [null, 4]],
  ['with ids may overlap', 'sA0 sB5 eB6 eA7', [1, null]],
])('a run %s', (_, log, minutes) => {
  expect(kept(log).ended).toEqual(minutes)
})

describe('the log of a page', () => {
  test.each([
    's0 e4 s5 e9',
    's0 s5 e6 e11',
    's0 s5 e6 s10 e11 s15 e16',
    's0 s5 f6 s10 e11',
    's0 s5 e6 e11 s20 e24',
    's0 s1 e5 s15 e19',
  ])('has the same durations as the history: %s', (log) => {
    expect(shown(log)).toEqual(kept(log).ended)
  })

  test('has the duration of each run with an id', () => {
    expect(shown('sA0 sB5 eB6 eA7')).toEqual([1, 7])
  })
})

test('no duration of the last run is shown while runs overlap, although the API goes by the last start, as Healthchecks does', () => {
  const { check } = kept('s0 s5 e6')
  expect([isOverlapping(check), lastRunDuration(check), check.lastDuration]).toEqual([true, null, MINUTE])
  expect([...pairRuns(read('s0 s5 e6')).values()]).toEqual([MINUTE])
  expect(runMarks(check.runs)).toEqual([{ kind: 'ok', duration: null }])
  const next = kept('s0 s5 e6 s17').check
  expect([isOverlapping(next), lastRunDuration(next)]).toEqual([false, null])
})
