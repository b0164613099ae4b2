import { expect, test } from 'bun:test'
import { type RecentRun, type RunSources, recentRuns } from '../../../src/domain/log/recent-runs.ts'
import type { PingKind } from '../../../src/domain/ping/signal.ts'
import { aCheck, at, NOON } from '../../support/builders.ts'

/** A check with a period of an hour. */
const check = aCheck({ timeoutSeconds: 3_600, status: 'up' })
const MINUTE = 60_000_000

const mark = (kind: RecentRun['kind'], duration: number | null = null) => ({ kind, duration })
const entry = (n: number, kind: PingKind, time: string, duration: number | null = null) => ({
  n,
  kind,
  receivedAt: at(time),
  occurredAt: null,
  duration,
})
const sources = (over: Partial<RunSources>): RunSources => ({
  check,
  marks: [],
  isGivenUp: false,
  log: [],
  pauses: [],
  now: NOON,
  ...over,
})
const brief = (runs: readonly RecentRun[]) =>
  runs.map(({ kind, at, n, duration }) => [
    kind,
    at?.toString().slice(11, 16) ?? null,
    n,
    duration && duration / MINUTE,
  ])

test('a run has the time, number and duration of the ping that ended it', () => {
  const log = [
    entry(5, 'fail', '11:00'),
    entry(4, 'log', '10:30'),
    entry(3, 'success', '10:00', 7 * MINUTE),
    entry(2, 'start', '09:53'),
    entry(1, 'ign', '09:00'),
  ]
  // The mark's duration is an approximation.
  const marks = [mark('late', 6.8 * MINUTE), mark('failed')]
  expect(brief(recentRuns(sources({ log, marks })))).toEqual([
    ['late', '10:00', 3, 7],
    ['failed', '11:00', 5, null],
  ])
})

test('a run that the log no longer holds keeps its approximate duration', () => {
  const log = [entry(9, 'success', '11:00')]
  expect(brief(recentRuns(sources({ log, marks: [mark('ok', 5 * MINUTE), mark('ok')] })))).toEqual([
    ['ok', null, null, 5],
    ['ok', '11:00', 9, null],
  ])
})

test('missing runs have the times at which they were expected; the last one before a ping was that ping', () => {
  const log = [entry(2, 'success', '11:20', 10 * MINUTE), entry(1, 'success', '07:30')]
  const marks = [mark('ok'), mark('missing'), mark('missing'), mark('ok')]
  expect(brief(recentRuns(sources({ log, marks })))).toEqual([
    ['ok', '07:30', 1, null],
    ['missing', '08:30', null, null],
    ['missing', '09:30', null, null],
    ['ok', '11:20', 2, 10],
  ])
})

test('of a check that is down all expected times are missing whose grace time is over, of one that runs all but the newest', () => {
  const log = [entry(1, 'success', '08:30')]
  const down = sources({ log, isGivenUp: true, marks: [mark('ok'), mark('missing'), mark('missing')] })
  expect(brief(recentRuns(down)).map(([, time]) => time)).toEqual(['08:30', '09:30', '10:30'])
  const late = sources({ log, marks: [mark('ok'), mark('missing'), mark('missing')] })
  expect(brief(recentRuns(late)).map(([, time]) => time)).toEqual(['08:30', '09:30', '10:30'])
})

test('missing runs have no times when the log does not reach back to the ping before them', () => {
  const log = [entry(4, 'success', '11:00')]
  expect(brief(recentRuns(sources({ log, marks: [mark('missing'), mark('ok')] })))).toEqual([
    ['missing', null, null, null],
    ['ok', '11:00', 4, null],
  ])
})

test('a run that goes on has its start, and how long it has taken so far', () => {
  const running = aCheck({ ...check, lastStartAt: at('11:45') })
  const log = [entry(2, 'start', '11:45'), entry(1, 'success', '10:00')]
  expect(brief(recentRuns(sources({ check: running, log, marks: [mark('ok'), mark('running')] })))).toEqual([
    ['ok', '10:00', 1, null],
    ['running', '11:45', 2, 15],
  ])
})

test('what is missing before a run that goes on was expected before its start', () => {
  const running = aCheck({ ...check, lastStartAt: at('10:40') })
  const log = [entry(2, 'start', '10:40'), entry(1, 'success', '08:30')]
  const marks = [mark('ok'), mark('missing'), mark('running')]
  expect(brief(recentRuns(sources({ check: running, isGivenUp: true, log, marks }))).map(([, time]) => time)).toEqual([
    '08:30',
    '09:30',
    '10:40',
  ])
})

test('a pause stands where the check was paused', () => {
  const log = [entry(2, 'success', '11:00'), entry(1, 'success', '08:00')]
  const marks = [mark('ok'), mark('paused'), mark('ok')]
  expect(brief(recentRuns(sources({ log, marks, pauses: [at('09:00')] })))).toEqual([
    ['ok', '08:00', 1, null],
    ['paused', '09:00', null, null],
    ['ok', '11:00', 2, null],
  ])
})

test('what is missing before a pause was expected before it', () => {
  const log = [entry(1, 'success', '07:30')]
  const marks = [mark('ok'), mark('missing'), mark('paused')]
  expect(brief(recentRuns(sources({ log, marks, pauses: [at('10:00')] }))).map(([, time]) => time)).toEqual([
    '07:30',
    '08:30',
    '10:00',
  ])
})

test('without marks there are no runs', () => {
  expect(recentRuns(sources({ log: [entry(1, 'success', '11:00')] }))).toEqual([])
})
