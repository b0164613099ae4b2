/** Reads the log, which contains every ping of a check. Each engine stores it differently (`engine-statements.ts`). */
import { BODY_BYTES, type LastPing } from '../../domain/alert/flip-context.ts'
import { BODY_END_BYTES } from '../../domain/cause/trouble.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import {
  type BodyEnd,
  type GoodPing,
  type LoggedPing,
  type LogLine,
  type PingSummary,
  type RunEntry,
  SUBJECT_BYTES,
} from '../interface/pings.ts'
import { CHECKS } from '../sql/check-rows.ts'
import { blob, columns, flag, instant, type Members, named, number, orNull, text, word } from '../sql/columns.ts'
import type { Database, Sql } from '../sql/database.ts'
import { NUMBERS_AT_ONCE } from '../sql/engine-statements.ts'
import { readWhole, withRest } from './long-bodies.ts'

const ENTRY: Members<Omit<LoggedPing, 'body'>> = {
  checkId: text,
  n: number,
  receivedAt: instant,
  kind: word(),
  exitStatus: orNull(number),
  rid: orNull(text),
  scheme: text,
  method: text,
  ua: text,
  remoteAddr: orNull(text),
  contentType: orNull(text),
  ignoredBy: orNull(word()),
  occurredAt: orNull(instant),
  droppedBytes: orNull(number),
}

/** size of the complete body in bytes; 0 if there is no body */
const bodySize = { read: (stored: number | null) => stored ?? 0 }

const SUMMARIES = columns<PingSummary>({ ...ENTRY, hasBody: flag })
const LINES = columns<LogLine>({ ...ENTRY, bodyStart: named('body', orNull(blob)), bodySize })
const RUN_ENTRIES = columns<RunEntry>({
  n: number,
  receivedAt: instant,
  occurredAt: orNull(instant),
  kind: word(),
  rid: orNull(text),
  remoteAddr: orNull(text),
})
const WHOLE = columns<LoggedPing & Pick<LogLine, 'bodySize'>>({ ...ENTRY, body: orNull(blob), bodySize })
const LAST = columns<Omit<LastPing, 'bodyEnd'> & { readonly longBodyEnd: Uint8Array | null }>({
  ...WHOLE.members,
  longBodyEnd: orNull(blob),
})

/**
 * Lists a check's log, newest first, at most `limit` entries. Some entries may exceed the project's limit, because `prune` has not removed
 * them yet.
 */
export function listPings(sql: Sql, checkId: string, limit: number): Promise<PingSummary[]> {
  return SUMMARIES.all(sql, sql.statements.listLog, [checkId, limit])
}

const N_PINGS = `SELECT n_pings FROM ${CHECKS} WHERE id = $1`

/** The greatest length that the engines' SQL functions accept. */
const LONGEST = 2 ** 31 - 1

/**
 * Reads a check's log with the beginning of each body, newest first, at most `limit` entries. Some entries may exceed the project's limit,
 * because `prune` has not removed them yet.
 * @param before number of the ping before which to start; null to start with the newest
 * @param bytes number of bytes to read from each body
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
  const lines: LogLine[] = []
  for (const line of await LINES.all(sql, sql.statements.readLog, values)) lines.push(await withBytes(sql, line, bytes))
  return lines
}

async function withBytes(sql: Sql, line: LogLine, bytes: number): Promise<LogLine> {
  const { bodyStart, bodySize } = line
  return { ...line, bodyStart: await withRest(sql, line, bodyStart, Math.min(bytes, bodySize)) }
}

/**
 * Reads the entries of several logs in the order of the logs, each newest first. Reads each log back to its newest success or failure
 * before `since`, or to its beginning if there is none.
 * @param logs logs to read; entries with numbers up to `upTo` are skipped. Pass only a few at a time
 */
export function readLogsSince(
  sql: Sql,
  logs: readonly { readonly checkId: string; readonly upTo: number }[],
  since: Instant,
): Promise<RunEntry[][]> {
  const at = toMicroseconds(since)
  return Promise.all(
    logs.map(({ checkId, upTo }) => RUN_ENTRIES.all(sql, sql.statements.logSince, [checkId, at, upTo])),
  )
}

/** Reads the ends of the bodies of the pings with these numbers, if the log still contains the bodies. Does not read any other bodies. */
export async function readBodyEnds(sql: Sql, checkId: string, numbers: readonly number[]): Promise<BodyEnd[]> {
  const ends: BodyEnd[] = []
  for (const some of inBatches(numbers, NUMBERS_AT_ONCE)) {
    // The list is padded with its last number, because the statement has a fixed number of parameters.
    const wanted = Array.from({ length: NUMBERS_AT_ONCE }, (_, index) => some[index] ?? some.at(-1) ?? 0)
    ends.push(...(await sql.all<BodyEnd>(sql.statements.bodyEnds, [checkId, SUBJECT_BYTES, BODY_END_BYTES, ...wanted])))
  }
  return ends
}

/** Returns the first `bytes` bytes of a ping's body. @returns null if the log does not contain the ping */
export async function findPingStart(sql: Sql, checkId: string, n: number, bytes: number): Promise<LogLine | null> {
  const found = await LINES.get(sql, sql.statements.pingStart, [checkId, n, bytes])
  return found && withBytes(sql, found, bytes)
}

const GOOD = columns<GoodPing>({ n: number, receivedAt: instant, occurredAt: orNull(instant), hasBody: flag })
/** Number of entries to search. It is large because a job that runs every minute may have been failing for hours. */
const ENTRIES_SEARCHED = 500

/** Finds the newest success before a ping. Prefers a success with a body. @returns null if the log contains no success */
export function findLastGood(sql: Sql, checkId: string, before: number): Promise<GoodPing | null> {
  return GOOD.get(sql, sql.statements.lastGood, [checkId, before, ENTRIES_SEARCHED])
}

const TRIES = 2

/**
 * Finds a log entry. Reads the pieces of a long body one by one, so that other reads can run in between.
 * @returns null if the log does not contain the entry
 * @throws Error if pieces of its body are missing
 */
export async function findPing(read: Database['read'], checkId: string, n: number): Promise<LoggedPing | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await read((sql) => WHOLE.get(sql, sql.statements.ping, [checkId, n]))
    if (!found) return null
    const { bodySize: size, ...ping } = found
    const body = await readWhole(read, ping, ping.body, size)
    // If the lengths differ, retention has dropped the body in the meantime.
    if ((body?.length ?? 0) === size) return { ...ping, body }
  }
  throw new Error(`pieces of the body of ping ${n} of check ${checkId} are missing`)
}

/** Finds the newest ping that arrived at `at` or earlier, with the part of its body that messages show. */
export async function findLastPing(sql: Sql, checkId: string, at: Instant): Promise<LastPing | null> {
  const values = [checkId, toMicroseconds(at), BODY_BYTES.start, BODY_BYTES.end]
  const found = await LAST.get(sql, sql.statements.pingAsOf, values)
  if (!found) return null
  const { longBodyEnd, ...ping } = found
  // The ends of emails are not read, because messages do not show them.
  const bodyEnd = ping.scheme === 'email' ? null : (longBodyEnd ?? ping.body?.subarray(-BODY_BYTES.end) ?? null)
  return { ...ping, bodyEnd }
}
