/** Runs of a log, counted by day. */
import { describe, expect, test } from 'bun:test'
import type { Timing } from '../../../src/domain/check/slots.ts'
import { type CountedRun, countDays, oldestDay } from '../../../src/domain/run/count-days.ts'
import { MINUTES, packedMinutes, unpackedMinutes } from '../../../src/domain/run/day-minutes.ts'
import { addedDay } from '../../../src/domain/run/day-runs.ts'
import { Temporal } from '../../../src/lib/time.ts'

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
const brief = (days: ReturnType<typeof countDays>) =>
  days.map(({ day, runs, failed, missed, minutes }) => [day, runs, failed, missed, unpackedMinutes(minutes)])

describe('the days of runs', () => {
  test('are those of the zone of the check, also when its clocks change', () => {
    const runs = [run('2026-03-28T22:30:00Z'), run('2026-03-29T00:30:00Z'), run('2026-03-29T21:30:00Z')]
    expect(brief(countDays({ ...NIGHTLY, kind: 'simple' }, runs, 3, ALWAYS))).toEqual([
      ['2026-03-29', 2, 0, 0, [30, 150]],
      ['2026-03-30', 1, 0, 0, [30]],
    ])
  })

  test('count only the newest runs, and what was missed before each on its own day', () => {
    const runs = [run('2026-05-01T00:00:30Z'), run('2026-05-04T00:00:30Z', { hasFailed: true })]
    expect(brief(countDays(NIGHTLY, runs, 1, ALWAYS))).toEqual([
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
      expect(brief(countDays(NIGHTLY, runs, 1, judged))).toEqual([['2026-05-04', 1, 0, 0, [180]]])
    }
  })

  test('have the begin of the first and last run, and the longest duration', () => {
    const began = ms('2026-05-01T00:00:00Z')
    const [day] = countDays(NIGHTLY, [run('2026-05-01T01:00:00Z', { began, duration: 3_600_000 })], 1, ALWAYS)
    const [other] = countDays(NIGHTLY, [run('2026-05-01T09:00:00Z')], 1, ALWAYS)
    if (!day || !other) throw new Error('no day')
    expect(addedDay(day, other)).toMatchObject({ runs: 2, longest: 3_600_000_000 })
    expect(String(addedDay(day, other).firstAt)).toBe('2026-05-01T00:00:00Z')
    expect(String(addedDay(other, day).lastAt)).toBe('2026-05-01T09:00:00Z')
    expect(unpackedMinutes(addedDay(day, other).minutes)).toEqual([180, 720])
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
