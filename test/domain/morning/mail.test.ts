/** Texts and layout of a morning mail. It is 08:00 on Tuesday, 17 November 2026, in Riga, two hours ahead of UTC. */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { isWrong, type MorningPlace, morningContent } from '../../../src/domain/morning/content.ts'
import { morningMail } from '../../../src/domain/morning/mail.ts'
import { marksOf } from '../../../src/domain/morning/marks.ts'
import { type PausedCheck, restWords } from '../../../src/domain/morning/rest-words.ts'
import { nightOfRows } from '../../../src/domain/night/night.ts'
import { type NightRow, nightRow, outcomeOf } from '../../../src/domain/night/row.ts'
import { nightSentence } from '../../../src/domain/night/sentence.ts'
import { nightOf } from '../../../src/domain/night/window.ts'
import type { PlotRun } from '../../../src/domain/rhythm-plot/facts.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { atOnce } from '../../../src/lib/work/at-once.ts'
import { aCheck, aSilence } from '../../support/builders.ts'

const RIGA = 'Europe/Riga'
const WINDOW = nightOf(Temporal.PlainDate.from('2026-11-16'), RIGA)
const LINKS = {
  siteRoot: 'https://overdue.example',
  pingEndpoint: 'https://overdue.example/ping/',
  checkPages: 'https://overdue.example/cloaked/',
}
const NOW = Temporal.Instant.from('2026-11-17T06:00:00Z')
const riga = (clock: string) => {
  const day = clock >= '12:00' ? '2026-11-16' : '2026-11-17'
  return Temporal.PlainDateTime.from(`${day}T${clock}`).toZonedDateTime(RIGA).epochMilliseconds
}
const MINUTE = 60_000
const instant = (clock: string) => Temporal.Instant.fromEpochMilliseconds(riga(clock))
const DAY = 24 * 60 * MINUTE

const nightly = (name: string, hour: number): Partial<Check> => ({
  name,
  kind: 'cron',
  schedule: `0 ${hour} * * *`,
  tz: RIGA,
  graceSeconds: 3_600,
  status: 'up',
  lastPingAt: Temporal.Instant.from('2026-11-17T00:30:00Z'),
})
const run = (kind: PlotRun['kind'], began: string, minutes = 0, due: string | null = null): PlotRun => ({
  kind,
  began: riga(began),
  ended: riga(began) + minutes * MINUTE,
  isTimed: minutes > 0,
  n: 1,
  due: due === null ? null : riga(due),
})
const usual = (minutes: number) => {
  const middle = minutes * MINUTE * 1_000
  return { low: middle, high: middle, longest: middle }
}
const row = (settings: Partial<Check>, runs: readonly PlotRun[], usualMinutes: number | null = null) =>
  nightRow(
    aCheck(settings),
    { runs, sender: null, usual: usualMinutes === null ? null : usual(usualMinutes) },
    WINDOW,
    riga('08:00'),
  )
const place = (name: string, isRead = true): MorningPlace => ({ actor: { project: { name } }, isRead })

const CALM = [row(nightly('Media library', 1), [run('ran', '01:00', 72)])]
const TROUBLED = [
  row(nightly('Price list', 4), [run('late', '05:30', 1, '04:00')]),
  row(nightly('Database', 2), [run('slow', '02:00', 38)], 27),
  row(nightly('Bank', 7), [run('failed', '07:15', 0, '07:00')]),
  row(nightly('Door', 20), [run('missing', '20:00', 60, '20:00')]),
  ...CALM,
]

const morning = (rows: readonly NightRow[], paused: readonly PausedCheck[] = []) => {
  const night = atOnce(nightOfRows([{ place: place('Books'), rows, silences: [] }], WINDOW, riga('08:00')))
  return { night, sentence: nightSentence(night, null, RIGA), paused }
}
const SENT = {
  id: 'an-id',
  address: 'ann@example.org',
  unsubscribeUrl: 'https://overdue.example/off',
  foot: {
    words: 'Sent at 08:00 to ann@example.org.',
    links: [{ label: 'Stop these mails', url: 'https://overdue.example/off' }],
  },
}
const mailOf = (given: Parameters<typeof morningContent>[0]) =>
  morningMail(morningContent(given, LINKS, RIGA, NOW), SENT)

describe('the mail', () => {
  test('has the sentence of the page as its subject, and one line for each row, the worst first', () => {
    const mail = mailOf(morning(TROUBLED))
    expect(mail.subject).toBe('3 of 5 ran; 1 missing, 1 failed. Database took 41 % longer than usual.')
    expect(mail.text.split('\n')).toEqual([
      '3 of 5 ran; 1 missing, 1 failed. Database took 41 % longer than usual.',
      '',
      'Door: missing since 20:00',
      'Bank: failed 07:15',
      'Database: 38 min, 41 % longer',
      'Price list: 1 h 30 min late, 05:30',
      '',
      '1 other ran as expected.',
      '',
      'Open the night:',
      'https://overdue.example/night?night=2026-11-16',
      '',
      '-- ',
      'Last night, Monday 16 to Tuesday 17 November · 18:00 to 08:00, Europe/Riga. Sent at 08:00 to ann@example.org.',
      '',
      'Stop these mails:',
      'https://overdue.example/off',
      '',
    ])
    expect(mail).toMatchObject({ id: 'an-id', to: 'ann@example.org', unsubscribeUrl: 'https://overdue.example/off' })
  })

  test('of a night without trouble is four lines, without a table of rows and a button', () => {
    const { html } = mailOf(morning(CALM))
    expect(
      [...html.matchAll(/<(?:p|h1) [^>]*>(.*?)<\/(?:p|h1)>/g)].map(([, words = '']) => words.replace(/<.*?>/g, '')),
    ).toEqual([
      'Last night · Monday 16 to Tuesday 17 November · 18:00 to 08:00, Europe/Riga',
      'The only check that was due ran.',
      'The longest: Media library, 1 h 12 min.',
      'Sent at 08:00 to ann@example.org. Open the night · Stop these mails',
    ])
    expect(html).not.toContain('Outcome')
  })

  test('says the same in its table as in its text, with links to the checks', () => {
    const { html } = mailOf(morning(TROUBLED))
    expect(html.match(/<th scope="row"/g)).toHaveLength(4)
    expect(html).toMatch(/<a href="https:\/\/overdue\.example\/cloaked\/[0-9a-f]{40}\/"[^>]*>Door<\/a>/)
    expect(html).toContain('<b>missing since 20:00</b>')
    expect(html).not.toContain('<img')
  })

  test('says of a row when it was muted, since nobody was alerted then', () => {
    const silences = [aSilence({ startsAt: instant('22:00'), endsAt: instant('06:00') })]
    const night = atOnce(nightOfRows([{ place: place('Books'), rows: TROUBLED, silences }], WINDOW, riga('08:00')))
    const { text } = mailOf({ night, sentence: nightSentence(night, null, RIGA), paused: [] })
    expect(text).toContain(
      'Door: missing since 20:00, muted 22:00 to 06:00\nBank: failed 07:15, muted 22:00 to 06:00\n',
    )
  })

  test('names the projects of its rows when they are of several', () => {
    const [first, second] = [TROUBLED.slice(2, 3), TROUBLED.slice(3, 4)]
    const places = [
      { place: place('Books'), rows: first, silences: [] },
      { place: place('Shop'), rows: second, silences: [] },
    ]
    const night = atOnce(nightOfRows(places, WINDOW, riga('08:00')))
    const { text } = mailOf({ night, sentence: nightSentence(night, null, RIGA), paused: [] })
    expect(text).toContain('Door (Shop): missing since 20:00\nBank (Books): failed 07:15\n')
  })

  test('lists fifty rows, and counts the others', () => {
    const many = Array.from({ length: 53 }, (_, n) =>
      row(nightly(`Job ${n}`, 2), [run('missing', '02:00', 60, '02:00')]),
    )
    const { text, html } = mailOf(morning(many))
    expect(text).toContain('\nand 3 more\n')
    expect(html).toContain('3 more are on the page.')
    expect(html.length).toBeLessThan(80_000)
  })

  test('escapes what people wrote, and keeps the subject on one line of bounded length', () => {
    const name = `"><script>alert('x')</script>\r\nBcc: eve@example.org\u202e ${'long '.repeat(100)}`
    const mail = mailOf(morning([row(nightly(name, 2), [run('slow', '02:00', 60)], 1)]))
    expect(mail.subject).not.toMatch(/[\r\n\u202e]/)
    expect(mail.subject.length).toBeLessThanOrEqual(200)
    expect(mail.html).not.toContain('<script>')
    expect(mail.html).toContain('&quot;&gt;&lt;script&gt;')
    expect(mail.text).not.toContain('\nBcc')
  })
})

describe('something is wrong', () => {
  test('when a check has a row', () => {
    expect(isWrong(morning(CALM))).toBe(false)
    for (const one of TROUBLED.slice(0, 4)) expect(isWrong(morning([one, ...CALM]))).toBe(true)
  })

  test('when Overdue was away, or could not read a project', () => {
    const { night, paused } = morning(CALM)
    const away = { from: riga('02:00'), until: riga('03:00') }
    expect(isWrong({ night, sentence: nightSentence(night, away, RIGA) })).toBe(true)
    const partly = atOnce(
      nightOfRows([{ place: place('Books', false), rows: [], silences: [] }], WINDOW, riga('08:00')),
    )
    const unread = { night: partly, sentence: nightSentence(partly, null, RIGA), paused }
    expect(isWrong(unread)).toBe(true)
    expect(mailOf(unread).text).toContain('The checks of Books could not be read.')
  })

  test('when checks were silent together, which one sentence says in place of their rows', () => {
    const queue = (name: string): Partial<Check> => ({
      ...nightly(name, 0),
      kind: 'simple',
      timeoutSeconds: 600,
      graceSeconds: 600,
      tags: 'web',
    })
    const runs = [run('ran', '02:00'), run('missing', '02:12'), run('ran', '02:36')]
    const silent = morning([row(queue('A'), runs), row(queue('B'), runs), ...CALM])
    expect(isWrong(silent)).toBe(true)
    const { rows, together } = morningContent(silent, LINKS, RIGA, NOW)
    expect(rows).toEqual([])
    expect(together).toEqual(['2 checks with the tag web were silent together from 02:12 to 02:36.'])
  })
})

test('those that were silent together are named by rows where the mail has no room for their sentence', () => {
  const queue = (tags: string, clock: string) =>
    row({ ...nightly(tags, 0), kind: 'simple', timeoutSeconds: 600, graceSeconds: 600, tags }, [
      run('missing', clock),
      run('ran', '07:00'),
    ])
  const pairs = Array.from({ length: 51 }, (_, n) => [queue(`tag-${n}`, '02:00'), queue(`tag-${n}`, '02:00')])
  const { rows, together } = morningContent(morning(pairs.flat()), LINKS, RIGA, NOW)
  expect(together).toHaveLength(50)
  expect(rows.map(({ name }) => name)).toEqual(['tag-50', 'tag-50'])
})

describe('the line about the others', () => {
  const rest = (over: Partial<Parameters<typeof restWords>[0]>) =>
    restWords({ ran: 0, isFirst: false, notDue: [], paused: [], neverPinged: [], unread: [], now: 100 * DAY, ...over })
  const [paused, up] = [{ status: 'paused' }, { status: 'up' }] as const

  test('counts those that ran and those that were not due', () => {
    expect(rest({ ran: 16 })).toBe('16 others ran as expected.')
    expect(rest({ ran: 1, isFirst: true })).toBe('')
    expect(rest({ notDue: [up] })).toBe('1 was not due.')
    expect(rest({ notDue: [up, up, paused] })).toBe('3 were not due, 1 of them because it is paused.')
    expect(rest({ notDue: [paused, paused] })).toBe('2 were not due because they are paused.')
  })

  test('names those that are paused for a week or longer, the longest first', () => {
    const pauses = [
      { name: 'Staging', since: 85 * DAY },
      { name: 'CRM', since: 5 * DAY },
      { name: 'Backup', since: 94 * DAY },
    ]
    expect(rest({ notDue: [paused, paused, paused], paused: pauses })).toBe(
      '3 were not due because they are paused: CRM for 95 days and Staging for 15 days.',
    )
  })

  test('names at most five that were never pinged', () => {
    expect(rest({ neverPinged: ['Gift cards'] })).toBe('Gift cards was never pinged.')
    expect(rest({ neverPinged: ['A', 'B'] })).toBe('A and B were never pinged.')
    const many = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
    expect(rest({ neverPinged: many })).toBe('A, B, C, D, E and 2 more were never pinged.')
  })
})

describe('the marks of a row', () => {
  const marks = (given: NightRow) => marksOf({ ...given, outcome: outcomeOf(given, riga('08:00')), muted: [] }, WINDOW)

  test('lie where the night has them, on an axis of a hundred per cent', () => {
    expect(marks(row(nightly('Door', 20), [run('missing', '20:00', 60, '20:00')]))).toEqual([
      { kind: 'missing', gap: 14.3, width: 7.1 },
    ])
    expect(marks(row(nightly('Bank', 7), [run('failed', '07:15', 0, '07:00')]))).toEqual([
      { kind: 'failed', gap: 94.6, width: 1.5 },
    ])
    expect(marks(CALM[0] as NightRow)).toEqual([])
  })

  test('never reach beyond the axis, nor lie upon one another', () => {
    const often = { ...nightly('Feed', 0), schedule: '*/30 * * * *', kind: 'cron' } as const
    const runs = Array.from({ length: 28 }, (_, n) => {
      const clock = `${String((18 + Math.floor(n / 2)) % 24).padStart(2, '0')}:${n % 2 === 0 ? '00' : '30'}`
      return run('failed', clock, 0, clock)
    })
    const found = marks(row(often, runs))
    expect(found).toHaveLength(12)
    expect(found.reduce((end, { gap, width }) => end + gap + width, 0)).toBeLessThanOrEqual(100.5)
    expect(found.every(({ gap }) => gap >= 0)).toBe(true)
  })
})
