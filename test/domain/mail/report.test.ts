import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Flip } from '../../../src/domain/check/flip.ts'
import { mailParts } from '../../../src/domain/mail/layout.ts'
import {
  isWorthReporting,
  makeReport,
  reportBlocks,
  reportCells,
  reportedPeriods,
  reportRow,
} from '../../../src/domain/mail/report.ts'
import type { ReportPeriod } from '../../../src/domain/mail/report-period.ts'
import { createDowntimeTally } from '../../../src/domain/run/downtime.ts'
import { type Instant, Temporal } from '../../../src/lib/time.ts'
import { aCheck, aFlip, CHECK_ID, LINKS } from '../../support/builders.ts'

const instant = (text: string): Instant => Temporal.Instant.from(text)
const NOW = instant('2026-03-01T09:00:00Z')
const MONTHS = reportedPeriods('monthly', 'UTC', NOW)

interface History {
  readonly check: Check
  readonly flips: readonly Flip[]
}

/** A check created in 2025 that was down for so many minutes in January and in February. */
function fared(over: Partial<Check>, january = 0, february = 0): History {
  const id = crypto.randomUUID()
  const down = (n: number, from: string, minutes: number) => [
    aFlip({ checkId: id, n: n + 1, createdAt: instant(from).add({ minutes }), oldStatus: 'down', newStatus: 'up' }),
    aFlip({ checkId: id, n, createdAt: instant(from), oldStatus: 'up', newStatus: 'down' }),
  ]
  const flips = [
    ...(february > 0 ? down(3, '2026-02-10T00:00:00Z', february) : []),
    ...(january > 0 ? down(1, '2026-01-10T00:00:00Z', january) : []),
  ]
  return { check: aCheck({ id, createdAt: instant('2025-06-01T00:00:00Z'), status: 'up', ...over }), flips }
}

const rowOf = ({ check, flips }: History) => {
  const tally = createDowntimeTally(check, MONTHS, NOW)
  tally.add(flips)
  return reportRow(check, tally.downtimes())
}
const report = (...histories: History[]) => makeReport('monthly', MONTHS, histories.map(rowOf))

describe('the periods of a report', () => {
  const names = (period: ReportPeriod, tz: string, at: string) =>
    reportedPeriods(period, tz, instant(at)).map(({ name }) => name)

  test('are the two before the current one, with their names in the zone', () => {
    expect(names('daily', 'UTC', '2026-03-01T09:00:00Z')).toEqual(['27 Feb 2026', '28 Feb 2026'])
    expect(names('weekly', 'UTC', '2026-03-01T09:00:00Z')).toEqual(['Week of 09 Feb 2026', 'Week of 16 Feb 2026'])
    expect(names('monthly', 'UTC', '2026-03-01T09:00:00Z')).toEqual(['January 2026', 'February 2026'])
    expect(names('monthly', 'Pacific/Kiritimati', '2026-02-28T19:00:00Z')).toEqual(['January 2026', 'February 2026'])
    expect(names('daily', 'Pacific/Honolulu', '2026-03-01T19:00:00Z')).toEqual(['27 Feb 2026', '28 Feb 2026'])
  })
})

describe('a report', () => {
  test('counts the checks, and the downtimes of the last period', () => {
    const { summary } = report(fared({ name: 'a' }, 300, 60), fared({ name: 'b' }, 0, 30), fared({ name: 'c' }))
    expect(summary).toBe('February 2026: 3 checks, 2 downtimes of 1 hour, 30 minutes in total.')
  })

  test('uses the singular for one check and one downtime, and says when there is none', () => {
    expect(report(fared({}, 0, 5)).summary).toBe('February 2026: 1 check, 1 downtime of 5 minutes.')
    expect(report(fared({}, 5)).summary).toBe('February 2026: 1 check, no downtime.')
    expect(report().summary).toBe('February 2026: 0 checks, no data.')
    expect(report(fared({ createdAt: NOW })).summary).toBe('February 2026: 1 check, no data.')
  })

  test('sorts by downtime in the last period, then in the one before, then by name', () => {
    const { rows } = report(
      fared({ name: 'Job 10' }),
      fared({ name: 'job 9' }),
      fared({ name: 'Once' }, 60),
      fared({ name: 'Twice' }, 120),
      fared({ name: 'Lately' }, 0, 1),
      fared({ name: 'Worst' }, 5, 600),
    )
    expect(rows.map(({ name }) => name)).toEqual(['Worst', 'Lately', 'Twice', 'Once', 'job 9', 'Job 10'])
  })

  test('uses the UUID of a check without a name', () => {
    const history = fared({ name: '' })
    expect(report(history).rows[0]?.name).toBe(history.check.id)
  })

  test("shows each check's status, uptime per period and number of downtimes", () => {
    const [row] = report(fared({ name: 'a', status: 'up' }, 24 * 60, 302)).rows
    expect(row && reportCells(row, 'UTC')).toEqual([
      'up',
      '96.77 %, 1 downtime of 1 day',
      '99.25 %, 1 downtime of 5 hours, 2 minutes',
    ])
    const twice = reportRow(aCheck({}), [
      { count: 2, microseconds: 90_000_000, watched: 864_000_000_000, since: null },
      null,
    ])
    expect(reportCells(twice, 'UTC')[1]).toBe('99.98 %, 2 downtimes of 1 minute, 30 seconds in total')
    const [fresh] = report(fared({ createdAt: instant('2026-02-20T00:00:00Z'), status: 'paused' })).rows
    expect(fresh && reportCells(fresh, 'UTC')).toEqual(['paused', 'no data', '100.00 % since 20 Feb'])
    const unpinged = { check: aCheck({ createdAt: instant('2025-06-01T00:00:00Z'), status: 'new' }), flips: [] }
    expect(reportCells(rowOf(unpinged), 'UTC')).toEqual(['new', 'no data', 'no data'])
  })

  test('shows a check that is down with a different word, colour and weight', () => {
    const made = report(fared({ name: 'a', status: 'down' }), fared({ name: 'b' }), fared({ name: 'c', status: 'new' }))
    expect(made.rows.map((row) => reportCells(row, 'UTC')[0])).toEqual(['DOWN', 'up', 'new'])
    const { text, html } = mailParts({
      title: '',
      tone: 'plain',
      blocks: reportBlocks(made, '', LINKS, 'UTC', new Map()),
      footer: [],
    })
    expect(text).toMatch(/^a +DOWN .*\nb +up .*\nc +new /m)
    expect(html).toContain('<span style="color:#d9392d;font-weight:600">DOWN</span>')
    expect(html).toContain('<span style="color:#158657">up</span>')
  })

  test('says what is wrong with the checks that are down now', () => {
    const made = report(fared({ name: 'Backup', id: CHECK_ID, status: 'down' }), fared({ name: 'b' }))
    const sentences = new Map([[CHECK_ID, 'No ping since 09:00. Down for 3 h.']])
    expect(reportBlocks(made, '', LINKS, 'Europe/Riga', sentences).slice(2)).toEqual([
      { kind: 'heading', text: 'Down now (times in Europe/Riga)' },
      { kind: 'list', items: ['Backup: No ping since 09:00. Down for 3 h.'] },
    ])
  })

  test('links each check to its page', () => {
    const made = report(fared({ name: 'a', id: CHECK_ID }))
    const [, table] = reportBlocks(made, 'Home lab', LINKS, 'UTC', new Map())
    const cell = table?.kind === 'table' ? table.rows[0]?.[0] : null
    const url = 'https://overdue.test/cloaked/fc90f6da175cabd6de81fd8fd6af74a47d94228d/'
    expect(cell).toEqual({ label: 'a', url })
  })

  test.each([
    ['daily', 'Daily Report'],
    ['weekly', 'Weekly Report'],
    ['monthly', 'Monthly Report'],
  ] as const)('that is %s is called %s', (period, title) => {
    expect(makeReport(period, reportedPeriods(period, 'UTC', NOW), []).title).toBe(title)
  })

  test('keeps user input in its place', () => {
    const hostile = 'a\r\nBcc: x@example.org <img src=x onerror=alert(1)> "&amp;\u0000'
    const made = report(fared({ name: hostile }))
    const blocks = reportBlocks(
      made,
      hostile,
      LINKS,
      'UTC',
      new Map([[made.rows[0]?.checkId ?? '', `Last line: ‘${hostile}’.`]]),
    )
    const { text, html } = mailParts({ title: made.title, tone: 'plain', blocks, footer: [] })
    expect(made.rows[0]?.name).toBe('a Bcc: x@example.org <img src=x onerror=alert(1)> "&amp;')
    expect(text).not.toContain('\nBcc')
    expect(html).toContain('a Bcc: x@example.org &lt;img src=x onerror=alert(1)&gt; &quot;&amp;amp;')
    expect(html).not.toContain('<img')
  })

  test('shows five hundred checks, most downtime first, and the number of the others', () => {
    const many = Array.from({ length: 502 }, (_, index) => fared({ name: `Job ${index}` }))
    const blocks = reportBlocks(report(...many, fared({ name: 'Worst' }, 0, 5)), 'Home lab', LINKS, 'UTC', new Map())
    const [, table, rest, ...others] = blocks
    expect(table?.kind === 'table' && [table.rows.length, table.rows[0]?.[0]]).toMatchObject([500, { label: 'Worst' }])
    expect(rest).toEqual({ kind: 'paragraph', text: 'Not shown: the 3 checks with the least downtime.' })
    expect(others).toEqual([])
  })
})

describe('a report is worth sending', () => {
  const since = (lastPingAt: string | null) => aCheck({ lastPingAt: lastPingAt === null ? null : instant(lastPingAt) })

  test('when a check of the project was pinged within 180 days', () => {
    expect(isWorthReporting([since(null), since('2025-09-02T09:00:00Z')], NOW)).toBe(true)
    expect(isWorthReporting([since(null), since('2025-09-02T08:59:59.999999Z')], NOW)).toBe(false)
  })

  test('not of a project without checks', () => {
    expect(isWorthReporting([], NOW)).toBe(false)
  })
})
