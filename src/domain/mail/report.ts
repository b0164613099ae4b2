/** Reports: the downtime of a project's checks during the last two complete days, weeks or months, as data and as text. */

import { oneLine } from '../../lib/text/text.ts'
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import { nameOf } from '../alert/notification.ts'
import type { Check, StoredStatus } from '../check/check.ts'
import { checkPageUrl, type Links } from '../check/representation.ts'
import { count, spanInWords } from '../duration.ts'
import { type Downtime, latestPeriods, type Period, sinceWords, uptimePercent } from '../run/downtime.ts'
import { type DownSentences, type MailBlock, type MailCell, ROWS_LIMIT } from './layout.ts'
import { mailDay } from './mail-time.ts'
import { REPORT_UNITS } from './mailing.ts'
import type { ReportPeriod } from './report-period.ts'

/** Number of periods to calculate: the two in the report, and the current one, which is not shown. */
const PERIODS = 3
const IDLE_DAYS = 180

export interface ReportedPeriod extends Period {
  /** name of the period, such as `04 Mar 2026`, `Week of 02 Mar 2026` or `March 2026` */
  readonly name: string
}

export interface ReportRow {
  readonly checkId: string
  readonly name: string
  readonly status: StoredStatus
  /** downtime in each of the report's periods; null: no data */
  readonly downtimes: readonly (Downtime | null)[]
}

export interface Report {
  /** title such as `Monthly Report` */
  readonly title: string
  /** the report's periods, oldest first */
  readonly periods: readonly ReportedPeriod[]
  /** report rows, sorted by downtime in the last period, longest first, then by name */
  readonly rows: readonly ReportRow[]
  /** summary such as `February 2026: 12 checks, 3 downtimes of 1 hour, 5 minutes in total.` Durations are rounded down, as in the rows */
  readonly summary: string
}

const TITLES: Readonly<Record<ReportPeriod, string>> = {
  daily: 'Daily Report',
  weekly: 'Weekly Report',
  monthly: 'Monthly Report',
}

/**
 * Returns the last two complete periods before `at`, oldest first.
 * @param tz IANA name
 */
export function reportedPeriods(period: ReportPeriod, tz: string, at: Instant): ReportedPeriod[] {
  const unit = REPORT_UNITS[period]
  return latestPeriods(unit, PERIODS, tz, at)
    .slice(0, -1)
    .map((shown) => {
      if (unit === 'month') {
        return { ...shown, name: shown.firstDay.toLocaleString('en', { month: 'long', year: 'numeric' }) }
      }
      const day = mailDay(shown.from, tz)
      return { ...shown, name: unit === 'week' ? `Week of ${day}` : day }
    })
}

/**
 * Whether a project is in use: at least one of its checks had a success or failure during the last half year.
 * @param at when the report is due
 */
export function isWorthReporting(checks: readonly Check[], at: Instant): boolean {
  const since = addSeconds(at, -IDLE_DAYS * 86_400)
  return checks.some(({ lastPingAt }) => lastPingAt !== null && !isBefore(lastPingAt, since))
}

/** @param downtimes a value for each of the report's periods */
export function reportRow(check: Check, downtimes: readonly (Downtime | null)[]): ReportRow {
  return { checkId: check.id, name: oneLine(nameOf(check)), status: check.status, downtimes }
}

/** @param rows a row for each of the project's checks, in any order */
export function makeReport(
  period: ReportPeriod,
  periods: readonly ReportedPeriod[],
  rows: readonly ReportRow[],
): Report {
  return { title: TITLES[period], periods, rows: rows.toSorted(worstFirst), summary: summaryOf(periods, rows) }
}

const NATURALLY = new Intl.Collator('en', { numeric: true })

function worstFirst(a: ReportRow, b: ReportRow): number {
  for (let index = a.downtimes.length - 1; index >= 0; index -= 1) {
    const difference = (b.downtimes[index]?.microseconds ?? 0) - (a.downtimes[index]?.microseconds ?? 0)
    if (difference !== 0) return difference
  }
  return NATURALLY.compare(a.name, b.name)
}

function summaryOf(periods: readonly ReportedPeriod[], rows: readonly ReportRow[]): string {
  const known = rows.map((row) => row.downtimes.at(-1)).filter((downtime) => downtime != null)
  const total = {
    count: known.reduce((sum, downtime) => sum + downtime.count, 0),
    microseconds: known.reduce((sum, downtime) => sum + downtime.microseconds, 0),
  }
  return `${periods.at(-1)?.name}: ${count(rows.length, 'check')}, ${totalInWords(total, known.length)}.`
}

function totalInWords(total: Pick<Downtime, 'count' | 'microseconds'>, known: number): string {
  if (known === 0) return 'no data'
  return total.count === 0 ? 'no downtime' : inWords(total)
}

function inWords({ count: times, microseconds }: Pick<Downtime, 'count' | 'microseconds'>): string {
  const words = `${count(times, 'downtime')} of ${spanInWords(microseconds / 1_000_000)}`
  return times === 1 ? words : `${words} in total`
}

/** Returns the rows that the email lists: the rows of the checks with the most downtime. */
export function listedRows({ rows }: Report): readonly ReportRow[] {
  return rows.slice(0, ROWS_LIMIT)
}

/**
 * Formats the report as email blocks.
 * @param sentences a sentence for each of the {@link listedRows} that is down
 * @param tz IANA name of the time zone for times in these sentences
 */
export function reportBlocks(
  report: Report,
  projectName: string,
  links: Links,
  tz: string,
  sentences: DownSentences,
): MailBlock[] {
  const { summary, rows, periods } = report
  const shown = listedRows(report)
  const down = shown.flatMap(({ checkId, name }) => {
    const sentence = sentences.get(checkId)
    return sentence === undefined ? [] : [`${name}: ${sentence}`]
  })
  const hidden = rows.length - shown.length
  return [
    { kind: 'paragraph', text: `Project ${oneLine(projectName)}. ${summary}` },
    {
      kind: 'table',
      heads: reportHeads(periods),
      rows: shown.map((row) => [{ label: row.name, url: checkPageUrl(row.checkId, links) }, ...mailCells(row, tz)]),
    },
    ...(hidden > 0
      ? [{ kind: 'paragraph', text: `Not shown: the ${count(hidden, 'check')} with the least downtime.` } as const]
      : []),
    ...(down.length > 0
      ? [{ kind: 'heading', text: `Down now (times in ${tz})` } as const, { kind: 'list', items: down } as const]
      : []),
  ]
}

export function reportHeads(periods: readonly ReportedPeriod[]): string[] {
  return ['Check', 'Status', ...periods.map(({ name }) => name)]
}

/**
 * Returns a row's cells after the name, such as `up` or `DOWN`, `no data`, `99.31 %, 2 downtimes of 5 hours, 2 minutes in total` or `100.00
 * % since 20 Nov`. `DOWN` is in capitals so that it stands out without colour.
 * @param tz IANA name
 */
export function reportCells({ status, downtimes }: ReportRow, tz: string): string[] {
  const word = status === 'down' ? 'DOWN' : status
  return [word, ...downtimes.map((downtime) => downtimeInWords(downtime, tz))]
}

function mailCells(row: ReportRow, tz: string): MailCell[] {
  const [word = '', ...rest] = reportCells(row, tz)
  const tone = TONES[row.status]
  return [tone ? { text: word, tone } : word, ...rest]
}

const TONES: Partial<Record<StoredStatus, 'good' | 'bad'>> = { up: 'good', down: 'bad' }

function downtimeInWords(downtime: Downtime | null, tz: string): string {
  if (downtime === null) return 'no data'
  const since = sinceWords(downtime, tz)
  const uptime = `${uptimePercent(downtime)} %${since === null ? '' : ` ${since}`}`
  return downtime.count === 0 ? uptime : `${uptime}, ${inWords(downtime)}`
}
