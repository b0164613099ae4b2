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
import { type Command, openProject, readZone, required, table, timeOrNull } from './command.ts'

export const reportCommands: readonly Command[] = [
  {
    words: 'report show',
    usage: '--project NAME_OR_ID --period daily|weekly|monthly [--tz ZONE]',
    summary: 'show how the checks fared in the last two whole days, weeks or months',
    details: 'What a mail channel gets that asks for reports. ZONE is an IANA name (UTC) whose midnights are meant.',
    options: { project: { type: 'string' }, period: { type: 'string' }, tz: { type: 'string', default: 'UTC' } },
    positionals: 0,
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
    summary: 'show the reports and reminders that mail channels ask for, when they come, and how they fare',
    details: 'Reminders are due while something is down. An error stays until the next mail of its kind is taken.',
    options: { project: { type: 'string' } },
    positionals: 0,
    async run({ openDeps, values, print }) {
      const { deps, project } = await openProject({ openDeps, values })
      const entries = await listMailings(deps, project)
      const heads = ['CHANNEL', 'MAIL', 'PERIOD', 'DUE', 'ATTEMPTS', 'NEXT ATTEMPT', 'LAST ERROR']
      print(entries.map(representEntry), table([heads, ...entries.map(entryCells)]))
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

function entryCells({ channel, kind, dueAt, attempts, nextAttemptAt, error }: MailingEntry): string[] {
  const trouble = obstacleOf(channel) ?? error ?? '-'
  return [
    channel.name || channel.kind,
    kind,
    periodOf(channel, kind) ?? '-',
    timeOrNull(dueAt) ?? '-',
    String(attempts),
    timeOrNull(nextAttemptAt) ?? '-',
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
  if (period === undefined) throw new UserError(`unknown period "${text}"`, `give ${REPORT_PERIODS.join(', ')}`)
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

function inWords({ title, summary, periods, rows }: Report, project: string): string {
  const lines = rows.map((row) => [row.name, ...reportCells(row, periods)])
  return `${title}: ${oneLine(project)}\n${summary}\n\n${table([reportHeads(periods).map((head) => head.toUpperCase()), ...lines])}`
}
