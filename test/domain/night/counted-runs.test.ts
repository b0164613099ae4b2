/** Runs that are known only from the counts of days. */
import { expect, test } from 'bun:test'
import { countedRuns } from '../../../src/domain/night/counted-runs.ts'
import { packedMinutes } from '../../../src/domain/run/day-minutes.ts'
import type { DayRuns } from '../../../src/domain/run/day-runs.ts'

const NIGHTLY = {
  kind: 'cron',
  schedule: '0 2 * * *',
  tz: 'UTC',
  timeoutSeconds: 0,
  graceSeconds: 3_600,
  since: 0,
} as const
const HOURLY = { ...NIGHTLY, kind: 'simple', timeoutSeconds: 3_600, graceSeconds: 600 } as const

function day(text: string, minutes: readonly number[], over: Partial<DayRuns> = {}): DayRuns {
  const counts = { runs: minutes.length, failed: 0, missed: 0, firstAt: null, lastAt: null, longest: null }
  return { day: text, ...counts, minutes: packedMinutes(minutes), ...over }
}

const brief = (runs: ReturnType<typeof countedRuns>) =>
  runs.map(({ kind, began }) => `${kind} ${new Date(began).toISOString().slice(5, 16)}`)

test('a day with one run tells whether it failed and how long it took', () => {
  const days = [day('2026-11-15', [121], { longest: 60_000_000 }), day('2026-11-16', [122], { failed: 1 })]
  const runs = countedRuns(NIGHTLY, days, [])
  expect(brief(runs)).toEqual(['ran 11-15T02:01', 'failed 11-16T02:02'])
  expect(runs[0]).toMatchObject({ isTimed: true, ended: (runs[0]?.began ?? 0) + 60_000 })
})

test('a missing run is one of the schedule, and one of an interval lies in a gap', () => {
  expect(brief(countedRuns(NIGHTLY, [day('2026-11-15', [], { missed: 1 })], []))).toEqual(['missing 11-15T02:00'])
  const hours = (missed: number) => brief(countedRuns(HOURLY, [day('2026-11-15', [60, 120, 300], { missed })], []))
  expect(hours(2)).toEqual(['ran 11-15T01:00', 'ran 11-15T02:00', 'missing 11-15T03:00', 'ran 11-15T05:00'])
  expect(hours(0)).not.toContain('missing 11-15T03:00')
})
