import { expect, test } from 'bun:test'
import type { RecentRun } from '../../../../../src/domain/log/recent-runs.ts'
import { type RunChart, runChart } from '../../../../../src/http/web/pages/check/run-chart.ts'
import { createClock } from '../../../../../src/http/web/parts/words/clock.ts'
import { NOON } from '../../../../support/builders.ts'

const MINUTE = 60_000_000
const daily = (count: number, over: (index: number) => Partial<RecentRun> = () => ({})): RecentRun[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'ok',
    at: NOON.subtract({ hours: 24 * (count - 1 - index) }),
    n: index + 1,
    duration: (36 + (index % 5)) * MINUTE,
    ...over(index),
  }))
const chart = (runs: readonly RecentRun[], over: Partial<RunChart> = {}) =>
  runChart({
    runs,
    usual: null,
    longest: 60 * MINUTE,
    clock: createClock(NOON, 'UTC'),
    tz: 'UTC',
    entryHref: (n) => `/log/${n}`,
    logHref: (until) => `/log?until=${until}`,
    ...over,
  }).text
/** Usual duration of runs that take 36 to 40 minutes. */
const USUAL = { low: 36 * MINUTE, high: 40 * MINUTE, longest: 48 * MINUTE }
const path = (text: string, name: string) => new RegExp(`<path class="${name}" d="([^"]*)"`).exec(text)?.[1] ?? null

test('a daily run is named by its day, a more frequent one by its time too', () => {
  expect(chart(daily(3))).toContain('aria-label="4 Mar: ok, 38 min"')
  const hourly = daily(3, (index) => ({ at: NOON.subtract({ hours: 2 - index }) }))
  expect(chart(hourly)).toContain('aria-label="4 Mar, 12:00: ok, 38 min"')
})

test('the newest run is at the right, whatever their number', () => {
  expect(path(chart(daily(1)), 'ok')).toStartWith('M690.6 160')
  expect(path(chart(daily(30)), 'ok')).toStartWith('M12 160')
  expect(path(chart(daily(30)), 'ok')).toContain('M690.6 160')
})

test('a run that took longer than usual is named so, and has the colour of late ones', () => {
  const text = chart(
    daily(10, (index) => (index === 4 ? { duration: 56 * MINUTE } : {})),
    { usual: USUAL },
  )
  expect(text).toContain('took 56 min, longer than usual')
  expect(path(text, 'lt')).not.toContain('v4')
  expect(text).toContain('aria-label="Last 10 runs: 1 slow"')
})

test('each kind has its shape', () => {
  const kinds = ['ok', 'late', 'failed', 'missing', 'running', 'paused'] as const
  const text = chart(daily(6, (index) => ({ kind: kinds[index] ?? 'ok' })))
  // A late run has a dot below the line, and a failed one goes through it.
  expect(path(text, 'lt')).toMatch(/v4$/)
  expect(path(text, 'fl')).toMatch(/^M[\d.]+ 168V/)
  expect(path(text, 'ms')).toMatch(/z$/)
  expect(path(text, 'rn')).toMatch(/^M[\d.]+ 160V/)
  expect(path(text, 'ps')).toMatch(/h16$/)
  const words = ['ok', 'slow or late', 'failed', 'missing', 'running', 'paused', 'longest allowed run, 1 h']
  for (const word of words) expect(text).toContain(`</svg>${word}</li>`)
})

test('the usual range and the longest allowed run are drawn when they say something', () => {
  const long = chart(daily(10), { usual: USUAL })
  expect(long).toContain('<rect class="typ"')
  expect(long).toContain('<path class="max"')
  // The bars would be as low as a line.
  expect(chart(daily(10, () => ({ duration: MINUTE })))).not.toContain('<path class="max"')
  expect(chart(daily(4))).not.toContain('<rect class="typ"')
})

test('without durations bars have half the height, and there is no scale', () => {
  const text = chart(daily(6, () => ({ duration: null })))
  expect(path(text, 'ok')).toStartWith('M573.6 160V90')
  expect(text).not.toContain(' min</text>')
  expect(text).toContain('aria-label="4 Mar: ok"')
})

test('a run that the log no longer holds has no link', () => {
  const text = chart(daily(2, () => ({ at: null, n: null })))
  expect(text).not.toContain('<a ')
  expect(text).toContain('<title>Earlier: ok, 36 min</title>')
})
