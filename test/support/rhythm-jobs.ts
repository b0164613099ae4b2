/** Jobs whose rhythm shows what is wrong with them, as checks that received their pings. It is 17 November 2026, 09:42 in Riga. */
import type { Check } from '../../src/domain/check/check.ts'
import type { Flip } from '../../src/domain/check/flip.ts'
import { flipIfOverdue } from '../../src/domain/check/status.ts'
import { usualOf } from '../../src/domain/check/usual-duration.ts'
import type { TimelinePing } from '../../src/domain/log/log-timeline.ts'
import { pairRuns } from '../../src/domain/log/runs.ts'
import { receive } from '../../src/domain/ping/ping.ts'
import type { RhythmFacts } from '../../src/domain/rhythm-plot/facts.ts'
import { plotRuns } from '../../src/domain/rhythm-plot/plot-runs.ts'
import { countDays } from '../../src/domain/run/count-days.ts'
import type { DayRuns } from '../../src/domain/run/day-runs.ts'
import { nextMilliseconds } from '../../src/domain/schedule/schedule.ts'
import { Temporal } from '../../src/lib/time.ts'
import { atOnce } from '../../src/lib/work/at-once.ts'
import { aCheck, aSignal } from './builders.ts'

export const MORNING = Date.parse('2026-11-17T07:42:00Z')
const MINUTE = 60_000
export const DAY = 86_400_000

interface Came {
  /** milliseconds at its begin */
  readonly at: number
  /** minutes; 0 sends no start */
  readonly takes: number
  readonly fails?: boolean
}

export interface RhythmJob {
  readonly name: string
  readonly settings: Partial<Check>
  readonly runs: readonly Came[]
}

/** Returns the times of a cron expression in the last days before {@link MORNING}. */
export function times(schedule: string, tz: string, days: number): readonly number[] {
  const found: number[] = []
  let at = nextMilliseconds(schedule, tz, MORNING - days * DAY)
  for (; at !== null && at <= MORNING; at = nextMilliseconds(schedule, tz, at)) found.push(at)
  return found
}

/** Returns a number from 0 to 1, always the same for the same argument. */
function chance(number: number): number {
  return Math.abs(Math.sin(number * 12.9898) * 43_758.5453) % 1
}

const daily = (schedule: string, tz: string, graceMinutes: number): Partial<Check> => ({
  kind: 'cron',
  schedule,
  tz,
  graceSeconds: graceMinutes * 60,
})
const isWeekend = (at: number) => new Date(at).getUTCDay() % 6 === 0

export const RHYTHM_JOBS = {
  healthy: {
    name: 'Nightly database backup',
    settings: daily('0 2 * * *', 'Europe/Riga', 45),
    runs: times('0 2 * * *', 'Europe/Riga', 40)
      .filter((_, index) => index !== 25)
      .map((at, index, { length }) => ({
        at: at + 20_000,
        takes: index === length - 1 ? 38 : 24 + 7 * chance(index),
        fails: index === 18,
      })),
  },
  shifted: {
    name: 'Wholesale price list',
    settings: daily('0 3 * * *', 'Europe/Berlin', 30),
    runs: times('0 3 * * *', 'UTC', 40)
      .filter((_, index) => index !== 26)
      .map((at, index) => ({ at: at + 30_000, takes: 7 + 4 * chance(index) })),
  },
  slow: {
    name: 'Media library copy',
    settings: daily('0 1 * * *', 'Europe/Riga', 60),
    runs: times('0 1 * * *', 'Europe/Riga', 40).map((at, index) => ({
      at,
      takes: index % 6 === 2 ? 52 : 62 + 25 * chance(index),
    })),
  },
  weekdays: {
    name: 'Send invoices',
    settings: daily('0 18 * * *', 'Europe/Riga', 60),
    runs: times('0 18 * * *', 'Europe/Riga', 40)
      .filter((at) => !isWeekend(at))
      .map((at, index) => ({ at: at + 5_000, takes: 1 + chance(index) })),
  },
  frequent: {
    name: 'Image thumbnails',
    settings: { kind: 'simple', timeoutSeconds: 86_400, graceSeconds: 3_600 } as const,
    runs: times('*/5 * * * *', 'UTC', 3)
      .filter((at) => at < MORNING - 2 * DAY || at > MORNING - 2 * DAY + 430 * MINUTE)
      .map((at) => ({ at, takes: 0 })),
  },
  flapping: {
    name: 'Publisher feeds (ONIX)',
    settings: daily('0 */4 * * *', 'Europe/Riga', 60),
    runs: times('0 */4 * * *', 'Europe/Riga', 30).map((at, index) => ({
      at: at + 2_000,
      takes: 3,
      fails: at > MORNING - 11 * DAY && index % 2 === 0,
    })),
  },
  weekly: {
    name: 'Restore drill (staging)',
    settings: daily('0 5 * * 0', 'Europe/Riga', 360),
    runs: times('0 5 * * 0', 'Europe/Riga', 95)
      .filter((_, index) => index !== 4)
      .map((at, index) => ({ at: at + 60_000, takes: 40, fails: index === 9 })),
  },
} as const satisfies Record<string, RhythmJob>

export interface RhythmHistory {
  readonly check: Check
  /** newest first */
  readonly pings: readonly TimelinePing[]
  /** newest first */
  readonly flips: readonly Flip[]
}

/** Judges the pings of a job by the rules. Before each ping, overdue flips are made, as the loop does. */
export function historyOf({ name, settings, runs }: RhythmJob): RhythmHistory {
  let check = aCheck({ name, ...settings, createdAt: Temporal.Instant.fromEpochMilliseconds(MORNING - 120 * DAY) })
  const pings: (TimelinePing & { rid: string | null })[] = []
  const flips: Flip[] = []
  const lookAt = (now: Temporal.Instant) => {
    const overdue = flipIfOverdue(check, now)
    if (!overdue) return
    check = { ...check, ...overdue.check }
    flips.unshift(overdue.flip)
  }
  const ping = (action: 'start' | 'success' | 'fail', at: number) => {
    const now = Temporal.Instant.fromEpochMilliseconds(Math.round(at))
    lookAt(now)
    const received = receive(check, aSignal({ action }), now)
    check = { ...check, ...received.check }
    pings.unshift({ ...received.ping, duration: null })
    if (received.flip) flips.unshift(received.flip)
  }
  for (const { at, takes, fails = false } of runs) {
    if (takes > 0) ping('start', at)
    ping(fails ? 'fail' : 'success', at + takes * MINUTE)
  }
  lookAt(Temporal.Instant.fromEpochMilliseconds(MORNING))
  const durations = pairRuns(pings.toReversed())
  return { check, flips, pings: pings.map((each) => ({ ...each, duration: durations.get(each.n) ?? null })) }
}

export function factsOf(job: RhythmJob, over: Partial<RhythmFacts> = {}): RhythmFacts {
  const { check, pings, flips } = historyOf(job)
  const { kind, timeoutSeconds, schedule, tz, graceSeconds, createdAt } = check
  const timing = { kind, timeoutSeconds, schedule, tz, graceSeconds, since: createdAt.epochMilliseconds }
  const now = Temporal.Instant.fromEpochMilliseconds(MORNING)
  const runs = plotRuns({ check, pings, flips, usual: usualOf(check) }, [timing], now)
  return { timings: [timing], runs, days: [], pauses: [], outages: [], muted: [], ...over }
}

/** Counts the days of a job, as they are stored. */
export function daysOf(job: RhythmJob): readonly DayRuns[] {
  const { check } = historyOf(job)
  const runs = job.runs.map(({ at, takes, fails = false }) => ({
    ...{ began: Math.round(at), ended: Math.round(at + takes * MINUTE), hasFailed: fails },
    duration: takes === 0 ? null : Math.round(takes * MINUTE),
  }))
  return atOnce(countDays(check, runs, runs.length, { away: [], changedAt: 0 }))
}
