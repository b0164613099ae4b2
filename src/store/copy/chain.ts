/**
 * Copies a SQLite log's chain, and links the entries the same way as when pings are written: each entry points to the head of its chain and
 * becomes the new head. The heads are in tables that were copied earlier. Cleared entries form a separate chain, up to the number in
 * `cleared_checks`.
 */
import type { Sql, Value } from '../sql/database.ts'
import { insertRows } from '../sql/insertion.ts'
import type { Row } from './rows.ts'
import type { CopiedTable } from './tables.ts'

const OF_CLEARED = `
  SELECT n_pings, last_ping_id FROM cleared_checks WHERE check_id = $1 AND n_pings >= $2 ORDER BY n_pings LIMIT 1`
// A staged check's log is staged too.
const OF_CHECK = `
  SELECT counter_id, last_ping_id FROM counters WHERE counter_id = (SELECT counter_id FROM checks WHERE id = $1)`
const OF_DELETED = 'SELECT last_ping_id FROM deleted_checks WHERE check_id = $1'
const OF_STAGED = 'SELECT last_ping_id FROM staged_logs WHERE check_id = $1'

const MOVE_CLEARED = 'UPDATE cleared_checks SET last_ping_id = $1 WHERE check_id = $2 AND n_pings = $3'
const MOVE_CHECK = 'UPDATE counters SET last_ping_id = $1 WHERE counter_id = $2'
const MOVE_DELETED = 'UPDATE deleted_checks SET last_ping_id = $1 WHERE check_id = $2'
const MOVE_STAGED = 'UPDATE staged_logs SET last_ping_id = $1 WHERE check_id = $2'

interface Head {
  /** id of the newest entry in the chain; null if the chain is empty */
  id: number | null
  /** statement that moves the head; its first parameter is the new id, followed by these values */
  readonly move: string
  readonly values: readonly Value[]
}

/** Inserts log entries. They are sorted by id, so each check's entries are sorted by number. */
export async function insertEntries(sql: Sql, { name, columns }: CopiedTable, rows: readonly Row[]): Promise<void> {
  const entries = rows.map((row) => ({
    row,
    id: Number(row[columns.indexOf('id')]),
    checkId: String(row[columns.indexOf('check_id')]),
    n: Number(row[columns.indexOf('n')]),
  }))
  const heads = await findHeads(sql, entries)
  const linked = entries.map(({ row, id }, index) => {
    const head = heads[index]
    const previous = head?.id ?? null
    if (head) head.id = id
    return [...row, previous]
  })
  await insertRows(sql, name, [...columns, 'previous_id'], linked)
  const moved = [...new Set(heads)].filter((head) => head !== null)
  for (const move of [MOVE_CLEARED, MOVE_CHECK, MOVE_DELETED, MOVE_STAGED]) {
    const own = moved.filter((head) => head.move === move)
    await sql.runEach(
      move,
      own.map(({ id, values }) => [id, ...values]),
    )
  }
}

type Entry = { readonly checkId: string; readonly n: number }
type ClearedRow = { n_pings: number; last_ping_id: number | null }
type CheckRow = { counter_id: number; last_ping_id: number | null }
type HeadRow = { last_ping_id: number | null }

/** Finds the head of each entry's chain. Entries of one chain share one object. @returns null for an entry that belongs to no check */
async function findHeads(sql: Sql, entries: readonly Entry[]): Promise<(Head | null)[]> {
  const cleared = await sql.getEach<ClearedRow>(
    OF_CLEARED,
    entries.map(({ checkId, n }) => [checkId, n]),
  )
  const ids = [...new Set(entries.map(({ checkId }) => checkId))]
  const lists = ids.map((id) => [id])
  const checks = await sql.getEach<CheckRow>(OF_CHECK, lists)
  const deleted = await sql.getEach<HeadRow>(OF_DELETED, lists)
  const staged = await sql.getEach<HeadRow>(OF_STAGED, lists)
  const heads = new Map<string, Head>()
  for (const [index, checkId] of ids.entries()) {
    const [check, gone, coming] = [checks[index], deleted[index], staged[index]]
    if (check) heads.set(checkId, { id: check.last_ping_id, move: MOVE_CHECK, values: [check.counter_id] })
    else if (gone) heads.set(checkId, { id: gone.last_ping_id, move: MOVE_DELETED, values: [checkId] })
    else if (coming) heads.set(checkId, { id: coming.last_ping_id, move: MOVE_STAGED, values: [checkId] })
  }
  for (const [index, { checkId }] of entries.entries()) {
    const row = cleared[index]
    const name = row && `${checkId} ${row.n_pings}`
    if (name && !heads.has(name))
      heads.set(name, { id: row.last_ping_id, move: MOVE_CLEARED, values: [checkId, row.n_pings] })
  }
  return entries.map(({ checkId }, index) => {
    const row = cleared[index]
    return heads.get(row ? `${checkId} ${row.n_pings}` : checkId) ?? null
  })
}
