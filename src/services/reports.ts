/** Reports of a project, made from what the store holds. */
import type { Check } from '../domain/check.ts'
import { createDowntimeTally, type Downtime, type Period } from '../domain/downtime.ts'
import type { ReportPeriod } from '../domain/mail-channel.ts'
import {
  isWorthReporting,
  makeReport,
  type Report,
  type ReportRow,
  reportedPeriods,
  reportRow,
} from '../domain/report.ts'
import type { Instant } from '../domain/time.ts'
import type { Deps } from './deps.ts'

/** A few milliseconds of work each, after which pings have their turn. */
const CHECKS_AT_ONCE = 200
const FLIPS_AT_ONCE = 500

export interface LoadedReport extends Report {
  /** false for a project that nobody uses */
  readonly isWorthSending: boolean
}

/**
 * The report that a channel gets at `at`: the two whole periods before. Holds a few flips at a time, however many there
 * are, and leaves the event loop to others in between.
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
  const present = now()
  const rows: ReportRow[] = []
  let isWorthSending = false
  let checks = await store.listChecksAfter(projectId, null, CHECKS_AT_ONCE)
  for (let last = checks.at(-1); last; last = checks.at(-1)) {
    isWorthSending ||= isWorthReporting(checks, at)
    for (const check of checks) rows.push(reportRow(check, await sumDowntimes(store, check, periods, present)))
    await othersTurn()
    checks = await store.listChecksAfter(projectId, last, CHECKS_AT_ONCE)
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
  // Flips that the check has made since it was read have higher numbers.
  let from = check.nFlips
  while (from > 0) {
    const flips = await store.listFlipsDownFrom(check.id, from, FLIPS_AT_ONCE)
    const oldest = flips.at(-1)
    from = tally.add(flips) && oldest ? oldest.n - 1 : 0
    await othersTurn()
  }
  return tally.downtimes()
}

function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
