/** The preview of a schedule beside its fields. */
import { describe, expect, test } from 'bun:test'
import type { Suggestion } from '../../../../../../src/domain/advice/suggestion.ts'
import type { Woken } from '../../../../../../src/domain/advice/woken.ts'
import { scheduleWords } from '../../../../../../src/domain/check/schedule-words.ts'
import { clockChanges, firstRunAfterChange } from '../../../../../../src/domain/preview/clock-changes.ts'
import type { JudgedRun, Replay, ReplayTiming } from '../../../../../../src/domain/preview/replay.ts'
import { upcoming } from '../../../../../../src/domain/preview/schedule-preview.ts'
import { rhythmPlot } from '../../../../../../src/domain/rhythm-plot/rhythm-plot.ts'
import { judgedRuns } from '../../../../../../src/http/web/pages/check-forms/schedule/judged-runs.ts'
import { nextRuns } from '../../../../../../src/http/web/pages/check-forms/schedule/next-runs.ts'
import {
  judgedCard,
  meaningCard,
  meaningParts,
  meaningWords,
} from '../../../../../../src/http/web/pages/check-forms/schedule/preview.ts'
import { ruler } from '../../../../../../src/http/web/pages/check-forms/schedule/ruler.ts'
import { savingPart } from '../../../../../../src/http/web/pages/check-forms/woken.ts'
import { type Instant, Temporal } from '../../../../../../src/lib/time.ts'
import type { SchedulePreview } from '../../../../../../src/services/advice/schedule-preview.ts'
import { wordsOf } from '../../../../../support/page-words.ts'
import { factsOf, MORNING, RHYTHM_JOBS } from '../../../../../support/rhythm-jobs.ts'

const NOW = Temporal.Instant.from('2026-11-17T07:42:00Z')
const HOUR = 3_600
const DAY = 24 * HOUR

const timing = (given: Partial<ReplayTiming> = {}): ReplayTiming => ({
  kind: 'cron',
  timeoutSeconds: DAY,
  schedule: '0 2 * * 1-5',
  tz: 'Europe/Riga',
  graceSeconds: HOUR / 2,
  ...given,
})
const period = (timeoutSeconds: number, graceSeconds = HOUR) => timing({ kind: 'simple', timeoutSeconds, graceSeconds })

function preview(given: ReplayTiming, more: Partial<SchedulePreview> = {}): SchedulePreview {
  return {
    words: scheduleWords(given).words,
    next: upcoming(given, null, NOW, 6),
    clockChanges: clockChanges(given, NOW),
    afterChange: null,
    replay: null,
    woken: null,
    suggestion: null,
    ...more,
  }
}

const ZONE = { now: NOW, tz: 'UTC' }
const textOf = (html: string) => wordsOf(html.replace(/<svg.*?<\/svg>/gs, ''))

describe('the sentence', () => {
  test.each([
    [timing(), 'Weekdays at 02:00, Europe/Riga. Alerts are sent at 02:30.'],
    [timing({ graceSeconds: 23 * HOUR }), 'Weekdays at 02:00, Europe/Riga. Alerts are sent at 01:00 the next day.'],
    [timing({ graceSeconds: 2 * DAY }), 'Weekdays at 02:00, Europe/Riga. Alerts are sent 2 days after a run was due.'],
    [
      timing({ schedule: '*/10 * * * *', tz: 'UTC' }),
      'Every 10 minutes, UTC. Alerts are sent 30 minutes after a run was due.',
    ],
    [
      timing({ kind: 'oncalendar', schedule: 'Mon..Fri 02:00 Asia/Tokyo', tz: 'Asia/Tokyo' }),
      'Weekdays at 02:00 (Asia/Tokyo). Alerts are sent at 02:30.',
    ],
    [
      timing({ kind: 'oncalendar', schedule: 'Mon..Fri 02:00 Asia/Tokyo' }),
      'Weekdays at 02:00 (Asia/Tokyo). Alerts are sent 30 minutes after a run was due.',
    ],
    [
      timing({ kind: 'oncalendar', schedule: '2010-01-01 02:00' }),
      'At 02:00 on day 1 of January in 2010, Europe/Riga. All of its dates are in the past, so no runs are expected and no alerts are sent.',
    ],
    [period(HOUR / 2, 600), 'Every 30 minutes. Alerts are sent if no ping arrives for 40 minutes.'],
    [period(DAY), 'Every day. Alerts are sent if no ping arrives for 1 day 1 hour.'],
  ])('%j: %s', (given, words) => {
    expect(meaningWords(given, preview(given), NOW)).toBe(words)
  })
})

describe('the ruler', () => {
  const label = (given: ReplayTiming, lastRun: Instant | null = null) => {
    const next = upcoming(given, lastRun, NOW, 6)
    return ruler({ timing: given, preview: { next }, lastRun, now: NOW, tz: 'America/New_York' })?.text.match(
      /aria-label="(.*?)"/,
    )?.[1]
  }

  test('has the times of the next run, in the zone of the schedule', () => {
    expect(label(timing())).toBe('Timeline: ping, up, due 02:00, late until 02:30, then down')
    expect(label(timing({ graceSeconds: 23 * HOUR }))).toContain('late until Thu 19 Nov, 01:00')
  })

  test('of a period has the times after the last ping, in the zone of the reader', () => {
    const lastRun = NOW.subtract({ minutes: 12 })
    expect(label(period(HOUR), lastRun)).toBe('Timeline: ping 02:30, up, due 03:30, late until 04:30, then down')
  })

  test('of a period that counts from no ping has spans', () => {
    const spans = 'Timeline: up for 1 hour after a ping, late for 1 hour, then down'
    expect(label(period(HOUR))).toBe(spans)
    expect(label(period(HOUR), NOW.subtract({ hours: 3 }))).toBe(spans)
  })

  test('is not there when no run is ahead', () => {
    expect(label(timing({ kind: 'oncalendar', schedule: '2010-01-01 02:00' }))).toBeUndefined()
  })
})

describe('the next runs', () => {
  const headings = (given: ReplayTiming, tz: string) => {
    const text = nextRuns({ timing: given, preview: preview(given), now: NOW, tz })?.text ?? ''
    return [...text.matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, words]) => words)
  }
  const rows = (given: ReplayTiming, tz: string) => {
    const text = nextRuns({ timing: given, preview: preview(given), now: NOW, tz })?.text ?? ''
    return text
      .split('<tr>')
      .slice(2)
      .map((row) => [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = '']) => textOf(cell)))
  }

  test('are six, in the zone of the check, in UTC and in that of the reader', () => {
    expect(headings(timing(), 'America/New_York')).toEqual(['Next runs', 'Riga', 'UTC', 'You, New York'])
    const all = rows(timing(), 'America/New_York')
    expect(all).toHaveLength(6)
    expect(all.slice(0, 3)).toEqual([
      ['Wed 18 Nov, 02:00', '00:00', 'Tue 17 Nov, 19:00'],
      ['Thu 19 Nov, 02:00', '00:00', 'Wed 18 Nov, 19:00'],
      ['Fri 20 Nov, 02:00', '00:00', 'Thu 19 Nov, 19:00'],
    ])
  })

  test('are said once for zones whose clocks show the same', () => {
    expect(headings(timing(), 'Europe/Helsinki')).toEqual(['Next runs', 'Riga', 'UTC'])
    expect(headings(timing({ tz: 'UTC' }), 'Etc/UTC')).toEqual(['Next runs', 'UTC'])
    expect(headings(period(HOUR), 'Asia/Kathmandu')).toEqual(['Next runs', 'Kathmandu', 'UTC'])
  })

  test('mark where clocks change, with the first run after that as the last one', () => {
    const london = timing({ schedule: '0 3 * * *', tz: 'UTC' })
    const afterChange = firstRunAfterChange(london, ['UTC', 'America/New_York', 'Europe/Riga'], NOW)
    expect(afterChange).toEqual(Temporal.Instant.from('2027-03-15T03:00:00Z'))
    const shown = { timing: london, preview: preview(london, { afterChange }), now: NOW, tz: 'America/New_York' }
    const last = nextRuns(shown)?.text.split('<tr>').at(-1) ?? ''
    expect(textOf(last)).toContain('14 Mar 2027 Mon 15 Mar, 03:00')
    expect(textOf(last)).toEndWith('Sun 14 Mar, 23:00 clocks +1 h')
    expect(firstRunAfterChange(london, ['UTC'], NOW)).toBeNull()
    expect(firstRunAfterChange(period(HOUR), ['Europe/Riga'], NOW)).toBeNull()
    const weekly = timing({ schedule: '0 3 * * 1', tz: 'Europe/Riga' })
    const march = { next: upcoming(weekly, null, Temporal.Instant.from('2027-03-17T00:00:00Z'), 6), clockChanges: [] }
    const text = nextRuns({
      timing: weekly,
      preview: { ...march, afterChange: march.next[1] ?? null },
      now: Temporal.Instant.from('2027-03-17T00:00:00Z'),
      tz: 'UTC',
    })?.text
    expect(text?.match(/<tr>/g)).toHaveLength(7)
    expect(text?.match(/clocks \+1 h/g)).toHaveLength(1)
  })

  test('come with the next two changes of clocks', () => {
    const text = nextRuns({ timing: timing(), preview: preview(timing()), now: NOW, tz: 'UTC' })?.text ?? ''
    expect(textOf(text)).toContain('On 28 March 2027 clocks go forward from 03:00 to 04:00.')
    expect(text.match(/class="help"/g)).toHaveLength(2)
  })
})

const NIGHT = Temporal.ZonedDateTime.from('2026-11-02T02:05[Europe/Riga]')

/** Makes a replay with a run a day since Monday 2 November, at 02:05 in Riga. */
function replayOf(kinds: readonly JudgedRun['kind'][], hasFirst = false): Replay {
  const runs = kinds.map((kind, day) => ({ kind, at: NIGHT.add({ days: day }).toInstant(), n: day + 1, delay: null }))
  const count = (kind: JudgedRun['kind']) => kinds.filter((each) => each === kind).length
  return {
    runs,
    hasFirst,
    onTime: count('ok'),
    late: count('late'),
    missing: count('missing'),
    extra: count('extra'),
    failed: count('failed'),
  }
}

const judged = (
  replay: Replay | null,
  suggestion: Suggestion | null = null,
  rhythm: ReturnType<typeof rhythmPlot> | null = null,
) => judgedRuns({ timing: timing(), preview: preview(timing(), { replay, suggestion }), rhythm }, ZONE).text

describe('had it been so', () => {
  test.each([
    [['ok', 'ok', 'ok'], 'Your last 3 runs against this schedule All 3 on time, none missing.'],
    [['ok'], 'Your last run against this schedule 1 of 1 on time, none missing.'],
    [
      ['ok', 'late', 'ok', 'missing', 'failed'],
      'last 5 runs against this schedule 2 of 5 on time, 1 late, 1 failed, 1 missing.',
    ],
    [['extra', 'extra'], 'No run was expected. 2 pings would be extra: does the job run more often than this?'],
    [['ok', 'extra', 'ok'], 'All 2 on time, none missing. 1 ping would be extra'],
  ] as const)('%j', (kinds, words) => {
    expect(textOf(judged(replayOf(kinds)))).toContain(words)
  })

  test('does not count the first run of a log', () => {
    expect(textOf(judged(replayOf(['ok', 'ok', 'late', 'ok'], true)))).toBe(
      'Your last 3 runs against this schedule 2 of 3 on time, 1 late, none missing.',
    )
    expect(textOf(judged(replayOf(['ok'], true)))).toBe(
      'Your runs against this schedule The log contains one run. None was expected before it.',
    )
    expect(textOf(judged(replayOf(['ok', 'extra'], true)))).toStartWith(
      'Your last run against this schedule No run was expected. 1 ping would be extra',
    )
  })

  test.each([
    ['all alike', [22, 22, 22], 'Each arrived about 22 h late'],
    ['by an hour less after a change of clocks', [24, 23, 23, 23], 'Each arrived about 23 h late'],
    ['by an hour more after it', [17, 17, 17, 18, 18], 'Each arrived about 17 h late'],
    ['most of them', [3, 3, 3, 3, 9], 'Most arrived about 3 h late'],
    ['too few alike', [3, 3, 3, 6, 9], ''],
    ['few', [3, 3], ''],
    ['by little', [0.4, 0.4, 0.4, 0.4], ''],
  ] as const)('asks for the zone when runs are late by as much: %s', (_, hours, words) => {
    const late = replayOf(hours.map(() => 'late'))
    const runs = late.runs.map((run, index) => ({ ...run, delay: (hours[index] ?? 0) * HOUR * 1_000_000 }))
    const text = textOf(judged({ ...late, runs }))
    if (words === '') expect(text).not.toContain('time zone')
    else expect(text).toContain(`${words}: is the time zone right?`)
  })

  test('names pings that are too many by what they have in common', () => {
    const week = ['ok', 'ok', 'ok', 'ok', 'ok', 'extra', 'extra'] as const
    expect(textOf(judged(replayOf([...week, ...week])))).toContain(
      'All 10 on time, none missing. 4 weekend pings would be extra: does the job really stop at weekends?',
    )
    // The log begins on a Saturday, with a ping before which nothing is known.
    const fromSaturday = replayOf(['ok', 'extra', ...week], true)
    const runs = fromSaturday.runs.map((run) => ({ ...run, at: run.at.subtract({ hours: 48 }) }))
    expect(textOf(judged({ ...fromSaturday, runs }))).toContain('3 weekend pings would be extra')
    const sundays = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'extra'] as const
    expect(textOf(judged(replayOf([...sundays, ...sundays])))).toContain(
      '2 Sunday pings would be extra: does the job really not run on Sundays?',
    )
    const nights = replayOf(['extra', 'extra', 'ok'])
    const noon = nights.runs.map((run) => (run.kind === 'ok' ? { ...run, at: run.at.add({ hours: 10 }) } : run))
    expect(textOf(judged({ ...nights, runs: noon }))).toContain('2 nightly pings would be extra')
    expect(textOf(judged(replayOf(['extra', 'ok', 'ok', 'extra'])))).toContain('2 pings would be extra')
  })

  test('counts the runs once, below their rhythm where that is drawn', () => {
    const view = { tz: 'Europe/Riga', days: 30, isWhole: false } as const
    const rhythm = rhythmPlot(factsOf(RHYTHM_JOBS.healthy), view, MORNING)
    const drawn = textOf(judged(replayOf(['ok', 'missing']), null, rhythm))
    expect(drawn).toContain('28 of 30 runs went as expected')
    expect(drawn).not.toContain('on time')
    const extra = replayOf(['extra', 'ok', 'ok', 'extra'])
    expect(textOf(judged(extra, null, rhythm))).toContain('2 pings would be extra')
    expect(textOf(judged(replayOf(['ok', 'missing']), null, { tooFew: 2 }))).toContain('1 of 2 on time, 1 missing.')
  })

  test('says when there is no run to try it on', () => {
    expect(textOf(judged(null))).toBe('Your runs against this schedule The log does not contain any runs yet.')
  })
})

describe('would somebody have been woken', () => {
  const woken: Woken = {
    ...{ alerts: 29, alertsThen: 0, spared: 28, notYet: null, later: [], gained: [], more: [] },
    unfound: [NOW.subtract({ hours: 24 }).epochMilliseconds],
    ...{ noticeSeconds: 90_000, noticeThenSeconds: 90_000 },
    over: { runs: 30, from: NIGHT.epochMilliseconds, until: NOW.epochMilliseconds },
    recent: { since: NIGHT.epochMilliseconds, alerts: 29, alertsThen: 0 },
  }
  const zone = { now: NOW, tz: 'Europe/Riga' }

  test('is said below the runs, in amber where an outage would be missed', () => {
    const past = { timing: timing(), preview: preview(timing(), { replay: replayOf(['ok']), woken }), rhythm: null }
    const { text } = judgedRuns(past, zone)
    expect(textOf(text)).toContain(
      'Would you have been woken? Over the last 30 runs, since 2 Nov 02:05: 0 alerts instead of 29. The outage reported yesterday at 09:42 would not have been found',
    )
    expect(text.match(/class="note late"/g)).toHaveLength(1)
  })

  test('is counted over 30 days beside the present alerts, or since a shorter log begins', () => {
    const counts = (over: Woken['over'], since: number) => {
      const tried = { ...woken, over, recent: { since, alerts: 30, alertsThen: 1 } }
      const past = {
        timing: timing(),
        preview: preview(timing(), { replay: replayOf(['ok']), woken: tried }),
        rhythm: null,
      }
      return textOf(/<dl class="cmp">.*?<\/dl>/s.exec(judgedRuns(past, zone).text)?.[0] ?? '')
    }
    const [month, night] = [NOW.subtract({ hours: 720 }).epochMilliseconds, NIGHT.epochMilliseconds]
    const until = NOW.epochMilliseconds
    expect(counts({ runs: 90, from: month - 1, until }, month)).toBe(
      'Alerts in 30 days, current schedule 30 With this schedule 1',
    )
    expect(counts({ runs: 15, from: night, until }, night)).toBe(
      'Alerts since 2 Nov 02:05, current schedule 30 With this schedule 1',
    )
  })

  test('is asked again before the button, which names that outage', () => {
    expect(textOf(savingPart({ ...zone, woken }).text)).toBe(
      'Save anyway? The outage reported yesterday at 09:42 would not have been found: the next ping arrived before it was late.',
    )
    for (const tried of [null, { ...zone, woken: null }, { ...zone, woken: { ...woken, unfound: [] } }]) {
      expect(savingPart(tried).text).toBe('<div id="saving" role="status"></div>')
    }
  })
})

describe('a proposal', () => {
  const proposal = (given: ReplayTiming) => {
    const advice = {
      kind: 'rare',
      variant: 'period',
      says: ['Runs once a day, watched hourly: ', { took: 82_800 }, ' down.'],
    } as const
    const fix = { do: 'set', settings: {} } as const
    return judged(replayOf(['ok']), { advice: { ...advice, fix, otherFixes: [] }, timing: given })
  }
  const cron = (schedule: string) => timing({ schedule })

  test.each([
    [period(HOUR / 2, 600), 'Runs once a day, watched hourly: 23 h down. Every 30 minutes, with 10 minutes of grace?'],
    [cron('0 2 * * *'), 'Daily at 02:00, Europe/Riga, with 30 minutes of grace?'],
    [cron('0 2 * * 1'), 'Mondays at 02:00, Europe/Riga, with 30 minutes of grace?'],
  ])('%j: %s', (given, words) => {
    expect(textOf(proposal(given))).toContain(words)
  })

  test('has a button that fills in the fields', () => {
    const [, fill = ''] = /data-fill="(.*?)"/.exec(proposal(timing())) ?? []
    expect(JSON.parse(fill.replaceAll('&quot;', '"'))).toEqual({
      kind: 'cron',
      cron: '0 2 * * 1-5',
      tz: 'Europe/Riga',
      grace: '30',
      'grace-unit': 'minutes',
    })
    expect(proposal(timing())).toContain('name="action" value="use-suggestion"')
  })
})

test('a mistake comes alone and escaped, so that the page keeps the rest; a page that had nothing before has room for it', () => {
  const mistake = { kind: 'mistake', words: 'Cron expression: ‘<img src=x onerror=1>’ has 3 fields' } as const
  const { text } = meaningParts(mistake)
  expect(text).toContain('‘&lt;img src=x onerror=1&gt;’ has 3 fields')
  expect([...text.matchAll(/ id="(.*?)"/g)].map(([, id]) => id)).toEqual(['mistake'])
  const card = meaningCard(mistake).text
  expect(card).toContain(text)
  expect(card).toContain('<div class="body" id="means" role="status"></div>')
  expect(card).toContain('<div id="next-runs"></div>')
  expect(judgedCard(mistake).text).toMatch(/ id="judged"[^>]*><\/section>/)
})
