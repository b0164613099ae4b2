/** Summarizes the logs of checks. The database counts the rows. */

import type { ForeignDatabase } from '../../../store/sql/foreign-database.ts'
import { placeholders } from '../../../store/sql/rows.ts'
import type { LogSummary } from '../tables.ts'
import type { Table } from './columns.ts'

interface PingCounts {
  readonly owner_id: string
  readonly pings: string
  readonly numbered: string
  readonly newest: string | null
  readonly elsewhere: string
  readonly last_success: string | null
}

interface FlipCounts {
  readonly owner_id: string
  readonly flips: string
  readonly unprocessed: string
}

type Present = ReadonlyMap<Table, ReadonlySet<string>>

/** @param checks values of `api_check.id`; pass only a few @returns summaries in the order of `checks` */
export async function summariesOf(
  database: ForeignDatabase,
  present: Present,
  checks: readonly number[],
): Promise<LogSummary[]> {
  const of = `WHERE t."owner_id" IN (${placeholders(checks.length)}) GROUP BY t."owner_id"`
  const pings = present.has('api_ping')
    ? await database.all<PingCounts>(`${pingCounts(present)} ${of}`, checks)
    : ([] as PingCounts[])
  const flips = present.has('api_flip') ? await database.all<FlipCounts>(`${FLIP_COUNTS} ${of}`, checks) : []
  const pingsOf = new Map(pings.map((row) => [Number(row.owner_id), row]))
  const flipsOf = new Map(flips.map((row) => [Number(row.owner_id), row]))
  return checks.map((check) => summaryOf(pingsOf.get(check), flipsOf.get(check)))
}

function summaryOf(pings: PingCounts | undefined, flips: FlipCounts | undefined): LogSummary {
  const numbered = Number(pings?.numbered ?? 0)
  return {
    newest: Number(pings?.newest ?? 0),
    pings: numbered,
    unnumbered: Number(pings?.pings ?? 0) - numbered,
    elsewhere: Number(pings?.elsewhere ?? 0),
    flips: Number(flips?.flips ?? 0),
    unprocessed: Number(flips?.unprocessed ?? 0),
    lastSuccess: pings?.last_success ?? null,
  }
}

function pingCounts(present: Present): string {
  const elsewhere = present.get('api_ping')?.has('object_size') ? 'COUNT(t."object_size")' : '0'
  return `
    SELECT CAST(t."owner_id" AS text) AS owner_id, CAST(COUNT(*) AS text) AS pings,
      CAST(COUNT(DISTINCT t."n") AS text) AS numbered, CAST(MAX(t."n") AS text) AS newest,
       CAST(${elsewhere} AS text) AS elsewhere,
      CAST(MAX(CASE WHEN COALESCE(t."kind", '') = '' THEN t."created" END) AS text) AS last_success
    FROM api_ping t`
}

const FLIP_COUNTS = `
  SELECT CAST(t."owner_id" AS text) AS owner_id, CAST(COUNT(*) AS text) AS flips,
    CAST(COUNT(*) - COUNT(t."processed") AS text) AS unprocessed
  FROM api_flip t`
