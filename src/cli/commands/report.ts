/** `overdue report …` */
import { type Downtime, uptimePercent } from '../../domain/check/downtime.ts'
import { Refusal } from '../../domain/errors.ts'
import { REPORT_PERIODS, type ReportPeriod } from '../../domain/mail/mail-channel.ts'
import { type MailingEntry, mailChannelOf } from '../../domain/mail/mailing.ts'
import { type Report, type ReportedPeriod, type ReportRow, reportCells, reportHeads } from '../../domain/mail/report.ts'
import { oneLine } from '../../lib/text.ts'
import { isoSeconds } from '../../lib/time.ts'
import { UNCONFIRMED } from '../../services/mail/confirmation.ts'
import { listMailings } from '../../services/mail/mailings.ts'
import { loadReport } from '../../services/mail/reports.ts'
import { type Command, openProject, PROJECT, readZone, timeOrNull } from '../command.ts'
import type { Cell, Shown } from '../screen.ts'

export const reportCommands: readonly Command[] = [
  {
    words: 'report show',
    usage: '--project NAME_OR_ID --period daily|weekly|monthly [--tz ZONE]',
    summary: 'show the downtime of each check in the last two full days, weeks or months',
    details:
      'Reports by email also say what is wrong with the checks that are down. ZONE is the IANA name of the time zone of the days; the default is UTC.',
    example: 'overdue report show --project Default --period weekly --tz Europe/Riga',
    options: {
      ...PROJECT,
      period: { type: 'string', required: true, choices: REPORT_PERIODS },
      tz: { type: 'string', default: 'UTC' },
    },
    async run({ openDeps, values, now, print }) {
      const period = readPeriod(String(values.period))
      const tz = readZone(String(values.tz))
      const { deps, actor } = await openProject({ openDeps, values })
      const { name } = actor.project
      const report = await loadReport(deps, actor, period, tz, now())
      print(represent(report, name, tz), inWords(report, name))
    },
  },
  {
    words: 'report list',
    usage: '--project NAME_OR_ID',
    summary: 'list the reports and reminders of email channels, when they are due, and their errors',
    details: 'Reminders are due while a check is down. An error stays until the next email of its kind is accepted.',
    example: 'overdue report list --project Default',
    options: PROJECT,
    async run({ openDeps, values, print }) {
      const { deps, actor } = await openProject({ openDeps, values })
      const entries = await listMailings(deps, actor)
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

/** Why a channel gets no email at all. */
function obstacleOf({ disabledReason, awaitsConfirmation }: MailingEntry['channel']): string | null {
  if (disabledReason !== null) return `disabled: ${disabledReason}`
  return awaitsConfirmation ? UNCONFIRMED : null
}

function readPeriod(text: string): ReportPeriod {
  const period = REPORT_PERIODS.find((known) => known === text)
  if (!period) throw new Refusal('unknown-choice', `unknown period "${text}"`, { choices: REPORT_PERIODS })
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
