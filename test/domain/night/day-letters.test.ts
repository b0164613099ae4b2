/** The last 24 hours as letters. It is 09:42 on 17 November 2026 in Riga, which is two hours ahead of UTC. */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { dayLetters, dayWords, quarterOf } from '../../../src/domain/night/day-letters.ts'
import { nightRow } from '../../../src/domain/night/row.ts'
import { latestDay } from '../../../src/domain/night/window.ts'
import type { PlotRun } from '../../../src/domain/rhythm-plot/facts.ts'
import type { Stretch } from '../../../src/domain/stretch.ts'
import { HOUR, MINUTE } from '../../../src/domain/units.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { aCheck } from '../../support/builders.ts'
import { SeededRandom } from '../../support/seeded-random.ts'

const RIGA = 'Europe/Riga'
const NOW = Date.parse('2026-11-17T07:42:00Z')
const WINDOW = latestDay(NOW, RIGA)
const QUARTER = 15 * MINUTE
const instant = (at: number) => Temporal.Instant.fromEpochMilliseconds(at)
/** Returns a time of the window, such as `+02:30`, two and a half hours after its beginning at 10:00. */
const after = (clock: string) => WINDOW.from + (Number(clock.slice(1, 3)) * 60 + Number(clock.slice(4))) * MINUTE

const HOURLY: Partial<Check> = {
  kind: 'cron',
  schedule: '0 * * * *',
  tz: 'UTC',
  graceSeconds: 600,
  status: 'up',
  createdAt: instant(NOW - 30 * 24 * HOUR),
}
const EVERY_FIVE: Partial<Check> = { ...HOURLY, kind: 'simple', timeoutSeconds: 300, graceSeconds: 300 }

function run(kind: PlotRun['kind'], began: number, ended = began, due: number | null = null): PlotRun {
  return { kind, began, ended, isTimed: ended > began, n: 1, due }
}
function rowOf(settings: Partial<Check>, runs: readonly PlotRun[], pauses: readonly Stretch[] = []) {
  return nightRow(aCheck(settings), { runs, sender: null, usual: null, pauses }, WINDOW, NOW)
}
const letters = (...given: Parameters<typeof rowOf>) => dayLetters(rowOf(...given), WINDOW, NOW)
/** Returns letters other than `.`, each with the quarter hours in which it begins and ends. */
const marks = (text: string) =>
  [...text.matchAll(/([^.])\1*/g)].map(({ 0: all, 1: letter, index }) => `${letter}${index}-${index + all.length}`)

describe('a check that runs hourly at most', () => {
  test('has a letter for each quarter hour from the full hour before to the present one', () => {
    expect(letters(HOURLY, [])).toBe('.'.repeat(95))
    expect(quarterOf(NOW) - quarterOf(WINDOW.from)).toBe(94)
  })

  test('shows a run for as long as it took, and the worst of a quarter hour', () => {
    expect(marks(letters(HOURLY, [run('ran', after('+01:00'), after('+01:20'))]))).toEqual(['r4-6'])
    expect(marks(letters(HOURLY, [run('slow', after('+01:00'), after('+01:20'))]))).toEqual(['s4-6'])
    expect(marks(letters(HOURLY, [run('late', after('+02:20'), after('+02:20'), after('+02:00'))]))).toEqual(['L9-10'])
    expect(marks(letters(HOURLY, [run('failed', after('+03:00'), after('+03:40'))]))).toEqual(['r12-14', 'F14-15'])
    const both = [run('ran', after('+01:00')), run('failed', after('+02:00')), run('ran', after('+03:00'))]
    expect(marks(letters(HOURLY, both))).toEqual(['r4-5', 'F8-9', 'r12-13'])
  })

  test('is missing from its time to the end of its grace time, and no longer', () => {
    const missing = run('missing', after('+18:00'), after('+19:00'), after('+18:00'))
    expect(marks(letters({ ...HOURLY, graceSeconds: 3_600 }, [missing]))).toEqual(['M72-76'])
  })

  test('shows nothing of what lies outside, and the inside of what reaches over the edge', () => {
    const before = run('ran', WINDOW.from - HOUR, WINDOW.from - MINUTE)
    expect(marks(letters(HOURLY, [before]))).toEqual([])
    const pause = { from: WINDOW.from - HOUR, until: after('+01:00') }
    expect(marks(letters(HOURLY, [], [pause]))).toEqual(['p0-4'])
  })

  test('shows the run that goes on, and a pause, up to now', () => {
    const came = instant(after('+23:00'))
    const running = { ...HOURLY, lastPingAt: came, lastSuccessAt: came, lastStartAt: instant(after('+23:35')) }
    expect(marks(letters(running, []))).toEqual(['r92-93', 'n94-95'])
    expect(marks(letters({ ...HOURLY, status: 'paused' }, [], [{ from: after('+20:00'), until: NOW }]))).toEqual([
      'p80-95',
    ])
  })

  test('shows a ping that came after the row was made, a failure too', () => {
    const row = rowOf({ ...HOURLY, lastPingAt: null }, [])
    const at = instant(after('+23:30'))
    const withPing = (lastSuccessAt: Temporal.Instant | null) => ({
      ...row,
      check: { ...row.check, lastPingAt: at, lastSuccessAt },
    })
    expect(marks(dayLetters(withPing(at), WINDOW, NOW))).toEqual(['r94-95'])
    expect(marks(dayLetters(withPing(null), WINDOW, NOW))).toEqual(['F94-95'])
  })

  test('has words: what went wrong, or that nothing was due', () => {
    expect(dayWords(rowOf(HOURLY, [run('failed', after('+03:00'))]), NOW, RIGA)).toBe('failed 13:00')
    expect(dayWords(rowOf({ ...HOURLY, schedule: '0 5 1 1 *' }, []), NOW, RIGA)).toBe('nothing was due')
    const paused = rowOf({ ...HOURLY, schedule: '0 5 1 1 *' }, [], [{ from: after('+20:00'), until: NOW }])
    expect(dayWords(paused, NOW, RIGA)).toBe('paused from 06:00')
  })
})

describe('a check that runs all the time', () => {
  const runs = (from: number, until: number) =>
    Array.from({ length: (until - from) / (5 * MINUTE) }, (_, index) => run('ran', from + index * 5 * MINUTE))

  test('ran wherever nothing says otherwise', () => {
    const failed = run('failed', after('+10:01'))
    const all = [...runs(WINDOW.from - HOUR, after('+10:00')), failed, ...runs(after('+10:05'), NOW)]
    expect(marks(letters(EVERY_FIVE, all))).toEqual(['r0-40', 'F40-41', 'r41-95'])
  })

  test('is missing while it is silent; while nobody knows until when, with another letter', () => {
    const gap = run('missing', after('+05:00'), after('+05:05'), after('+05:00'))
    const before = [...runs(WINDOW.from - HOUR, after('+05:00')), gap]
    expect(marks(letters(EVERY_FIVE, [...before, ...runs(after('+06:00'), NOW)]))).toEqual([
      'r0-20',
      'M20-24',
      'r24-95',
    ])
    expect(marks(letters({ ...EVERY_FIVE, status: 'down' }, before))).toEqual(['r0-20', 'm20-95'])
  })

  test('does not run in a pause, of which whole quarter hours are shown', () => {
    const pause = { from: after('+05:05'), until: after('+06:05') }
    const all = [...runs(WINDOW.from - HOUR, after('+05:05')), ...runs(after('+06:05'), NOW)]
    expect(marks(letters(EVERY_FIVE, all, [pause]))).toEqual(['r0-21', 'p21-24', 'r24-95'])
  })
})

test('the letters of any history are those that each quarter hour has by itself', () => {
  const kinds = ['ran', 'slow', 'late', 'failed', 'missing', 'none'] as const
  for (let seed = 0; seed < 200; seed += 1) {
    const random = new SeededRandom(seed)
    const grace = 1 + random.integer(49)
    const runs: PlotRun[] = []
    for (let due = WINDOW.from - 3 * HOUR; due + grace * MINUTE < NOW; due += HOUR) {
      const kind = kinds[random.integer(kinds.length - 1)] ?? 'none'
      if (kind === 'none') continue
      const began = due + random.integer(9) * MINUTE
      const ended = began + random.integer(45) * MINUTE
      runs.push(kind === 'missing' ? run(kind, due, due + grace * MINUTE, due) : run(kind, began, ended, due))
    }
    const slowly = Array.from({ length: 95 }, (_, index) => {
      const from = WINDOW.from + index * QUARTER
      const until = from + QUARTER
      const within = (at: number) => at >= from && at < until
      const covers = ({ began, ended }: PlotRun) => within(began) || (began < until && ended > from)
      // A run belongs to the night in which it was due.
      const seen = runs.filter(({ due }) => (due ?? 0) >= WINDOW.from)
      const has = (kind: PlotRun['kind']) => seen.some((each) => each.kind === kind && covers(each))
      if (seen.some(({ kind, ended }) => kind === 'failed' && within(ended))) return 'F'
      if (has('missing')) return 'M'
      if (has('late')) return 'L'
      if (has('slow')) return 's'
      return has('ran') || has('failed') ? 'r' : '.'
    })
    expect(letters({ ...HOURLY, graceSeconds: grace * 60 }, runs)).toBe(slowly.join(''))
  }
})
