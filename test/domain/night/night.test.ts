/** Results of checks in a night. It is the morning of 17 November 2026 in Riga, which is two hours ahead of UTC. */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { loadOf, runsAt } from '../../../src/domain/night/load.ts'
import { nightOfRows } from '../../../src/domain/night/night.ts'
import { outcomeWords } from '../../../src/domain/night/outcome-words.ts'
import { type NightRow, nightRow, outcomeOf } from '../../../src/domain/night/row.ts'
import { nightSentence } from '../../../src/domain/night/sentence.ts'
import { silentTogether } from '../../../src/domain/night/together.ts'
import { dayFrom, latestDay, nightFrom, nightOf, presentEvening } from '../../../src/domain/night/window.ts'
import type { PlotRun } from '../../../src/domain/rhythm-plot/facts.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { atOnce } from '../../../src/lib/work/at-once.ts'
import { aCheck } from '../../support/builders.ts'

const RIGA = 'Europe/Riga'
const EVENING = Temporal.PlainDate.from('2026-11-16')
const WINDOW = nightOf(EVENING, RIGA)
/** Returns `02:10` of the night, in Riga. */
const riga = (clock: string) => {
  const day = clock >= '12:00' ? '2026-11-16' : '2026-11-17'
  return Temporal.PlainDateTime.from(`${day}T${clock}`).toZonedDateTime(RIGA).epochMilliseconds
}
const MORNING = riga('09:42')
const MINUTE = 60_000
const instant = (clock: string) => Temporal.Instant.fromEpochMilliseconds(riga(clock))

const NIGHTLY: Partial<Check> = {
  name: 'Nightly backup',
  kind: 'cron',
  schedule: '0 2 * * *',
  tz: RIGA,
  graceSeconds: 3_600,
  status: 'up',
  lastPingAt: Temporal.Instant.from('2026-11-17T00:30:00Z'),
}
const EVERY_TEN: Partial<Check> = { ...NIGHTLY, name: 'Queue', kind: 'simple', timeoutSeconds: 600, graceSeconds: 600 }
/** A check whose last ping arrived at 01:30. */
const HOURLY: Partial<Check> = {
  ...NIGHTLY,
  kind: 'simple',
  timeoutSeconds: 3_600,
  graceSeconds: 600,
  lastPingAt: Temporal.Instant.from('2026-11-16T23:30:00Z'),
}

function run(kind: PlotRun['kind'], began: string, minutes = 0, due: string | null = null): PlotRun {
  const from = riga(began)
  return {
    kind,
    began: from,
    ended: from + minutes * MINUTE,
    isTimed: minutes > 0,
    n: 1,
    due: due === null ? null : riga(due),
  }
}
const missing = (clock: string) => run('missing', clock, 60, clock)

function row(
  settings: Partial<Check>,
  runs: readonly PlotRun[],
  now = MORNING,
  sender: string | null = null,
): NightRow {
  return nightRow(aCheck(settings), { runs, sender, usual: null }, WINDOW, now)
}
const words = (given: NightRow, now = MORNING) => outcomeWords(given, now, RIGA)

describe('the window', () => {
  test('is from 18:00 to 08:00 in the zone of the reader', () => {
    expect([WINDOW.from, WINDOW.until]).toEqual([riga('18:00'), riga('08:00')])
    expect(WINDOW.hours).toEqual([18, 19, 20, 21, 22, 23, 0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('has an hour more or less when the clocks change', () => {
    expect(nightOf(Temporal.PlainDate.from('2026-10-24'), RIGA).hours).toHaveLength(16)
    expect(nightOf(Temporal.PlainDate.from('2026-03-28'), RIGA).hours).toHaveLength(14)
  })

  test('is that of the coming night from 16:00 on', () => {
    expect(String(presentEvening(riga('15:59'), RIGA))).toBe('2026-11-15')
    expect(String(presentEvening(riga('16:00'), RIGA))).toBe('2026-11-16')
    expect(String(presentEvening(MORNING, RIGA))).toBe('2026-11-16')
  })

  test('may be moved by hours, and is that of the night again at 18:00', () => {
    const moved = nightFrom(riga('19:00'), RIGA)
    expect([moved.isMoved, moved.until - moved.from, moved.hours[0]]).toEqual([true, 14 * 60 * MINUTE, 19])
    expect(nightFrom(riga('18:00'), RIGA)).toEqual(WINDOW)
  })

  test('of 24 hours ends with the present one', () => {
    const day = latestDay(MORNING, RIGA)
    expect([day.until, day.until - day.from]).toEqual([riga('10:00'), 24 * 60 * MINUTE])
    expect(dayFrom(riga('18:00'), RIGA).hours.at(0)).toBe(18)
  })
})

describe('a row', () => {
  test('says when a run came and how long it took', () => {
    expect(words(row(NIGHTLY, [run('ran', '02:00', 27)]))).toBe('02:00, 27 min')
    expect(words(row(NIGHTLY, [run('ran', '02:01')]))).toBe('02:01')
  })

  test('says since when a run is missing', () => {
    const missed = row(NIGHTLY, [missing('02:00')])
    expect([outcomeOf(missed, MORNING), words(missed)]).toEqual(['missing', 'missing since 02:00'])
  })

  test('says when it failed, unless a success came before the next slot', () => {
    const failed = run('failed', '02:10', 1)
    expect(words(row(NIGHTLY, [failed]))).toBe('failed 02:11')
    expect(outcomeOf(row(NIGHTLY, [failed, run('ran', '02:30', 5)]), MORNING)).toBe('ran')
    const hourly = { ...NIGHTLY, kind: 'simple', timeoutSeconds: 7_200, lastPingAt: null } as const
    expect(outcomeOf(row(hourly, [failed, run('ran', '02:30', 5)]), MORNING)).toBe('ran')
    expect(outcomeOf(row(hourly, [failed, run('ran', '05:30', 5)]), MORNING)).toBe('failed')
  })

  test('says by how much a run came late, or went on beyond its grace time', () => {
    expect(words(row(NIGHTLY, [run('late', '04:30', 5, '02:00')]))).toBe('2 h 30 min late, 04:30')
    expect(words(row(NIGHTLY, [run('late', '02:00', 72)]))).toBe('12 min late, 03:12')
  })

  test('says by how much a run took longer than usual', () => {
    expect(words({ ...row(NIGHTLY, [run('slow', '02:00', 38)]), usual: 27 * MINUTE })).toBe('38 min, 41 % longer')
  })

  test('counts a run that came within its grace time, but after the night', () => {
    const late = row({ ...NIGHTLY, schedule: '50 7 * * *' }, [run('ran', '08:05', 2)])
    expect(late.slots.map(({ outcome }) => outcome)).toEqual(['ran'])
  })

  test('says what is still to come, and what goes on', () => {
    const early = riga('23:00')
    expect(words(row(NIGHTLY, [], early), early)).toBe('due 02:00')
    const due = riga('02:20')
    const cameLast = Temporal.Instant.from('2026-11-16T00:30:00Z')
    const late = row({ ...NIGHTLY, lastPingAt: cameLast }, [], due)
    expect([outcomeOf(late, due), words(late, due)]).toEqual(['late', 'late, until 03:00'])
    const paused = row({ ...NIGHTLY, lastPingAt: cameLast, status: 'paused' }, [], due)
    expect([outcomeOf(paused, due), words(paused, due)]).toEqual(['open', 'due, until 03:00'])
    const running = row({ ...NIGHTLY, lastStartAt: Temporal.Instant.from('2026-11-17T00:00:05Z') }, [], due)
    expect([outcomeOf(running, due), words(running, due)]).toEqual(['running', 'running for 19 min'])
  })

  test('of an interval says that a run goes on although it began before it was due', () => {
    const running = { ...HOURLY, lastStartAt: Temporal.Instant.from('2026-11-17T00:20:00Z') }
    const now = riga('02:25')
    expect(words(row(running, [run('ran', '01:30')], now), now)).toBe('running for 5 min')
    const early = { ...NIGHTLY, lastStartAt: Temporal.Instant.from('2026-11-16T23:50:00Z') }
    expect(words(row(early, [], riga('01:55')), riga('01:55'))).toBe('due 02:00')
  })

  test('of an interval has a slot for each period to come', () => {
    const open = (hours: number, last: string, now: string) =>
      row({ ...HOURLY, timeoutSeconds: hours * 3_600, lastPingAt: instant(last) }, [], riga(now))
        .slots.filter(({ outcome }) => outcome === 'open')
        .map(({ at }) => at)
    expect(open(6, '12:30', '17:00')).toEqual(['18:30', '00:30', '06:30'].map(riga))
    expect(open(4, '14:00', '17:00')).toEqual(['18:00', '22:00', '02:00', '06:00'].map(riga))
    expect(open(1.5, '12:00', '13:00')).toHaveLength(10)
    expect(open(24, '12:30', '17:00')).toEqual([])
  })

  test('of the coming night says nothing of a run that goes on', () => {
    const now = riga('17:50')
    const running = { ...HOURLY, lastPingAt: Temporal.Instant.from('2026-11-16T15:10:00Z') }
    const ahead = row({ ...running, lastStartAt: Temporal.Instant.from('2026-11-16T15:45:00Z') }, [], now)
    expect([ahead.runningSince, words(ahead, now)]).toEqual([null, 'due 18:10'])
  })

  test('claims nothing of a slot that nobody watched', () => {
    expect(outcomeOf(row(NIGHTLY, []), MORNING)).toBe('unwatched')
    expect(outcomeOf(row({ ...NIGHTLY, schedule: '0 12 * * *' }, []), MORNING)).toBe('none')
  })
})

describe('a pause', () => {
  const paused = (from: string, until: string, runs: readonly PlotRun[], now = MORNING) =>
    nightRow(
      aCheck(NIGHTLY),
      { runs, sender: null, usual: null, pauses: [{ from: riga(from), until: riga(until) }] },
      WINDOW,
      now,
    )

  test('is named at the end of the row, as far as it lies in the night', () => {
    const ran = [run('ran', '02:00', 27)]
    expect(words(paused('03:00', '09:42', ran))).toBe('02:00, paused from 03:00')
    expect(words(paused('03:00', '04:00', ran))).toBe('02:00, paused 03:00 to 04:00')
    expect(words(paused('17:00', '19:00', ran))).toBe('02:00, paused until 19:00')
    expect(words(paused('16:00', '17:00', ran))).toBe('02:00, 27 min')
    expect(words(paused('01:00', '03:00', []))).toBe('paused 01:00 to 03:00')
    expect(words(paused('17:00', '09:42', []))).toBe('paused')
  })
})

describe('a check that runs more often than hourly', () => {
  const runs = (...clocks: readonly string[]) => clocks.map((clock) => run('ran', clock))

  test('says when it was silent', () => {
    const silent = row(EVERY_TEN, [...runs('02:00'), missing('02:10'), missing('02:20'), ...runs('02:34', '02:44')])
    expect(words(silent)).toBe('silent 02:10 to 02:34')
  })

  test('may be silent still', () => {
    const silent = row(EVERY_TEN, [...runs('02:00'), missing('02:10')], riga('02:40'))
    expect(words(silent, riga('02:40'))).toBe('silent since 02:10')
  })

  test('is planned before the night begins, whatever it does now', () => {
    const ahead = row(EVERY_TEN, [missing('17:00')], riga('17:30'))
    expect([outcomeOf(ahead, riga('17:30')), words(ahead, riga('17:30'))]).toEqual(['open', 'to come'])
  })

  test('is known since its first run, or since the night began', () => {
    expect(row(EVERY_TEN, runs('22:00', '22:10')).comb?.since).toBe(riga('22:00'))
    expect(row(EVERY_TEN, runs('17:50', '18:00')).comb?.since).toBe(WINDOW.from)
  })

  test('says how many of its runs failed', () => {
    expect(words(row(EVERY_TEN, [...runs('02:00'), run('failed', '02:10')]))).toBe('1 of 2 runs failed')
    expect(words(row(EVERY_TEN, runs('02:00', '02:10')))).toBe('2 runs')
  })

  test('is named together with others of its sender that fell silent within two minutes', () => {
    const silent = (sender: string | null, from: string, tags = '') =>
      row({ ...EVERY_TEN, tags }, [missing(from), ...runs('03:00')], MORNING, sender)
    const one = [silent('192.0.2.41', '02:10'), silent('192.0.2.41', '02:12'), silent('192.0.2.41', '02:30')]
    expect(silentTogether(one)).toMatchObject([
      { rows: one.slice(0, 2), by: { kind: 'sender', text: '192.0.2.41' }, from: riga('02:10'), until: riga('03:00') },
    ])
    const tagged = [silent(null, '02:10', 'db prod'), silent(null, '02:11', 'db')]
    expect(silentTogether(tagged)).toMatchObject([{ rows: tagged, by: { kind: 'tag', text: 'db' } }])
    expect(silentTogether([silent('192.0.2.41', '02:10'), silent('192.0.2.42', '02:10')])).toEqual([])
  })

  test('may be one of thousands that fell silent again and again', () => {
    const flapping = row(EVERY_TEN, runs('02:00').concat(missing('02:10'), runs('03:00')), MORNING, '192.0.2.41')
    const silences = Array.from({ length: 30 }, (_, n) => ({ from: riga('02:10') + n * MINUTE, until: riga('03:00') }))
    const many = Array.from({ length: 5_000 }, () => ({
      ...flapping,
      comb: flapping.comb && { ...flapping.comb, silences },
    }))
    expect(silentTogether(many).map(({ rows }) => rows.length)).toEqual([5_000])
  })
})

test('at once are the runs of a minute or more that share a minute', () => {
  const rows = [
    row(NIGHTLY, [run('ran', '02:00', 30)]),
    row(NIGHTLY, [run('slow', '02:10', 5)]),
    row(NIGHTLY, [run('ran', '02:12', 0.5)]),
  ]
  const load = loadOf(rows, WINDOW, MORNING)
  expect([load.most, load.mostAt]).toEqual([2, riga('02:10')])
  expect(load.steps.map(({ count }) => count)).toEqual([1, 2, 1, 0])
  expect(rows.map((each) => runsAt(each, riga('02:12'), MORNING))).toEqual([true, true, false])
})

describe('the night', () => {
  const ran = row(NIGHTLY, [run('ran', '02:00', 27)])
  const missed = row({ ...NIGHTLY, schedule: '0 1 * * *' }, [missing('01:00')])
  const failed = row(NIGHTLY, [run('failed', '02:10')])
  const night = (...places: readonly (readonly NightRow[])[]) =>
    atOnce(
      nightOfRows(
        places.map((rows, index) => ({ place: index, rows, silences: [] })),
        WINDOW,
        MORNING,
      ),
    )
  const sentence = (rows: readonly NightRow[]) => nightSentence(night(rows), null, RIGA)

  test('is made in steps: of each row, of each project, and of all', () => {
    const places = [
      { place: 0, rows: [ran, missed], silences: [] },
      { place: 1, rows: [failed], silences: [] },
    ]
    expect([...nightOfRows(places, WINDOW, MORNING)]).toHaveLength(3 + 2 + 1)
  })

  test('counts what ran, what is missing and what failed, and leaves out what runs all the time', () => {
    const often = row(EVERY_TEN, [missing('02:10')])
    expect(sentence([ran, ran, missed, failed, often]).counts).toBe('2 of 4 ran; 1 missing, 1 failed.')
    expect(sentence([ran, ran]).counts).toBe('All 2 ran.')
    expect(sentence([]).counts).toBe('Nothing was due between 18:00 and 08:00.')
  })

  test('says before the night how many are to come', () => {
    const ahead = atOnce(
      nightOfRows([{ place: 0, rows: [row(NIGHTLY, [], riga('17:00'))], silences: [] }], WINDOW, riga('17:00')),
    )
    expect(nightSentence(ahead, null, RIGA).counts).toBe('1 to come.')
  })

  test('counts a late run as one that ran', () => {
    const late = row(NIGHTLY, [run('late', '04:30', 5, '02:00')])
    expect(sentence([ran, late]).counts).toBe('All 2 ran.')
  })

  test('names the longest run when all is well, and the worst slowdown otherwise', () => {
    expect(sentence([ran]).more).toEqual(['The longest: ', { name: 'Nightly backup' }, ', 27 min.'])
    const slow = { ...row(NIGHTLY, [run('slow', '02:00', 38)]), usual: 27 * MINUTE }
    expect(sentence([ran, slow]).more).toEqual([{ name: 'Nightly backup' }, ' took 41 % longer than usual.'])
    const little = { ...row(NIGHTLY, [run('slow', '02:00', 4)]), usual: 2 * MINUTE }
    expect(sentence([missed, little]).more).toEqual([])
  })

  test('says first when Overdue was away, if that was for ten minutes', () => {
    const away = (from: string, until: string) =>
      nightSentence(night([ran]), { from: riga(from), until: riga(until) }, RIGA).away
    expect(away('02:10', '02:40')).toBe('Overdue had an outage from 02:10 to 02:40.')
    expect(away('02:10', '02:15')).toBe('')
    expect(away('09:00', '09:30')).toBe('')
  })

  test('shows projects with trouble first, and rows by their first expected start', () => {
    const { groups } = night([ran], [failed, missed], [])
    expect(groups.map(({ place }) => place)).toEqual([1, 0, 2])
    expect(groups[0]?.open.map(({ outcome }) => outcome)).toEqual(['missing', 'failed'])
  })

  test('folds more than sixty rows, but none with trouble', () => {
    const many = night([...Array.from({ length: 70 }, () => ran), missed])
    expect(many.groups[0]?.open).toHaveLength(60)
    expect(many.groups[0]?.folded).toHaveLength(11)
    expect(night(Array.from({ length: 70 }, () => missed)).groups[0]?.open).toHaveLength(70)
    expect(many.counts).toMatchObject({ due: 71, ran: 70, missing: 1 })
  })
})
