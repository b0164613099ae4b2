/** `overdue report …` */
import { type Downtime, uptimePercent } from '../domain/downtime.ts'
import { UserError } from '../domain/errors.ts'
import { REPORT_PERIODS, type ReportPeriod } from '../domain/mail-channel.ts'
import { type MailingEntry, mailChannelOf } from '../domain/mailing.ts'
import { type Report, type ReportedPeriod, type ReportRow, reportCells, reportHeads } from '../domain/report.ts'
import { oneLine } from '../domain/text.ts'
import { isoSeconds } from '../domain/time.ts'
import { UNCONFIRMED } from '../services/confirmation.ts'
import { listMailings } from '../services/mailings.ts'
import { loadReport } from '../services/reports.ts'
import { type Command, openProject, readZone, required, timeOrNull } from './command.ts'
import type { Cell, Shown } from './screen.ts'

export const reportCommands: readonly Command[] = [
  {
    words: 'report show',
    usage: '--project NAME_OR_ID --period daily|weekly|monthly [--tz ZONE]',
    summary: 'show the downtime of each check in the last two whole days, weeks or months',
    details:
      'An email channel with reports receives the same. ZONE is the IANA name of the time zone in which days begin; UTC unless given.',
    example: 'overdue report show --project Default --period weekly --tz Europe/Riga',
    options: {
      project: { type: 'string' },
      period: { type: 'string', choices: REPORT_PERIODS },
      tz: { type: 'string', default: 'UTC' },
    },
    async run({ openDeps, values, now, print }) {
      const period = readPeriod(required(values, 'period'))
      const tz = readZone(String(values.tz))
      const { deps, project } = await openProject({ openDeps, values })
      const { id, name } = project
      const report = await loadReport(deps, id, period, tz, now())
      print(represent(report, name, tz), inWords(report, name))
    },
  },
  {
    words: 'report list',
    usage: '--project NAME_OR_ID',
    summary: 'list the reports and reminders of email channels: when they are due and what went wrong',
    details: 'Reminders are due while a check is down. An error stays until the next email of its kind is accepted.',
    example: 'overdue report list --project Default',
    options: { project: { type: 'string' } },
    async run({ openDeps, values, print }) {
      const { deps, project } = await openProject({ openDeps, values })
      const entries = await listMailings(deps, project)
      const heads = ['CHANNEL', 'MAIL', 'PERIOD', 'DUE', 'ATTEMPTS', 'NEXT ATTEMPT', 'LAST ERROR']
      print(entries.map(representEntry), [{ rows: [heads, ...entries.map(entryCells)] }])
    },
  },
]

function representEntry({ channel, kind, dueAt, attempts, nextAttemptAt, error }: MailingEntry) {
  return {
    channel: { id: channel.id, name: channel.name },
    kind,
    period: periodOf(channel, kind),
    due: timeOrNull(dueAt),
    attempts,
    next_attempt: timeOrNull(nextAttemptAt),
    error,
    obstacle: obstacleOf(channel),
  }
}

function entryCells({ channel, kind, dueAt, attempts, nextAttemptAt, error }: MailingEntry): Cell[] {
  const trouble = obstacleOf(channel) ?? error ?? '-'
  return [
    channel.name || channel.kind,
    kind,
    periodOf(channel, kind) ?? '-',
    dueAt,
    String(attempts),
    nextAttemptAt,
    trouble,
  ]
}

function periodOf(channel: MailingEntry['channel'], kind: MailingEntry['kind']): string | null {
  return mailChannelOf(channel)?.[kind] ?? null
}

/** Why a channel gets no mails at all. */
function obstacleOf({ disabledReason, awaitsConfirmation }: MailingEntry['channel']): string | null {
  if (disabledReason !== null) return `disabled: ${disabledReason}`
  return awaitsConfirmation ? UNCONFIRMED : null
}

function readPeriod(text: string): ReportPeriod {
  const period = REPORT_PERIODS.find((known) => known === text)
  if (period === undefined) throw new UserError(`unknown period "${text}"`, `use one of: ${REPORT_PERIODS.join(', ')}`)
  return period
}

function represent({ periods, rows, summary }: Report, project: string, tz: string) {
  return {
    project,
    tz,
    summary,
    periods: periods.map(({ name, from, until }) => ({ name, from: isoSeconds(from), until: isoSeconds(until) })),
    checks: rows.map((row) => representRow(row, periods)),
  }
}

function representRow({ checkId, name, status, downtimes }: ReportRow, periods: readonly ReportedPeriod[]) {
  const represented = periods.map((period, index) => representDowntime(downtimes[index] ?? null, period))
  return { uuid: checkId, name, status, downtimes: represented }
}

/** Null: no data. */
function representDowntime(downtime: Downtime | null, period: ReportedPeriod) {
  if (downtime === null) return null
  const { count, microseconds } = downtime
  return {
    count,
    seconds: Math.floor(microseconds / 1_000_000),
    uptime_percent: Number(uptimePercent(downtime, period)),
  }
}

function inWords({ title, summary, periods, rows }: Report, project: string): Shown {
  const lines = rows.map((row) => [row.name, ...reportCells(row, periods)])
  const heads = reportHeads(periods).map((head) => head.toUpperCase())
  return [`${title}: ${oneLine(project)}\n${summary}\n`, { rows: [heads, ...lines] }]
}
