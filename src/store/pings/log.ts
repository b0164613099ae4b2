/** The log: what each ping of a check has brought. Each engine stores it in its own way (`engine-statements.ts`). */
import { BODY_BYTES, type LastPing } from '../../domain/alert/flip-context.ts'
import { BODY_END_BYTES } from '../../domain/cause/trouble.ts'
import type { IgnoringRule } from '../../domain/ping/classify.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { PingKind } from '../../domain/ping/signal.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { type BodyEnd, type LoggedPing, type LogLine, type PingSummary, SUBJECT_BYTES } from '../interface/pings.ts'
import { CHECKS } from '../sql/check-rows.ts'
import type { Sql } from '../sql/database.ts'
import { NUMBERS_AT_ONCE } from '../sql/engine-statements.ts'

export interface PingRow {
  check_id: string
  n: number
  received_at: number
  kind: PingKind
  exit_status: number | null
  rid: string | null
  scheme: string
  method: string
  ua: string
  remote_addr: string | null
  body: Uint8Array | null
  content_type: string | null
  ignored_by: IgnoringRule | null
}

function toPing(row: PingRow): Ping {
  return {
    checkId: row.check_id,
    n: row.n,
    receivedAt: fromMicroseconds(row.received_at),
    kind: row.kind,
    exitStatus: row.exit_status,
    rid: row.rid,
    scheme: row.scheme,
    method: row.method,
    ua: row.ua,
    remoteAddr: row.remote_addr,
    body: row.body,
    contentType: row.content_type,
    ignoredBy: row.ignored_by,
  }
}

type LoggedRow = PingRow & { dropped_bytes: number | null }

/** Newest first, at most `limit`. May include entries beyond the project's limit that `prune` has not removed yet. */
export async function listPings(sql: Sql, checkId: string, limit: number): Promise<PingSummary[]> {
  const rows = await sql.all<LoggedRow & { has_body: number }>(sql.statements.listLog, [checkId, limit])
  return rows.map((row) => {
    const { body: _, ...summary } = toPing(row)
    return { ...summary, hasBody: row.has_body === 1, droppedBytes: row.dropped_bytes }
  })
}

const N_PINGS = `SELECT n_pings FROM ${CHECKS} WHERE id = $1`

/** SQL takes no greater number for a length. */
const LONGEST = 2 ** 31 - 1

/**
 * Newest first, at most `limit`. May include entries beyond the project's limit that `prune` has not removed yet.
 * @param before the number of a ping: only entries before it are read; null begins at the newest
 * @param bytes of each body
 */
export async function readLog(
  sql: Sql,
  checkId: string,
  before: number | null,
  limit: number,
  bytes: number,
): Promise<LogLine[]> {
  const newest = await sql.get<{ n_pings: number }>(N_PINGS, [checkId])
  if (!newest) return []
  const values = [checkId, before ?? newest.n_pings + 1, limit, Math.min(bytes, LONGEST)]
  return (await sql.all<LineRow>(sql.statements.readLog, values)).map(toLine)
}

type LineRow = LoggedRow & { body_size: number | null }

function toLine(row: LineRow): LogLine {
  const { body, ...entry } = toPing(row)
  return { ...entry, bodyStart: body, bodySize: row.body_size ?? 0, droppedBytes: row.dropped_bytes }
}

/** Of the pings with these numbers whose body the log holds. Reads no other body. */
export async function readBodyEnds(sql: Sql, checkId: string, numbers: readonly number[]): Promise<BodyEnd[]> {
  const ends: BodyEnd[] = []
  for (const some of inBatches(numbers, NUMBERS_AT_ONCE)) {
    // The last one again in the places that are left.
    const wanted = Array.from({ length: NUMBERS_AT_ONCE }, (_, index) => some[index] ?? some.at(-1) ?? 0)
    ends.push(...(await sql.all<BodyEnd>(sql.statements.bodyEnds, [checkId, SUBJECT_BYTES, BODY_END_BYTES, ...wanted])))
  }
  return ends
}

/** The first `bytes` of a ping's body. @returns null if the log does not hold the ping */
export async function findPingStart(sql: Sql, checkId: string, n: number, bytes: number): Promise<LogLine | null> {
  const row = await sql.get<LineRow>(sql.statements.pingStart, [checkId, n, bytes])
  return row && toLine(row)
}

/** @returns null if the log does not hold it */
export async function findPing(sql: Sql, checkId: string, n: number): Promise<LoggedPing | null> {
  const row = await sql.get<LoggedRow>(sql.statements.ping, [checkId, n])
  return row && { ...toPing(row), droppedBytes: row.dropped_bytes }
}

type LastPingRow = LoggedRow & { body_size: number | null; long_body_end: Uint8Array | null }

/** The newest ping that is not later than `at`, with as much of its body as messages show. */
export async function findLastPing(sql: Sql, checkId: string, at: Instant): Promise<LastPing | null> {
  const values = [checkId, toMicroseconds(at), BODY_BYTES.start, BODY_BYTES.end]
  const row = await sql.get<LastPingRow>(sql.statements.pingAsOf, values)
  if (!row) return null
  const bodyEnd = row.long_body_end ?? row.body?.subarray(-BODY_BYTES.end) ?? null
  return { ...toPing(row), bodySize: row.body_size ?? 0, bodyEnd, droppedBytes: row.dropped_bytes }
}
