/** Disruptions, from the flips of a check. */
import { expect, test } from 'bun:test'
import type { StoredStatus } from '../../../src/domain/check/check.ts'
import type { Flip } from '../../../src/domain/check/flip.ts'
import { upAndDownCalendar } from '../../../src/domain/run/up-and-down.ts'
import { createServiceHistory } from '../../../src/domain/status-page/service-history.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { aCheck, aFlip } from '../../support/builders.ts'

const instant = (text: string) => Temporal.Instant.from(text)
const NOW = instant('2026-03-04T12:00:00Z')
const CALENDAR = upAndDownCalendar('UTC', NOW)

const flip = (text: string, oldStatus: StoredStatus, newStatus: StoredStatus) =>
  aFlip({ createdAt: instant(text), oldStatus, newStatus })

/** @param flips newest first */
function historyOf(status: StoredStatus, flips: readonly Flip[], limit = 10) {
  const tally = createServiceHistory(
    aCheck({ status, createdAt: instant('2025-01-01T00:00:00Z') }),
    CALENDAR,
    NOW,
    limit,
  )
  tally.add(flips)
  const { disruptions, since, ...rest } = tally.result()
  const spans = disruptions.map(({ from, until }) => [from.toString(), until?.toString() ?? null])
  return { ...rest, spans, since: since?.toString() ?? null }
}

test('a disruption ends with the flip after it, whatever that leads to', () => {
  const { spans, since } = historyOf('paused', [
    flip('2026-03-03T10:00:00Z', 'down', 'paused'),
    flip('2026-03-03T09:00:00Z', 'up', 'down'),
    flip('2026-03-01T02:00:00Z', 'down', 'up'),
    flip('2026-03-01T01:00:00Z', 'up', 'down'),
  ])
  expect(spans).toEqual([
    ['2026-03-03T09:00:00Z', '2026-03-03T10:00:00Z'],
    ['2026-03-01T01:00:00Z', '2026-03-01T02:00:00Z'],
  ])
  expect(since).toBeNull()
})

test('one that goes on has no end, and the service is delayed since', () => {
  const { spans, since, days } = historyOf('down', [flip('2026-03-04T09:00:00Z', 'up', 'down')])
  expect(spans).toEqual([['2026-03-04T09:00:00Z', null]])
  expect(since).toBe('2026-03-04T09:00:00Z')
  expect([days.length, days.at(-1), days.at(-2)]).toEqual([90, 'down', 'up'])
})

test('one that ended before the ninety days is left out, and one that reaches into them is not', () => {
  const before = [flip('2025-12-04T10:00:00Z', 'down', 'up'), flip('2025-12-03T10:00:00Z', 'up', 'down')]
  expect(historyOf('up', before).spans).toEqual([])
  const into = [flip('2025-12-05T10:00:00Z', 'down', 'up'), flip('2025-12-03T10:00:00Z', 'up', 'down')]
  expect(historyOf('up', into).spans).toEqual([['2025-12-03T10:00:00Z', '2025-12-05T10:00:00Z']])
})

test('the newest are kept, and where the clock was set back none ends before it began', () => {
  const flips = [
    flip('2026-03-03T08:00:00Z', 'down', 'up'),
    flip('2026-03-03T09:00:00Z', 'up', 'down'),
    flip('2026-03-01T02:00:00Z', 'down', 'up'),
    flip('2026-03-01T01:00:00Z', 'up', 'down'),
  ]
  expect(historyOf('up', flips, 1).spans).toEqual([['2026-03-03T09:00:00Z', '2026-03-03T09:00:00Z']])
})
