/** Stores histograms of run durations. Each ping that ends a run is counted, and lists of checks include the counts. */

import type { CheckWithRuns } from '../../domain/metrics/project-metrics.ts'
import { boundOf, type RunBucket } from '../../domain/metrics/run-durations.ts'
import { markOf, type Page, type PageMark, toPage } from '../pages.ts'
import { type CheckRow, toCheck } from '../sql/check-rows.ts'
import type { Sql, Value } from '../sql/database.ts'
import { CHECKS_PER_PAGE, LIST_CHECKS } from './checks.ts'

export interface EndedRun {
  readonly checkId: string
  /** duration of the run in microseconds */
  readonly duration: number
}

const COUNT = `
  INSERT INTO run_durations (check_id, bound, runs, total) VALUES ($1, $2, 1, $3)
  ON CONFLICT (check_id, bound) DO UPDATE SET runs = run_durations.runs + 1, total = run_durations.total + $3`

export async function countRuns(sql: Sql, runs: readonly EndedRun[]): Promise<void> {
  if (runs.length === 0) return
  await sql.runEach(
    COUNT,
    runs.map(({ checkId, duration }) => [checkId, boundOf(duration), duration]),
  )
}

export const LIST_RUNS = `
  SELECT run_durations.* FROM checks JOIN run_durations ON run_durations.check_id = checks.id
  WHERE checks.project_id = $1 AND checks.created_at > $2 AND checks.created_at <= $3`

/** Lists a project's checks with their run durations, in order of creation. */
export async function listChecksWithRuns(
  sql: Sql,
  projectId: string,
  after: PageMark | null,
): Promise<Page<CheckWithRuns>> {
  const mark = markOf(after)
  const checks = await sql.all<CheckRow>(LIST_CHECKS, [projectId, mark])
  const runs = await mapRuns(sql, [projectId, mark, checks.at(-1)?.created_at ?? mark])
  const items = checks.map((row) => ({ check: toCheck(row), runs: runs.get(row.id) ?? [] }))
  return toPage(checks, CHECKS_PER_PAGE, items, (row) => row.created_at)
}

async function mapRuns(sql: Sql, page: readonly Value[]): Promise<Map<string, RunBucket[]>> {
  const runs = new Map<string, RunBucket[]>()
  for (const { check_id, ...bucket } of await sql.all<RunBucket & { check_id: string }>(LIST_RUNS, page)) {
    const known = runs.get(check_id)
    if (known) known.push(bucket)
    else runs.set(check_id, [bucket])
  }
  return runs
}
