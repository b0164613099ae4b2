/** The log as people read it: events, and missing ones. */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { type Flip, flipTo } from '../../../src/domain/check/flip.ts'
import { flipIfOverdue } from '../../../src/domain/check/status.ts'
import { createTimeline, type TimelineLine, type TimelinePing } from '../../../src/domain/log/log-timeline.ts'
import { pairRuns } from '../../../src/domain/log/runs.ts'
import {
  countEvents,
  neighbours,
  type TimelineFilter,
  type TimelinePlace,
  timelinePage,
} from '../../../src/domain/log/timeline-page.ts'
import { receive } from '../../../src/domain/ping/ping.ts'
import type { Signal } from '../../../src/domain/ping/signal.ts'
import { type Instant, Temporal } from '../../../src/lib/time.ts'
import { aCheck, aSignal } from '../../support/builders.ts'

const instant = (text: string) => Temporal.Instant.from(`${text.replace(' ', 'T')}Z`)

type Step = readonly [at: string, what: Signal['action'] | 'pause' | 'resume' | 'tick', signal?: Partial<Signal>]

interface Story {
  readonly check: Check
  /** newest first */
  readonly pings: readonly TimelinePing[]
  readonly flips: readonly Flip[]
}

/** Judges a check's pings by the rules. Before each step, overdue flips are made, as the loop does. */
function story(settings: Partial<Check>, steps: readonly Step[]): Story {
  let check = aCheck(settings)
  const pings: (TimelinePing & { rid: string | null })[] = []
  const flips: Flip[] = []
  for (const [time, what, signal] of steps) {
    const now = instant(time)
    const overdue = flipIfOverdue(check, now)
    if (overdue) {
      check = { ...check, ...overdue.check }
      flips.unshift(overdue.flip)
    }
    if (what === 'tick') continue
    if (what === 'pause' || what === 'resume') {
      const done = flipTo(check, what === 'pause' ? 'paused' : 'new', '', now)
      check = { ...done.check, ...(what === 'resume' ? { lastPingAt: null, lastStartAt: null } : {}) }
      flips.unshift(done.flip)
      continue
    }
    const received = receive(check, aSignal({ action: what, ...signal }), now)
    check = { ...check, ...received.check }
    pings.unshift({ ...received.ping, duration: null })
    if (received.flip) flips.unshift(received.flip)
  }
  const durations = pairRuns(pings.toReversed())
  return { check, flips, pings: pings.map((ping) => ({ ...ping, duration: durations.get(ping.n) ?? null })) }
}

const ALL: TimelineFilter = { kinds: [], until: null }

function word(line: TimelineLine<TimelinePing>): string {
  switch (line.kind) {
    case 'ping':
      return `${line.ping.kind} ${line.ping.n}`
    case 'flip':
      return `to ${line.flip.newStatus}`
    case 'late':
      return `late by ${line.delay / 60_000_000} min`
    case 'more':
      return `${line.isAtLeast ? 'at least ' : ''}${line.count} more`
    default:
      return line.kind
  }
}

const shortTime = (at: Instant) => at.toString().slice(5, 16).replace('T', ' ')

function page(told: Story, now: string, filter = ALL, place: TimelinePlace = { kind: 'newest' }, limit = 1_000) {
  const found = timelinePage(createTimeline(told, instant(now)), filter, place, limit)
  return { ...found, lines: found.lines.map((line) => `${shortTime(line.at)} ${word(line)}`) }
}
const lines = (told: Story, now: string) => page(told, now).lines

const DAILY = { kind: 'cron', schedule: '0 2 * * *', graceSeconds: 3_600 } as const
const HOURLY = { timeoutSeconds: 3_600, graceSeconds: 600 } as const
const EVERY_TEN = { timeoutSeconds: 600, graceSeconds: 600 } as const

describe('what is missing', () => {
  test('is nothing while runs come in time', () => {
    const told = story(DAILY, [
      ['2026-03-01 02:05', 'success'],
      ['2026-03-02 02:59', 'success'],
      ['2026-03-03 02:00', 'success'],
    ])
    expect(lines(told, '2026-03-03 12:00')).toEqual([
      '03-03 02:00 success 3',
      '03-02 02:59 success 2',
      '03-01 02:05 to up',
      '03-01 02:05 success 1',
    ])
  })

  test('is each slot that no run has met, with the flip after the grace time of the first', () => {
    const told = story(DAILY, [
      ['2026-03-01 02:05', 'success'],
      ['2026-03-04 02:05', 'success'],
    ])
    expect(lines(told, '2026-03-04 12:00')).toEqual([
      '03-04 02:05 to up',
      '03-04 02:05 success 2',
      '03-03 02:00 missing',
      '03-02 03:00 to down',
      '03-02 02:00 missing',
      '03-01 02:05 to up',
      '03-01 02:05 success 1',
    ])
  })

  test('is not a run that came after its grace time: that was late', () => {
    const told = story(DAILY, [
      ['2026-03-01 02:05', 'success'],
      ['2026-03-02 03:30', 'success'],
    ])
    expect(lines(told, '2026-03-02 12:00').slice(0, 4)).toEqual([
      '03-02 03:30 to up',
      '03-02 03:30 success 2',
      '03-02 03:00 to down',
      '03-02 02:00 late by 90 min',
    ])
  })

  test('counts to the begin of a run, not to its end', () => {
    const told = story({ ...DAILY, graceSeconds: 86_400 }, [
      ['2026-03-01 02:05', 'success'],
      ['2026-03-02 02:05', 'start'],
      ['2026-03-03 01:59', 'success'],
    ])
    expect(lines(told, '2026-03-03 12:00').slice(0, 2)).toEqual(['03-03 01:59 success 3', '03-02 02:05 start 2'])
  })

  test('is every passed slot while the check is down, and none that may still be met', () => {
    const told = story(DAILY, [
      ['2026-03-01 02:05', 'success'],
      ['2026-03-02 03:30', 'tick'],
    ])
    expect(lines(told, '2026-03-02 03:30').slice(0, 2)).toEqual(['03-02 03:00 to down', '03-02 02:00 missing'])
    const late = story(DAILY, [['2026-03-01 02:05', 'success']])
    expect(lines(late, '2026-03-02 02:30')[0]).toBe('03-01 02:05 to up')
  })

  test('is not the slot of a run that goes on', () => {
    const told = story(DAILY, [
      ['2026-03-01 02:05', 'success'],
      ['2026-03-02 02:05', 'start'],
      ['2026-03-02 03:30', 'tick'],
    ])
    expect(lines(told, '2026-03-02 03:30').slice(0, 2)).toEqual(['03-02 03:00 to down', '03-02 02:05 start 2'])
  })

  test('goes on after a failure', () => {
    const told = story(HOURLY, [
      ['2026-03-01 00:00', 'success'],
      ['2026-03-01 01:00', 'fail'],
      ['2026-03-01 04:00', 'success'],
    ])
    expect(lines(told, '2026-03-01 04:01').slice(0, 5)).toEqual([
      '03-01 04:00 to up',
      '03-01 04:00 success 3',
      '03-01 03:00 missing',
      '03-01 02:00 missing',
      '03-01 01:00 to down',
    ])
  })

  test('in a row is three lines, the oldest ones, and a number', () => {
    const told = story(EVERY_TEN, [
      ['2026-03-01 00:00', 'success'],
      ['2026-03-01 08:00', 'success'],
    ])
    expect(lines(told, '2026-03-01 08:01')).toEqual([
      '03-01 08:00 to up',
      '03-01 08:00 success 2',
      '03-01 07:50 42 more',
      '03-01 00:50 missing',
      '03-01 00:40 missing',
      '03-01 00:30 missing',
      '03-01 00:20 to down',
      '03-01 00:20 missing',
      '03-01 00:10 missing',
      '03-01 00:00 to up',
      '03-01 00:00 success 1',
    ])
  })

  test('is counted up to a thousand', () => {
    const told = story({ kind: 'cron', schedule: '* * * * *', graceSeconds: 60 }, [
      ['2026-03-01 00:00', 'success'],
      ['2026-04-01 00:00', 'fail'],
    ])
    expect(lines(told, '2026-04-01 00:01')).toContain('03-01 16:40 at least 995 more')
  })

  test('stands among log entries and ignored pings where its time is', () => {
    const told = story(HOURLY, [
      ['2026-03-01 00:00', 'success'],
      ['2026-03-01 01:30', 'log'],
      ['2026-03-01 02:30', 'log'],
      ['2026-03-01 03:00', 'success'],
    ])
    expect(lines(told, '2026-03-01 03:01').slice(1, -2)).toEqual([
      '03-01 03:00 success 4',
      '03-01 02:30 log 3',
      '03-01 02:00 missing',
      '03-01 01:30 log 2',
      '03-01 01:10 to down',
      '03-01 01:00 missing',
    ])
  })
})

describe('nothing is missing', () => {
  test('before the first run', () => {
    expect(lines(story(HOURLY, []), '2026-03-09 00:00')).toEqual([])
    const logged = story(HOURLY, [['2026-03-01 00:00', 'log']])
    expect(lines(logged, '2026-03-09 00:00')).toEqual(['03-01 00:00 log 1'])
  })

  test('while the check is paused, and after that until the next run', () => {
    const told = story(HOURLY, [
      ['2026-03-01 00:00', 'success'],
      ['2026-03-01 00:30', 'pause'],
      ['2026-03-01 05:30', 'resume'],
      ['2026-03-01 09:30', 'success'],
    ])
    expect(lines(told, '2026-03-01 09:31')).toEqual([
      '03-01 09:30 to up',
      '03-01 09:30 success 2',
      '03-01 05:30 to new',
      '03-01 00:30 to paused',
      '03-01 00:00 to up',
      '03-01 00:00 success 1',
    ])
    const paused = story(HOURLY, [
      ['2026-03-01 00:00', 'success'],
      ['2026-03-01 00:30', 'pause'],
    ])
    expect(lines(paused, '2026-03-01 09:31')[0]).toBe('03-01 00:30 to paused')
  })

  test('but what was missing before a pause stays so', () => {
    const told = story(HOURLY, [
      ['2026-03-01 00:00', 'success'],
      ['2026-03-01 02:30', 'pause'],
    ])
    expect(lines(told, '2026-03-01 09:31').slice(0, 4)).toEqual([
      '03-01 02:30 to paused',
      '03-01 02:00 missing',
      '03-01 01:10 to down',
      '03-01 01:00 missing',
    ])
  })

  test('in an outage of this server, in which nobody noticed the silence', () => {
    const { check, ...log } = story(HOURLY, [['2026-03-01 00:00', 'success']])
    const spared = { ...log, check: { ...check, sparedUntil: instant('2026-03-01 06:10') } }
    expect(lines(spared, '2026-03-01 06:05')[0]).toBe('03-01 00:00 to up')
    const over = receive(spared.check, aSignal(), instant('2026-03-01 06:06'))
    const after = {
      check: { ...check, ...over.check },
      pings: [{ ...over.ping, duration: null }, ...log.pings],
      flips: log.flips,
    }
    expect(lines(after, '2026-03-01 06:07').slice(0, 2)).toEqual(['03-01 06:06 success 2', '03-01 00:00 to up'])
  })

  test('that an earlier schedule didn’t expect', () => {
    const told = story(DAILY, [
      ['2026-03-01 02:05', 'success'],
      ['2026-03-02 02:05', 'success'],
      ['2026-03-03 02:05', 'success'],
    ])
    const changed = { ...told, check: { ...told.check, ...HOURLY, kind: 'simple' as const } }
    expect(lines(changed, '2026-03-03 02:10').filter((line) => line.includes('missing'))).toEqual([])
  })

  test('for a schedule that can’t be read any more', () => {
    const told = story(DAILY, [['2026-03-01 02:05', 'success']])
    const broken = { ...told, check: { ...told.check, tz: 'Mars/Olympus' } }
    expect(lines(broken, '2026-03-09 00:00')).toEqual(['03-01 02:05 to up', '03-01 02:05 success 1'])
  })
})

test('a clock that was set back loses no line', () => {
  const told = story(EVERY_TEN, [
    ['2026-03-01 06:00', 'success'],
    ['2026-03-01 02:00', 'fail'],
    ['2026-03-01 02:30', 'success'],
  ])
  expect(lines(told, '2026-03-01 02:31').filter((line) => /success|fail|to/.test(line))).toHaveLength(6)
})

test('a flip says how long the state before it lasted', () => {
  const told = story(HOURLY, [
    ['2026-03-01 00:00', 'success'],
    ['2026-03-01 02:00', 'success'],
  ])
  const { events } = createTimeline(told, instant('2026-03-01 02:01'))
  const since = events.flatMap((event) => (event.kind === 'flip' ? [event.since] : []))
  expect(since).toEqual([50 * 60_000_000, 70 * 60_000_000, null])
})

describe('a page', () => {
  const told = story(HOURLY, [
    ['2026-03-01 00:00', 'success'],
    ['2026-03-01 01:00', 'log'],
    ['2026-03-01 01:05', 'success'],
    ['2026-03-01 04:05', 'fail'],
    ['2026-03-01 05:00', 'success'],
  ])
  const now = '2026-03-01 05:30'
  const all = lines(told, now)

  test.each([1, 2, 3, 4, 7, 100])('of %d lines or a few more leads through the whole log and back', (limit) => {
    const seen: string[] = []
    let older: string | null = null
    do {
      const place: TimelinePlace = older === null ? { kind: 'newest' } : { kind: 'older', than: older }
      const found = page(told, now, ALL, place, limit)
      seen.push(...found.lines)
      older = found.older
    } while (older !== null)
    expect(seen).toEqual(all)

    const upwards: string[] = []
    let newer: string | null = '0'
    while (newer !== null) {
      const found = page(told, now, ALL, { kind: 'newer', than: newer }, limit)
      // The newest page is full, so it may repeat some.
      upwards.unshift(...found.lines.filter((line) => !upwards.includes(line)))
      newer = found.newer
    }
    expect(upwards).toEqual(all)
  })

  test('has only the chosen kinds, and what is older than the chosen time', () => {
    const kinds = (...chosen: TimelineFilter['kinds']) => page(told, now, { kinds: chosen, until: null }).lines
    expect(kinds('fail')).toEqual(['03-01 04:05 fail 4'])
    expect(kinds('missing')).toEqual(['03-01 03:05 missing', '03-01 02:05 missing'])
    expect(kinds('flip', 'log')).toEqual(all.filter((line) => / to | log /.test(line)))
    const until = instant('2026-03-01 02:30')
    expect(page(told, now, { kinds: [], until }).lines).toEqual(all.slice(all.indexOf('03-01 02:15 to down')))
  })

  test('has no neighbour in which nothing would be shown', () => {
    const filter: TimelineFilter = { kinds: ['fail'], until: null }
    expect(page(told, now, filter, { kind: 'newest' }, 1)).toEqual({
      lines: ['03-01 04:05 fail 4'],
      newer: null,
      older: null,
    })
  })

  test('has the opened ping on it, below a few that came later', () => {
    const many = story(
      HOURLY,
      Array.from({ length: 60 }, (_, minute) => [`2026-03-01 00:${String(minute).padStart(2, '0')}`, 'log'] as const),
    )
    const around = (ping: number) => page(many, now, ALL, { kind: 'with', ping }, 20).lines
    expect(around(58)).toEqual(page(many, now, ALL, { kind: 'newest' }, 20).lines)
    expect(around(10).slice(4, 7)).toEqual(['03-01 00:10 log 11', '03-01 00:09 log 10', '03-01 00:08 log 9'])
  })

  test('goes on where an event is kept no more', () => {
    const pings = told.pings.filter(({ n }) => n > 2)
    const found = page({ ...told, pings }, now, ALL, { kind: 'older', than: '1' }).lines
    expect(found).toEqual(['03-01 00:00 to up'])
  })
})

test('the neighbours of a ping are the next ones that are shown, also of one that is not', () => {
  const told = story(HOURLY, [
    ['2026-03-01 00:00', 'fail'],
    ['2026-03-01 00:10', 'log'],
    ['2026-03-01 00:20', 'success'],
    ['2026-03-01 00:30', 'fail'],
  ])
  const timeline = createTimeline(told, instant('2026-03-01 01:00'))
  const next = (n: number, kinds: TimelineFilter['kinds'] = []) => {
    const { newer, older } = neighbours(timeline, { kinds, until: null }, n)
    return [newer?.n ?? null, older?.n ?? null]
  }
  expect([next(4), next(2), next(1)]).toEqual([
    [null, 3],
    [3, 1],
    [2, null],
  ])
  expect(next(2, ['fail'])).toEqual([4, 1])
  expect(countEvents(timeline, { kinds: ['fail'], until: null })).toBe(2)
  expect(countEvents(timeline, ALL)).toBe(7)
})

describe('what takes long to find', () => {
  const MINUTELY = aCheck({ kind: 'cron', schedule: '* * * * *', graceSeconds: 60, status: 'down' })
  const newest = instant('2026-03-01 00:00')
  const pingsOf = (kind: 'success' | 'fail', count: number): readonly TimelinePing[] =>
    Array.from({ length: count }, (_, index) => {
      const receivedAt = newest.subtract({ hours: 30 * index })
      return { n: count - index, kind, receivedAt, occurredAt: null, duration: null }
    })
  const counts = (pings: readonly TimelinePing[], filter = ALL) => {
    const timeline = createTimeline({ check: MINUTELY, pings, flips: [] }, newest)
    const found = timelinePage(timeline, filter, { kind: 'newest' }, 10_000).lines
    return found.flatMap((line) => (line.kind === 'more' ? [line.count] : []))
  }

  test('is counted up to a limit for all together, and a little of each after that', () => {
    expect(counts(pingsOf('fail', 6))).toEqual([997, 997, 17, 17, 17])
  })

  test('leaves the limit to those runs after which a run was expected', () => {
    const expected = pingsOf('success', 6).map(
      (ping): TimelinePing => (ping.n === 1 ? { ...ping, kind: 'fail' } : ping),
    )
    expect(counts(expected)).toEqual([997])
  })

  test('leaves the limit to what is as old as the filter asks for', () => {
    expect(counts(pingsOf('fail', 6), { kinds: [], until: newest.subtract({ hours: 30 * 3 }) })).toEqual([997, 997])
  })
})

describe('pings that came late', () => {
  const hourly = { kind: 'cron', schedule: '0 * * * *', graceSeconds: 1_800 } as const
  const ran = (time: string) => ({ occurredAt: instant(time) })

  test('stand where they came, and their runs are not missing', () => {
    const told = story(hourly, [
      ['2026-03-04 02:00', 'success'],
      ['2026-03-04 05:40', 'success', ran('2026-03-04 03:00')],
      ['2026-03-04 05:41', 'success', ran('2026-03-04 05:00')],
      ['2026-03-04 06:00', 'success'],
    ])
    expect(lines(told, '2026-03-04 06:10')).toEqual([
      '03-04 06:00 success 4',
      '03-04 05:41 success 3',
      '03-04 05:40 to up',
      '03-04 05:40 success 2',
      '03-04 04:00 missing',
      '03-04 03:30 to down',
      '03-04 02:00 to up',
      '03-04 02:00 success 1',
    ])
  })

  test('may come after newer ones', () => {
    const told = story(hourly, [
      ['2026-03-04 02:00', 'success'],
      ['2026-03-04 05:00', 'success'],
      ['2026-03-04 05:01', 'success', ran('2026-03-04 04:00')],
      ['2026-03-04 05:02', 'success', ran('2026-03-04 03:00')],
      ['2026-03-04 06:00', 'success'],
    ])
    expect(lines(told, '2026-03-04 06:10').filter((line) => /missing|late|more/.test(line))).toEqual([])
  })
})
