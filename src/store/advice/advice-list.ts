/** Lists and counts advice for display. */

import type { AdviceKind } from '../../domain/advice/advice.ts'
import type { StoredAdvice } from '../interface/advice.ts'
import { markOf, type Page, type PageMark, toPage } from '../pages.ts'
import type { Row } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { ADVICE } from '../tables/checks.ts'

const LISTED_AT_ONCE = 100

// CROSS makes SQLite read the checks first. An index returns them in order, so SQLite can read a page without sorting all the rows.
export const LIST_ADVICE = `
  SELECT advice.*, checks.created_at FROM checks CROSS JOIN advice
  WHERE checks.project_id = $1 AND checks.created_at > $2
    AND advice.check_id = checks.id AND advice.project_id = $1 AND advice.data IS NOT NULL
  ORDER BY checks.created_at LIMIT ${LISTED_AT_ONCE}`

/** Lists the project's checks that have advice, even hidden advice, in order of creation. */
export async function listAdvice(sql: Sql, projectId: string, after: PageMark | null): Promise<Page<StoredAdvice>> {
  const rows = await sql.all<Row & { created_at: number }>(LIST_ADVICE, [projectId, markOf(after)])
  return toPage(rows, LISTED_AT_ONCE, rows.map(ADVICE.read), (row) => row.created_at)
}

const FIXED_AT_MOST = 500

export const LIST_FIXED = `SELECT * FROM advice WHERE project_id = $1 AND fixed IS NOT NULL LIMIT ${FIXED_AT_MOST}`

/** Lists up to 500 of the project's checks to which a member has applied a fix, in no particular order. */
export function listFixed(sql: Sql, projectId: string): Promise<StoredAdvice[]> {
  return ADVICE.all(sql, LIST_FIXED, [projectId])
}

export const COUNT_ADVICE = `
  SELECT kind, COUNT(*) AS count FROM advice
  WHERE project_id = $1 AND data IS NOT NULL AND kind IS NOT NULL GROUP BY kind`

/** Counts the project's checks that have visible advice, by kind of advice. */
export async function countAdvice(sql: Sql, projectId: string): Promise<ReadonlyMap<AdviceKind, number>> {
  return toCounts(await sql.all<CountRow>(COUNT_ADVICE, [projectId]))
}

const COUNT_ALL = 'SELECT kind, COUNT(*) AS count FROM advice WHERE data IS NOT NULL AND kind IS NOT NULL GROUP BY kind'

/** Counts the checks of all projects that have visible advice, by kind of advice. */
export async function countAllAdvice(sql: Sql): Promise<ReadonlyMap<AdviceKind, number>> {
  return toCounts(await sql.all<CountRow>(COUNT_ALL, []))
}

type CountRow = { kind: AdviceKind; count: number }

function toCounts(rows: readonly CountRow[]): ReadonlyMap<AdviceKind, number> {
  return new Map(rows.map(({ kind, count }) => [kind, count]))
}

const FIND = 'SELECT * FROM advice WHERE check_id = $1'

/** Finds the stored advice of checks, in the order of the ids; null for a check that is not enrolled yet. Pass only a few ids at a time. */
export function findAdviceOf(sql: Sql, ids: readonly string[]): Promise<(StoredAdvice | null)[]> {
  return ADVICE.getEach(
    sql,
    FIND,
    ids.map((id) => [id]),
  )
}
