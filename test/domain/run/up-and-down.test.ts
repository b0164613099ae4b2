import { expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Flip } from '../../../src/domain/check/flip.ts'
import { type Downtime, uptimePercent } from '../../../src/domain/run/downtime.ts'
import { createUpAndDown, upAndDownCalendar } from '../../../src/domain/run/up-and-down.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { aCheck, aFlip } from '../../support/builders.ts'

const instant = (text: string) => Temporal.Instant.from(text)
const NOW = instant('2026-03-04T12:00:00Z')

function upAndDown(check: Partial<Check>, flips: readonly Flip[], tz = 'UTC') {
  const watched = aCheck({ createdAt: instant('2025-01-01T00:00:00Z'), ...check })
  const tally = createUpAndDown(watched, upAndDownCalendar(tz, NOW), NOW)
  tally.add(flips)
  return tally.result()
}

const percent = (downtime: Downtime | null) => downtime && uptimePercent(downtime)
const down = (text: string) => aFlip({ createdAt: instant(text) })
const up = (text: string) => aFlip({ createdAt: instant(text), oldStatus: 'down', newStatus: 'up', reason: '' })

test('has ninety days, of which the last is today, and three months', () => {
  const { days, months, total } = upAndDown({ status: 'up' }, [])
  expect(days).toHaveLength(90)
  expect([days[0]?.day.toString(), days.at(-1)?.day.toString()]).toEqual(['2025-12-05', '2026-03-04'])
  expect(days.every(({ look }) => look === 'up')).toBeTrue()
  expect(months.map(({ month, downtime }) => [month.toString(), percent(downtime)])).toEqual([
    ['2026-01-01', '100.00'],
    ['2026-02-01', '100.00'],
    ['2026-03-01', '100.00'],
  ])
  expect([total?.count, total?.microseconds, percent(total)]).toEqual([0, 0, '100.00'])
})

test('a day is partly down up to its half, and down beyond', () => {
  const flips = [
    up('2026-03-02T12:00:00.000001Z'),
    down('2026-03-02T00:00:00Z'),
    up('2026-03-01T12:00:00Z'),
    down('2026-03-01T00:00:00Z'),
  ]
  const { days, total, months } = upAndDown({ status: 'up' }, flips)
  expect(days.slice(-4).map(({ look }) => look)).toEqual(['partly', 'down', 'up', 'up'])
  expect(total?.count).toBe(2)
  expect(percent(months.at(-1)?.downtime ?? null)).toBe('71.42')
})

test('today is down while the check is', () => {
  const { days, total } = upAndDown({ status: 'down' }, [down('2026-03-04T11:00:00Z')])
  expect(days.slice(-2).map(({ look }) => look)).toEqual(['up', 'down'])
  expect([total?.microseconds, percent(total)]).toEqual([3_600_000_000, '99.95'])
})

test('time before the first ping counts as nothing', () => {
  const never = upAndDown({ status: 'new', nEvents: 0 }, [])
  expect(never.days.every(({ look }) => look === null)).toBeTrue()
  expect(never.months.map(({ downtime }) => downtime)).toEqual([null, null, null])
  expect(never.total).toBeNull()
  const first = aFlip({
    n: 1,
    createdAt: instant('2026-03-03T12:00:00Z'),
    oldStatus: 'new',
    newStatus: 'up',
    reason: '',
  })
  const { days, total, months } = upAndDown({ status: 'up', nEvents: 1 }, [first])
  expect(days.slice(-3).map(({ look }) => look)).toEqual([null, 'up', 'up'])
  expect([total, ...months.map(({ downtime }) => downtime)].map(percent)).toEqual(['100.00', null, null, '100.00'])
})

test('a check that waits for a ping again after a pause has been watched', () => {
  const resumed = aFlip({ n: 3, createdAt: instant('2026-03-04T10:00:00Z'), oldStatus: 'paused', newStatus: 'new' })
  expect(percent(upAndDown({ status: 'new', nEvents: 3 }, [resumed]).total)).toBe('100.00')
})

test('time before the check was created counts as nothing', () => {
  const { days, months, total } = upAndDown({ status: 'down', createdAt: instant('2026-03-02T12:00:00Z') }, [
    down('2026-03-03T12:00:00Z'),
  ])
  expect(days.slice(-4).map(({ look }) => look)).toEqual([null, 'up', 'partly', 'down'])
  expect(months.map(({ downtime }) => downtime === null)).toEqual([true, true, false])
  expect(percent(total)).toBe('50.00')
})

test('a check that was created just now has no share', () => {
  expect(upAndDown({ createdAt: NOW }, []).total).toBeNull()
})

test('days begin at midnight in the zone', () => {
  const { days } = upAndDown(
    { status: 'up' },
    [up('2026-03-03T23:00:00Z'), down('2026-03-03T22:30:00Z')],
    'Europe/Riga',
  )
  expect(days.slice(-2).map(({ look }) => look)).toEqual(['up', 'partly'])
})

test('the month of the first ping and the whole time have the same share', () => {
  const flips = [
    aFlip({ n: 2, createdAt: instant('2026-03-04T06:00:00Z') }),
    aFlip({ n: 1, createdAt: instant('2026-03-04T00:00:00Z'), oldStatus: 'new', newStatus: 'up', reason: '' }),
  ]
  const { total, months } = upAndDown({ status: 'down', nEvents: 2 }, flips)
  expect([total, months.at(-1)?.downtime ?? null].map(percent)).toEqual(['50.00', '50.00'])
})
