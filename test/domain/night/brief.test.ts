/** Summary of a night. It is the morning of 17 November 2026, in UTC. */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { briefOf, isFine, shortRows } from '../../../src/domain/night/brief.ts'
import { comingRuns } from '../../../src/domain/night/coming.ts'
import { nightOfRows } from '../../../src/domain/night/night.ts'
import { type Comb, type NightRow, nightRow } from '../../../src/domain/night/row.ts'
import { latestHours, nightOf } from '../../../src/domain/night/window.ts'
import type { PlotRun } from '../../../src/domain/rhythm-plot/facts.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { atOnce } from '../../../src/lib/work/at-once.ts'
import { aCheck } from '../../support/builders.ts'

const WINDOW = nightOf(Temporal.PlainDate.from('2026-11-16'), 'UTC')
const instant = (clock: string) => Temporal.Instant.from(`2026-11-17T${clock}:00Z`)
const at = (clock: string) => instant(clock).epochMilliseconds
const NOW = at('09:42')

/** A check that is due daily at that hour, with the result of its run. */
function due(name: string, clock: string, kind: PlotRun['kind'], more: Partial<Check> = {}) {
  const [hour, minute] = clock.split(':').map(Number)
  const settings = { name, kind: 'cron', schedule: `${minute} ${hour} * * *`, tz: 'UTC', status: 'up' } as const
  const check = aCheck({ ...settings, lastPingAt: instant(clock), ...more })
  const began = at(clock)
  const run: PlotRun = { kind, began, ended: began + 60_000, isTimed: true, n: 1, due: kind === 'ran' ? null : began }
  return nightRow(check, { runs: [run], sender: null, usual: null }, WINDOW, NOW)
}

/** A check that runs every ten minutes, and was silent from an instant on. */
function silent(name: string, from: string, sender: string) {
  const check = aCheck({ name, kind: 'simple', timeoutSeconds: 600, status: 'down', lastPingAt: instant(from) })
  const began = at(from)
  const run: PlotRun = { kind: 'missing', began, ended: began, isTimed: false, n: 0, due: began }
  return nightRow(check, { runs: [run], sender, usual: null }, WINDOW, NOW)
}

const nightWith = (...rows: ReturnType<typeof due>[]) =>
  atOnce(nightOfRows([{ place: 'Books', rows, silences: [] }], WINDOW, NOW))
const namesOf = (rows: readonly { readonly row: { readonly check: Check } }[]) => rows.map(({ row }) => row.check.name)

test('has only what was not as expected, by its first expected start, and counts the rest', () => {
  const brief = briefOf(
    nightWith(due('Late', '05:00', 'late'), due('Fine', '04:00', 'ran'), due('Missing', '02:00', 'missing')),
  )
  expect(namesOf(brief.troubles)).toEqual(['Missing', 'Late'])
  expect([brief.calm.expected, brief.moreTroubles, isFine(brief)]).toEqual([1, 0, false])
  expect(isFine(briefOf(nightWith(due('Fine', '04:00', 'ran'))))).toBe(true)
})

test('counts what goes on, and what is to come, apart', () => {
  const now = at('03:30')
  const coming = (name: string, hour: number, lastStartAt: Temporal.Instant | null = null) => {
    const settings = { name, kind: 'cron', schedule: `0 ${hour} * * *`, tz: 'UTC', status: 'up', lastStartAt } as const
    const check = aCheck({ ...settings, lastPingAt: Temporal.Instant.from(`2026-11-16T0${hour}:01:00Z`) })
    return nightRow(check, { runs: [], sender: null, usual: null }, WINDOW, now)
  }
  const rows = [due('Fine', '02:00', 'ran'), coming('Going', 3, instant('03:00')), coming('A', 4), coming('B', 5)]
  const { calm } = briefOf(atOnce(nightOfRows([{ place: 'Books', rows, silences: [] }], WINDOW, now)))
  expect(calm).toEqual({ expected: 1, running: 1, toCome: 2 })
})

test('has at most twenty rows, and counts the others', () => {
  const rows = Array.from({ length: 23 }, (_, n) => due(`Job ${n}`, '03:00', 'failed'))
  const brief = briefOf(nightWith(...rows))
  expect([brief.troubles.length, brief.moreTroubles]).toEqual([20, 3])
})

test('checks that were silent together are one line', () => {
  const brief = briefOf(
    nightWith(
      silent('A', '02:12', '192.0.2.41'),
      silent('B', '02:13', '192.0.2.41'),
      silent('C', '02:30', '192.0.2.7'),
    ),
  )
  expect(brief.together.map(({ rows, by }) => [rows.length, by.text])).toEqual([[2, '192.0.2.41']])
  expect(namesOf(brief.troubles)).toEqual(['C'])
})

test('a check that was silent with others has a row when it failed, too, or was silent alone', () => {
  const together = silent('A', '02:12', '192.0.2.41')
  const failed = withComb(silent('B', '02:13', '192.0.2.41'), (comb) => ({ ...comb, failed: [at('01:00')] }))
  const twice = withComb(silent('C', '02:12', '192.0.2.41'), (comb) => ({
    ...comb,
    silences: [{ from: at('00:10'), until: at('00:30') }, ...comb.silences],
  }))
  const brief = briefOf(nightWith(together, failed, twice))
  expect(brief.together.map(({ rows }) => rows.length)).toEqual([3])
  expect(namesOf(brief.troubles)).toEqual(['B', 'C'])
})

function withComb(row: NightRow, over: (comb: Comb) => Comb): NightRow {
  return { ...row, comb: row.comb && over(row.comb) }
}

describe('the rows of a wall', () => {
  const calm = (expected: number) => ({ expected, running: 0, toCome: 0 })
  const rows = [due('Fine', '02:00', 'ran'), due('Missing', '04:00', 'missing'), due('Later', '05:00', 'ran')]
  const [group] = nightWith(...rows).groups
  const short = (most: number) => {
    const { rows: shown = [], ...more } = group ? shortRows(group, most) : {}
    return [shown.map(({ check }) => check.name), more] as const
  }

  test('stand by their first expected start', () => {
    expect(short(3)).toEqual([['Fine', 'Missing', 'Later'], { moreTroubles: 0, moreCalm: calm(0) }])
  })

  test('begin with those that were not as expected when there are too many', () => {
    expect(short(2)).toEqual([['Missing', 'Fine'], { moreTroubles: 0, moreCalm: calm(1) }])
    expect(short(0)).toEqual([[], { moreTroubles: 1, moreCalm: calm(2) }])
  })

  test('are drawn on fourteen hours, the last of which is the present one', () => {
    const { from, until, hours } = latestHours(NOW, 'Europe/Riga')
    expect([from, until]).toEqual([at('10:00') - 14 * 3_600_000, at('10:00')])
    expect([hours[0], hours.at(-1)]).toEqual([22, 12])
  })
})

describe('what is expected next', () => {
  const next = (...rows: ReturnType<typeof due>[]) =>
    comingRuns(nightWith(...rows)).map(({ check, at: when, isRunning }) => [
      check.name,
      when.toString().slice(11, 16),
      isRunning,
    ])

  test('are the first five, those that run with the time by which they end', () => {
    const running = { lastStartAt: instant('09:30'), graceSeconds: 3_600 }
    const many = Array.from({ length: 5 }, (_, n) => due(`Job ${n}`, `0${n}:00`, 'ran'))
    expect(next(...many, due('Running', '05:00', 'ran', running))).toEqual([
      ['Running', '10:30', true],
      ...[0, 1, 2, 3].map((n) => [`Job ${n}`, `0${n}:00`, false]),
    ])
  })

  test('are without those that are down or paused', () => {
    expect(next(due('Down', '02:00', 'missing', { status: 'down' }), due('Fine', '03:00', 'ran'))).toEqual([
      ['Fine', '03:00', false],
    ])
  })

  test('are those that run all the time only where no other is', () => {
    const often = () => silent('Often', '09:40', '192.0.2.1')
    const up = { ...often(), check: { ...often().check, status: 'up' as const } }
    expect(next(up)).toEqual([['Often', '09:50', false]])
    expect(next(up, due('Rare', '03:00', 'ran'))).toEqual([['Rare', '03:00', false]])
  })
})
