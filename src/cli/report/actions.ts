/** Implements the `overdue report` commands. */

import { Refusal } from '../../domain/errors.ts'
import { UNCONFIRMED } from '../../domain/mail/mail-channel.ts'
import { type MailingEntry, mailChannelOf } from '../../domain/mail/mailing.ts'
import { type Report, type ReportRow, reportCells, reportHeads } from '../../domain/mail/report.ts'
import { REPORT_PERIODS, type ReportPeriod } from '../../domain/mail/report-period.ts'
import { type Downtime, uptimePercent } from '../../domain/run/downtime.ts'
import { oneLine } from '../../lib/text/text.ts'
import { isoSeconds } from '../../lib/time.ts'
import { listMailings } from '../../services/mail/mailings.ts'
import { loadReport } from '../../services/mail/reports.ts'
import type { Context } from '../command.ts'
import { openProject } from '../project/open-project.ts'
import type { Cell, Shown } from '../terminal/screen.ts'
import { readZone, timeOrNull } from '../times.ts'

/** Runs `overdue report show`. */
export async function show({ openDeps, values, now, print }: Context): Promise<undefined> {
  const period = readPeriod(String(values.period))
  const tz = readZone(String(values.tz))
  const { deps, actor } = await openProject({ openDeps, values })
  const { name } = actor.project
  const report = await loadReport(deps, actor, period, tz, now())
  print(represent(report, name, tz), inWords(report, name, tz))
}

/** Runs `overdue report list`. */
export async function list({ openDeps, values, print }: Context): Promise<undefined> {
  const { deps, actor } = await openProject({ openDeps, values })
  const entries = await listMailings(deps, actor)
  const heads = ['CHANNEL', 'MAIL', 'PERIOD', 'DUE', 'ATTEMPTS', 'NEXT ATTEMPT', 'LAST ERROR']
  print(entries.map(representEntry), [{ rows: [heads, ...entries.map(entryCells)] }])
}

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
    { name: channel.name || channel.kind },
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

/** Returns why a channel gets no emails, or null if it gets them. */
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
    checks: rows.map(representRow),
  }
}

function representRow({ checkId, name, status, downtimes }: ReportRow) {
  return { uuid: checkId, name, status, downtimes: downtimes.map(representDowntime) }
}

/** Returns a downtime as JSON, or null if there is no data. */
function representDowntime(downtime: Downtime | null) {
  if (downtime === null) return null
  const { count, microseconds } = downtime
  return {
    count,
    seconds: Math.floor(microseconds / 1_000_000),
    uptime_percent: Number(uptimePercent(downtime)),
  }
}

function inWords({ title, summary, periods, rows }: Report, project: string, tz: string): Shown {
  const lines = rows.map((row): Cell[] => [{ name: row.name }, ...reportCells(row, tz)])
  const heads = reportHeads(periods).map((head) => head.toUpperCase())
  return [`${title}: ${oneLine(project)}\n${summary}\n`, { rows: [heads, ...lines] }]
}
