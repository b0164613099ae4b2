import { describe, expect, test } from 'bun:test'
import type { CheckView } from '../../../../../../src/domain/list/check-view.ts'
import type { RhythmFacts } from '../../../../../../src/domain/rhythm-plot/facts.ts'
import { type PlotView, rhythmPlot } from '../../../../../../src/domain/rhythm-plot/rhythm-plot.ts'
import type { Silence } from '../../../../../../src/domain/silence/silence.ts'
import { type RhythmPlace, rhythmBody } from '../../../../../../src/http/web/pages/check/rhythm/section.ts'
import { Temporal } from '../../../../../../src/lib/time.ts'
import { aCheck, aSilence } from '../../../../../support/builders.ts'
import { DAY, factsOf, MORNING, RHYTHM_JOBS, type RhythmJob, times } from '../../../../../support/rhythm-jobs.ts'

const PAGE = '/p/harbour-books/checks/k7m2q9x4'
const PLACE: RhythmPlace = {
  now: Temporal.Instant.fromEpochMilliseconds(MORNING),
  tz: 'Europe/Riga',
  entryHref: (n) => `${PAGE}/log/${n}`,
  logHref: (until) => `${PAGE}/log?until=${until.epochMilliseconds}`,
  viewHref: ({ zone, isWhole }) => `${PAGE}?${isWhole ? 'hours=24' : `tz=${zone}`}`,
}

function body(job: RhythmJob, over: Partial<RhythmFacts> = {}, view: Partial<PlotView> = {}): string {
  const facts = factsOf(job, over)
  const check = aCheck({ name: job.name, ...job.settings })
  const tz = check.kind === 'simple' ? PLACE.tz : check.tz
  const plot = rhythmPlot(facts, { tz, days: 30, isWhole: false, ...view }, MORNING)
  return rhythmBody(plot, { check } as CheckView, PLACE).text
}
const words = (text: string) =>
  text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
const rows = (text: string) =>
  (/<tbody>(.*)<\/table>/s.exec(text)?.[1] ?? '')
    .split(/<tr[^>]*>/)
    .slice(1)
    .map(words)
/** Returns a path of the drawing, not of its legend. */
const path = (text: string, name: string) => {
  const [drawing] = /<svg class="rhythm".*?<\/svg>/s.exec(text) ?? ['']
  return new RegExp(`<path class="${name}"[^>]* d="([^"]*)"`).exec(drawing)?.[1] ?? null
}

test.each(Object.entries(RHYTHM_JOBS))('drawing and table of %s weigh less than 12 kB', (_, job) => {
  for (const days of [30, 90] as const) expect(body(job, {}, { days }).length).toBeLessThan(12_000)
})

test('what comes each hour is drawn in lines of dashes', () => {
  const runs = times('0 * * * *', 'Europe/Riga', 31).map((at) => ({ at, takes: 0 }))
  const hourly = {
    name: 'Feed',
    settings: { kind: 'cron', schedule: '0 * * * *', tz: 'Europe/Riga', graceSeconds: 600 },
    runs,
  } as const
  const text = body(hourly)
  expect(text.length).toBeLessThan(12_000)
  expect(text).toContain('<path class="ok" stroke-width="6" stroke-dasharray="7.5 ')
})

describe('the picture', () => {
  const text = body(RHYTHM_JOBS.healthy)

  test('has a name that says what it shows', () => {
    expect(text).toContain(
      'role="img" aria-label="Nightly database backup, 30 days: 28 of 30 runs went as expected, 1 failed, 1 is missing; the last one took 38 min, longer than usual."',
    )
    expect(body(RHYTHM_JOBS.weekly)).toContain('aria-label="Restore drill (staging), 13 weeks: ')
  })

  test('has a path and a shape for each kind of run', () => {
    expect(path(text, 'ok')?.match(/^(?:M[\d.]+ [\d.]+v[\d.]+){27}$/)).not.toBeNull()
    expect(path(text, 'ms')).toMatch(/^M\S+ \S+h\S+v\S+h-\S+z$/)
    expect(path(text, 'fx')).toMatch(/^M\S+ \S+l9 9m0-9l-9 9$/)
    expect(path(text, 'foot')).toMatch(/^M\S+ \S+h10$/)
    expect(path(body(RHYTHM_JOBS.shifted), 'tri')).toMatch(/^(?:M[^z]+z){29}$/)
  })

  test('has the line, the grace time, the hours, the weekends and the change of clocks', () => {
    expect(path(text, 'sched')).toBe('M0 77.3H536')
    expect(path(text, 'band')).toBe('M0 77.3H536V163.3H0z')
    expect(path(text, 'wkd')?.match(/M/g)).toHaveLength(4)
    expect(words(text)).toContain('01:30 02:00 02:30 03:00')
    expect(words(text)).toContain('25 Oct, clocks −1 h')
  })

  test('has thin lines for more than two runs a day, and none for a frequent job', () => {
    const flapping = body(RHYTHM_JOBS.flapping)
    expect([path(flapping, 'sched'), path(flapping, 'thin')]).toEqual([null, expect.any(String)])
    const frequent = body(RHYTHM_JOBS.frequent)
    expect([path(frequent, 'sched'), path(frequent, 'thin')]).toEqual([null, null])
    expect(frequent).toContain('stroke-dasharray')
    expect(words(frequent)).toContain(':00 :15 :30 :45')
  })

  test('explains only the shapes that are in it', () => {
    const legend = (drawn: string) => words(/<ul class="legend">.*?<\/ul>/s.exec(drawn)?.[0] ?? '')
    expect(legend(body(RHYTHM_JOBS.shifted))).toBe('late missing expected grace clock change weekend')
    expect(legend(body(RHYTHM_JOBS.weekly))).toBe('ran failed missing expected grace clock change')
    const stretch = { from: MORNING - 4 * DAY, until: MORNING - 2 * DAY }
    expect(legend(body(RHYTHM_JOBS.shifted, { pauses: [stretch] }))).toContain('paused')
    expect(legend(body(RHYTHM_JOBS.shifted, { outages: [stretch] }))).toContain('Overdue had an outage')
  })
})

describe('a muted stretch', () => {
  const muted = (from: number, until: number, over: Partial<Silence> = {}) => ({
    ...{ from: MORNING - from, until: MORNING - until },
    silence: aSilence({
      reason: '<New> disk.',
      createdBy: { kind: 'person', accountId: 'ann', name: 'ann@example.org' },
      ...over,
    }),
  })
  const shop = body(RHYTHM_JOBS.healthy, { muted: [muted(3 * DAY, 2.5 * DAY)] })

  test('is a double line over its days, which the legend explains', () => {
    expect(path(shop, 'mu')).toBe('M465.5 13.5H481.4M465.5 17.5H481.4')
    expect(words(shop)).toContain('muted for part of the day')
    expect(path(body(RHYTHM_JOBS.healthy), 'mu')).toBeNull()
  })

  test('is told in words below the picture, in its name and in the table', () => {
    const told = 'Muted from 14 Nov 09:42 to 14 Nov 21:42 by ann@example.org: ‘&lt;New&gt; disk.’'
    expect(words(shop)).toContain(told)
    expect(/aria-label="Nightly[^"]*"/.exec(shop)?.[0]).toContain(`longer than usual. ${told}`)
    expect(shop).not.toContain('<New>')
    const longer = body(RHYTHM_JOBS.healthy, { muted: [muted(3.5 * DAY, 2.2 * DAY)] })
    expect(rows(longer).filter((row) => row.includes('muted'))).toEqual([
      'Sun 15 Nov 02:00 30 min 52 s ran, muted',
      'Sat 14 Nov 02:00 28 min 1 s ran, muted',
    ])
    const often = body(RHYTHM_JOBS.flapping, { muted: [muted(3 * DAY, 2.9 * DAY)] })
    expect(rows(often).filter((row) => row.includes('partly muted'))).toHaveLength(1)
  })

  test('is told of the newest three, and counted of those before', () => {
    const some = [9, 8, 7, 6, 5].map((days) => muted(days * DAY, (days - 0.1) * DAY, { reason: '', createdBy: null }))
    const text = words(body(RHYTHM_JOBS.healthy, { muted: some }))
    expect(text.match(/Muted from/g)).toHaveLength(3)
    expect(text).toContain('Muted from 12 Nov 09:42 to 12 Nov 12:06 by its ping URL.')
    expect(text).toContain('Muted 2 more times before that.')
  })
})

describe('below it', () => {
  test('stand what it shows, and its zone with links to the others', () => {
    const text = words(body(RHYTHM_JOBS.shifted))
    expect(text).toContain(
      'Every run started late: at 05:00 until 24 Oct and at 04:00 since, always 03:00 UTC; expected at 03:00.',
    )
    expect(text).toContain('Times in Europe/Berlin, the zone of this check. Europe/Riga, yours · UTC')
    expect(words(body(RHYTHM_JOBS.frequent))).toContain('Times in Europe/Riga, yours. UTC')
  })

  test('stands how much lies outside', () => {
    const { runs } = RHYTHM_JOBS.healthy
    const moved = runs.map((run, index) => (index === runs.length - 3 ? { ...run, at: run.at + 36_000_000 } : run))
    const text = body({ ...RHYTHM_JOBS.healthy, runs: moved })
    expect(words(text)).toContain('1 run is outside the hours shown. Show 24 h')
    expect(path(text, 'out')).toMatch(/^M\S+ 186l3 4 3 -4$/)
  })
})

describe('the table', () => {
  test('has a row for each run, the newest first, with a link to its log entry', () => {
    const text = body(RHYTHM_JOBS.healthy)
    expect(rows(text)).toHaveLength(30)
    expect(rows(text)[0]).toBe('Tue 17 Nov 02:00 38 min slow')
    expect(rows(text)).toContain('Tue 3 Nov due 02:00 – missing')
    expect(text).toContain(`<a href="${PAGE}/log/78">02:00</a>`)
  })

  test('of many runs has only those that were not as usual', () => {
    const healthy = {
      ...RHYTHM_JOBS.healthy,
      runs: [...RHYTHM_JOBS.healthy.runs, ...RHYTHM_JOBS.healthy.runs.slice(-1)],
    }
    const text = body(healthy, {}, { days: 90 })
    expect(words(text)).toContain('of 41 runs that were not as usual')
    expect(rows(text).some((row) => row.endsWith('ran'))).toBe(false)
  })

  test('names the column of each row, which the read-out looks for, and what is to say of all others', () => {
    const text = body(RHYTHM_JOBS.healthy)
    expect(text).toMatch(/data-from="\d{4}-\d\d-\d\d" data-columns="30" data-step="1" data-log="[^"]+"/)
    expect([...text.matchAll(/<tr data-column="(\d+)">/g)].map(([, column]) => Number(column))).toEqual(
      Array.from({ length: 30 }, (_, index) => 29 - index),
    )
    expect(text).toContain('<table class="table" data-rest="no runs">')
    expect(body(RHYTHM_JOBS.healthy, {}, { days: 90 })).toContain('data-rest="nothing unusual"')
    expect(body(RHYTHM_JOBS.weekly)).toContain('data-columns="13" data-step="7"')
  })

  test('of several runs a day has the days', () => {
    const text = body(RHYTHM_JOBS.flapping)
    expect(rows(text)[1]).toBe('Mon 16 Nov 6 00:00 20:00 3 failed')
    expect(text).toContain(`<a href="${PAGE}/log?until=${Date.parse('2026-11-16T22:00:00Z')}">Mon 16 Nov</a>`)
  })

  test('of days before the log has all runs, also those that are not drawn', () => {
    const from = Date.parse('2026-11-11T22:00:00Z')
    const began = Array.from({ length: 6 }, (_, index) => from + index * 14_400_000)
    const day = { from, until: from + DAY, began, runs: 9, failed: 4, missed: 0, longest: null }
    const job = { ...RHYTHM_JOBS.flapping, runs: RHYTHM_JOBS.flapping.runs.filter(({ at }) => at > day.until) }
    expect(rows(body(job, { days: [day] }))).toContain('Thu 12 Nov 9 00:00 20:00 4 failed')
  })
})

test('before the third run it says how many there are', () => {
  const few = (count: number) => words(body({ ...RHYTHM_JOBS.healthy, runs: RHYTHM_JOBS.healthy.runs.slice(0, count) }))
  expect(few(0)).toBe('No runs yet. Each ping that reports a success or a failure counts as a run.')
  expect(few(1)).toBe('1 run so far. The rhythm appears after the third run.')
  expect(few(2)).toBe('2 runs so far. The rhythm appears after the third run.')
})

test('a hostile name is escaped', () => {
  expect(body({ ...RHYTHM_JOBS.healthy, name: '"><script>alert(1)</script>' })).not.toContain('<script')
})
