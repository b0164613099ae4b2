/** Builds a project's reports. */
import type { Check } from '../../domain/check/check.ts'
import {
  isWorthReporting,
  makeReport,
  type Report,
  type ReportRow,
  reportedPeriods,
  reportRow,
} from '../../domain/mail/report.ts'
import type { ReportPeriod } from '../../domain/mail/report-period.ts'
import type { Project } from '../../domain/project.ts'
import { createDowntimeTally, type Downtime, type Period } from '../../domain/run/downtime.ts'
import type { Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'

interface LoadedReport extends Report {
  /** false if the project is not in use */
  readonly isWorthSending: boolean
}

/**
 * Builds the report that a channel gets at `at`. The report covers the two full periods before that time. Only a few flips are kept in
 * memory at a time. Yields to the event loop between reads.
 * @param tz IANA name
 */
export async function loadReport(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  { project }: { readonly project: Pick<Project, 'id'> },
  period: ReportPeriod,
  tz: string,
  at: Instant,
): Promise<LoadedReport> {
  const periods = reportedPeriods(period, tz, at)
  const present = now()
  const rows: ReportRow[] = []
  let isWorthSending = false
  for await (const page of readPages((after) => store.checks.list(project.id, {}, after))) {
    const checks = page.map(({ check }) => check)
    isWorthSending ||= isWorthReporting(checks, at)
    for (const check of checks) rows.push(reportRow(check, await sumDowntimes(store, check, periods, present)))
    await nextTurn()
  }
  return { ...makeReport(period, periods, rows), isWorthSending }
}

async function sumDowntimes(
  store: Deps['store'],
  check: Check,
  periods: readonly Period[],
  now: Instant,
): Promise<(Downtime | null)[]> {
  const tally = createDowntimeTally(check, periods, now)
  if (check.nEvents === 0) return tally.downtimes()
  for await (const flips of readPages((after) => store.flips.list(check.id, {}, after))) {
    // Flips that were created after the check was read have higher numbers.
    if (!tally.add(flips.filter(({ n }) => n <= check.nEvents))) break
    await nextTurn()
  }
  return tally.downtimes()
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
