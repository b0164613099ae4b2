/** Runs of a log, counted by day. */
import { describe, expect, test } from 'bun:test'
import type { Timing } from '../../../src/domain/check/slots.ts'
import { type CountedRun, countDays, oldestDay } from '../../../src/domain/run/count-days.ts'
import { MINUTES, packedMinutes, unpackedMinutes } from '../../../src/domain/run/day-minutes.ts'
import { addedDay, type DayRuns } from '../../../src/domain/run/day-runs.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { atOnce } from '../../../src/lib/work/at-once.ts'

const NIGHTLY: Timing = { kind: 'cron', timeoutSeconds: 86_400, schedule: '0 3 * * *', tz: 'Europe/Riga' }
const ALWAYS = { away: [], changedAt: 0 }

const ms = (text: string) => Temporal.Instant.from(text).epochMilliseconds
const run = (ended: string, over: Partial<CountedRun> = {}): CountedRun => ({
  began: ms(ended),
  ended: ms(ended),
  duration: null,
  hasFailed: false,
  ...over,
})
function counted(...given: Parameters<typeof countDays>): readonly DayRuns[] {
  return atOnce(countDays(...given))
}
const brief = (days: ReturnType<typeof counted>) =>
  days.map(({ day, runs, failed, missed, minutes }) => [day, runs, failed, missed, unpackedMinutes(minutes)])

describe('the days of runs', () => {
  test('are those of the zone of the check, also when its clocks change', () => {
    const runs = [run('2026-03-28T22:30:00Z'), run('2026-03-29T00:30:00Z'), run('2026-03-29T21:30:00Z')]
    expect(brief(counted({ ...NIGHTLY, kind: 'simple' }, runs, 3, ALWAYS))).toEqual([
      ['2026-03-29', 2, 0, 0, [30, 150]],
      ['2026-03-30', 1, 0, 0, [30]],
    ])
  })

  test('count only the newest runs, and what was missed before each on its own day', () => {
    const runs = [run('2026-05-01T00:00:30Z'), run('2026-05-04T00:00:30Z', { hasFailed: true })]
    expect(brief(counted(NIGHTLY, runs, 1, ALWAYS))).toEqual([
      ['2026-05-02', 0, 0, 1, []],
      ['2026-05-03', 0, 0, 1, []],
      ['2026-05-04', 1, 1, 0, [180]],
    ])
  })

  test('miss nothing in a pause, an outage, or under other settings', () => {
    const runs = [run('2026-05-01T00:00:30Z'), run('2026-05-04T00:00:30Z')]
    const pause = { from: ms('2026-05-01T12:00:00Z'), until: ms('2026-05-02T12:00:00Z') }
    for (const judged of [
      { away: [pause], changedAt: 0 },
      { away: [], changedAt: ms('2026-05-02T00:00:00Z') },
    ]) {
      expect(brief(counted(NIGHTLY, runs, 1, judged))).toEqual([['2026-05-04', 1, 0, 0, [180]]])
    }
  })

  test('have the begin of the first and last run, and the longest duration', () => {
    const began = ms('2026-05-01T00:00:00Z')
    const [day] = counted(NIGHTLY, [run('2026-05-01T01:00:00Z', { began, duration: 3_600_000 })], 1, ALWAYS)
    const [other] = counted(NIGHTLY, [run('2026-05-01T09:00:00Z')], 1, ALWAYS)
    if (!day || !other) throw new Error('no day')
    expect(addedDay(day, other)).toMatchObject({ runs: 2, longest: 3_600_000_000 })
    expect(String(addedDay(day, other).firstAt)).toBe('2026-05-01T00:00:00Z')
    expect(String(addedDay(other, day).lastAt)).toBe('2026-05-01T09:00:00Z')
    expect(unpackedMinutes(addedDay(day, other).minutes)).toEqual([180, 720])
  })

  test('are counted soon, however many slots are missed', () => {
    const runs = Array.from({ length: 100 }, (_, day) =>
      run(new Date(Date.UTC(2026, 3, 1 + day, 3, 0, 30)).toISOString()),
    )
    for (const schedule of ['* * * * *', '*:*:0/10']) {
      const kind = schedule.startsWith('*:') ? 'oncalendar' : 'cron'
      const began = performance.now()
      const days = counted({ ...NIGHTLY, kind, schedule }, runs, 100, ALWAYS)
      expect(performance.now() - began).toBeLessThan(500)
      if (kind === 'cron') expect(days[1]?.missed).toBe(1_439)
    }
  })

  test('miss the same slots around changes of the clocks as on other days', () => {
    const missed = (schedule: string, from: string, until: string) =>
      counted({ ...NIGHTLY, schedule }, [run(from), run(until)], 1, ALWAYS).map((day) => [day.day, day.missed])
    const hourly = missed('0 * * * *', '2026-03-28T12:30:00Z', '2026-03-31T12:30:00Z')
    expect(hourly).toEqual([
      ['2026-03-28', 9],
      ['2026-03-29', 23],
      ['2026-03-30', 24],
      ['2026-03-31', 15],
    ])
    const repeated = missed('0 * * * *', '2026-10-24T12:30:00Z', '2026-10-26T12:30:00Z')
    expect(repeated).toEqual([
      ['2026-10-24', 8],
      ['2026-10-25', 25],
      ['2026-10-26', 14],
    ])
    expect(missed('30 3 * * *', '2026-03-28T12:30:00Z', '2026-03-31T12:30:00Z')).toEqual([
      ['2026-03-29', 1],
      ['2026-03-30', 1],
      ['2026-03-31', 0],
    ])
  })

  test('are those of UTC in a zone that has left the zone data', () => {
    const runs = [run('2026-05-01T00:00:30Z'), run('2026-05-02T00:00:30Z')]
    expect(brief(counted({ ...NIGHTLY, tz: 'Left/The_Zone_Data' }, runs, 2, ALWAYS))).toEqual([
      ['2026-05-01', 1, 0, 0, [0]],
      ['2026-05-02', 1, 0, 0, [0]],
    ])
    expect(oldestDay('Left/The_Zone_Data', Temporal.Instant.from('2026-05-31T22:00:00Z'))).toBe('2026-03-02')
  })

  test('of ninety days are kept', () => {
    expect(oldestDay('Europe/Riga', Temporal.Instant.from('2026-05-31T22:00:00Z'))).toBe('2026-03-03')
  })
})

describe('the minutes of a day', () => {
  test('are packed without loss, few or many, in at most 180 bytes', () => {
    for (const every of [1, 7, 16, 17, 500]) {
      const minutes = Array.from({ length: MINUTES }, (_, minute) => minute).filter((minute) => minute % every === 0)
      const packed = packedMinutes(minutes.toReversed())
      expect(packed.length).toBeLessThanOrEqual(180)
      expect(unpackedMinutes(packed)).toEqual(minutes)
    }
    expect(packedMinutes([180, 180])).toHaveLength(2)
    expect(unpackedMinutes(packedMinutes([]))).toEqual([])
  })
})
