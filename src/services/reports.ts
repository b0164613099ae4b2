/** Reports of a project, made from what the store holds. */

import type { ReportPeriod } from '../domain/mail-channel.ts'
import { isWorthReporting, makeReport, type Report, reportedPeriods } from '../domain/report.ts'
import type { Instant } from '../domain/time.ts'
import type { Deps } from './deps.ts'

export interface LoadedReport extends Report {
  /** false for a project that nobody uses */
  readonly isWorthSending: boolean
}

/**
 * The report that a channel gets at `at`: the two whole periods before.
 * @param tz IANA name
 */
export async function loadReport(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  projectId: string,
  period: ReportPeriod,
  tz: string,
  at: Instant,
): Promise<LoadedReport> {
  const periods = reportedPeriods(period, tz, at)
  const histories = await store.listHistories(projectId, periods[0]?.from ?? at)
  return { ...makeReport(period, periods, histories, now()), isWorthSending: isWorthReporting(histories, at) }
}
