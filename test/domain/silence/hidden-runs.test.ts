/** Windows that hide every run of a check, or every deadline. */
import { describe, expect, test } from 'bun:test'
import { hiddenRuns } from '../../../src/domain/silence/hidden-runs.ts'
import { Temporal } from '../../../src/lib/time.ts'

const HOUR = 3_600
const NOW = Temporal.Instant.from('2026-11-24T12:00:00Z')
const times = (schedule: string, hours: number, until: string | null = null) => ({
  startsAt: NOW,
  endsAt: until === null ? null : Temporal.Instant.from(until),
  untilHealthy: false,
  window: { schedule, tz: 'UTC', seconds: hours * HOUR },
})
const cron = (schedule: string, grace = 1, tz = 'UTC') =>
  ({ kind: 'cron', schedule, tz, timeoutSeconds: 0, graceSeconds: grace * HOUR }) as const
const every = (hours: number, grace = 1) =>
  ({ kind: 'simple', schedule: '', tz: 'UTC', timeoutSeconds: hours * HOUR, graceSeconds: grace * HOUR }) as const

describe('a window that comes again', () => {
  test.each([
    ['hides every run of a check that runs only then', '0 22 * * *', 2, '30 22 * * *', 'runs'],
    ['and of one that runs more rarely', '0 22 * * *', 2, '0 23 * * 6', 'runs'],
    ['and of one that runs often within it, and never outside', '0 22 * * *', 2, '*/5 22,23 * * *', 'runs'],
    ['but not of one that also runs at another hour', '0 22 * * *', 2, '0 10,22 * * *', null],
    ['nor on the days without it', '0 22 * * 1-5', 2, '30 22 * * *', null],
    ['nor at the moment at which it ends', '0 22 * * *', 2, '0 0 * * *', null],
    ['every run, though the first window has days to go', '0 22 * * 6', 2, '0 23 * * 6', 'runs'],
    ['only the deadlines of runs that are due before it', '0 22 * * *', 2, '30 21 * * *', 'deadlines'],
    ['no deadline that is before it', '0 22 * * *', 2, '0 20 * * *', null],
  ] as const)('%s', (_, window, hours, schedule, hidden) => {
    expect(hiddenRuns(times(window, hours), cron(schedule), null, NOW)).toBe(hidden)
  })

  test('is compared in the zones of both schedules', () => {
    expect(hiddenRuns(times('0 22 * * *', 2), cron('30 0 * * *', 1, 'Europe/Riga'), null, NOW)).toBe('runs')
    expect(hiddenRuns(times('0 22 * * *', 2), cron('30 22 * * *', 1, 'Europe/Riga'), null, NOW)).toBeNull()
  })

  test('hides every run of a check whose period meets it each day', () => {
    const lastPing = Temporal.Instant.from('2026-11-23T22:30:00Z')
    expect(hiddenRuns(times('0 22 * * *', 2), every(24), lastPing, NOW)).toBe('runs')
    expect(hiddenRuns(times('0 22 * * *', 2), every(12), lastPing, NOW)).toBeNull()
    expect(hiddenRuns(times('0 22 * * *', 2), every(24), null, NOW)).toBeNull()
  })

  test('hides runs up to its last day, if there are several', () => {
    const until = (day: string) => times('0 22 * * *', 2, `2026-11-${day}T00:00:00Z`)
    expect(hiddenRuns(until('27'), cron('30 22 * * *'), null, NOW)).toBe('runs')
    expect(hiddenRuns(until('25'), cron('30 22 * * *'), null, NOW)).toBeNull()
  })

  test('hides nothing of a schedule that has no run left', () => {
    const over = { ...cron('2026-01-01 00:00'), kind: 'oncalendar' } as const
    expect(hiddenRuns(times('0 22 * * *', 2), over, null, NOW)).toBeNull()
  })
})

test('a mute that is not repeated hides nothing for long', () => {
  const once = { ...times('', 0, '2026-12-20T00:00:00Z'), window: null }
  expect(hiddenRuns(once, cron('30 22 * * *'), null, NOW)).toBeNull()
})
