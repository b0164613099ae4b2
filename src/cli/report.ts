/** `overdue report …` */
import { type Downtime, uptimePercent } from '../domain/downtime.ts'
import { UserError } from '../domain/errors.ts'
import { REPORT_PERIODS, type ReportPeriod } from '../domain/mail-channel.ts'
import { type Report, type ReportedPeriod, type ReportRow, reportCells, reportHeads } from '../domain/report.ts'
import { isoSeconds } from '../domain/time.ts'
import { getProject } from '../services/projects.ts'
import { loadReport } from '../services/reports.ts'
import { type Command, readZone, required, table } from './command.ts'

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
      const idOrName = required(values, 'project')
      const deps = await openDeps()
      const { id, name } = await getProject(deps, idOrName)
      const report = await loadReport(deps, id, period, tz, now())
      print(represent(report, name, tz), inWords(report, name))
    },
  },
]

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
  return `${title}: ${project}\n${summary}\n\n${table([reportHeads(periods).map((head) => head.toUpperCase()), ...lines])}`
}
