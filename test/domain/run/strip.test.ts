/** The strip of a check, as marks, as letters and in words. */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { type EndedRun, type RunMark, recordRun } from '../../../src/domain/check/run-history.ts'
import { stripOf, stripText, stripWords } from '../../../src/domain/run/strip.ts'
import { aCheck, at, NOON } from '../../support/builders.ts'

const mark = (kind: RunMark['kind'], duration: number | null = null): RunMark => ({ kind, duration })
const recorded = (...ends: readonly Partial<EndedRun>[]) => {
  let runs: Uint8Array = new Uint8Array(0)
  for (const end of ends) runs = recordRun(runs, { kind: 'ok', duration: null, missed: 0, ...end })
  return runs
}
/** A check that expects a ping every hour, with ten minutes of grace. Its last ping was at noon. */
const hourly = (given: Partial<Check>) =>
  aCheck({ status: 'up', timeoutSeconds: 3_600, graceSeconds: 600, lastPingAt: NOON, runs: recorded({}), ...given })
const kinds = (marks: readonly RunMark[]) => marks.map(({ kind }) => kind)

describe('the strip of a check', () => {
  test('that is new is empty', () => {
    expect(stripOf(aCheck(), NOON)).toEqual([])
  })

  test('that is up is its run history', () => {
    const runs = recorded({ kind: 'failed' }, { missed: 1, kind: 'late' })
    expect(kinds(stripOf(hourly({ runs }), at('12:30')))).toEqual(['failed', 'missing', 'late'])
  })

  test('that is down ends with what is missing since', () => {
    expect(kinds(stripOf(hourly({}), at('14:30')))).toEqual(['ok', 'missing', 'missing'])
  })

  test('that is late has a place for the run that may still come', () => {
    expect(kinds(stripOf(hourly({}), at('13:05')))).toEqual(['ok'])
  })

  test('with a pending start ends with the run that goes on', () => {
    expect(kinds(stripOf(hourly({ lastStartAt: at('14:01') }), at('14:02')))).toEqual(['ok', 'missing', 'running'])
    expect(kinds(stripOf(aCheck({ lastStartAt: NOON }), at('12:01')))).toEqual(['running'])
  })

  test('has the newest thirty', () => {
    const runs = recorded(...Array.from({ length: 30 }, () => ({})))
    const strip = kinds(stripOf(hourly({ runs, lastStartAt: at('15:01') }), at('15:02')))
    expect(strip).toHaveLength(30)
    expect(strip.slice(-4)).toEqual(['ok', 'missing', 'missing', 'running'])
  })

  test('whose schedule can no longer be read is its run history', () => {
    const check = hourly({ kind: 'cron', schedule: '0 * * * *', tz: 'Mars/Olympus', status: 'down' })
    expect(kinds(stripOf(check, at('20:00')))).toEqual(['ok'])
  })
})

describe('the letters of a strip', () => {
  test('of runs without durations have half the height', () => {
    expect(stripText([mark('ok'), mark('late'), mark('ok')])).toBe('hHh')
  })

  test('are as high as the run took, compared with the longest', () => {
    const text = stripText([mark('ok', 1), mark('ok', 500), mark('late', 500), mark('ok', 1_000), mark('ok')])
    expect(text).toBe('ahHph')
  })

  test('of other marks are digits', () => {
    expect(stripText([mark('missing'), mark('failed'), mark('running'), mark('paused')])).toBe('0123')
  })

  test('of nothing are none', () => {
    expect(stripText([])).toBe('')
  })
})

test.each([
  [[], ''],
  [['ok', 'paused', 'running'], 'ok'],
  [['missing', 'failed', 'missing', 'ok'], '2 missing, 1 failed'],
  [['late', 'ok'], '1 late'],
  [['late', 'failed', 'late'], '1 failed, 2 late'],
] as const)('the strip %j in words is %p', (marks, words) => {
  expect(stripWords(marks.map((kind) => mark(kind)))).toBe(words)
})
