/**
 * Undoes changes to many checks. Such a change consists of several transactions, each of which stores a row. The row's key is a hash of two
 * values: the change's token, and the number of checks that earlier transactions have changed. Every row contains the time at which the
 * change began.
 *
 * A change is undone from its last row to its first, so the number in a row's key is also the number of checks left to undo after that row.
 * If there are too many rows, the server removes the oldest rows of the account that has the most rows, starting with the first row of a
 * change. One account therefore cannot prevent others from undoing their changes. A change without its first row can no longer be undone,
 * not even in part.
 *
 * A transaction writes and removes rows only after it has taken all its locks. A statement locks its rows one by one, starting with the
 * oldest, so no two transactions wait for each other.
 */
import { UNDO_SECONDS, type Undo, type UndoStep } from '../../domain/bulk/bulk.ts'
import { addSeconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { UndoKeeping, UndoKey } from '../interface/checks.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull, microsecondsOrNull } from '../sql/rows.ts'
import type { Steps } from '../sql/steps.ts'

/** Maximum number of rows. A row takes 10 kB, or 50 kB with the longest tags. */
const ROWS_KEPT = 1_600
/** Maximum number of rows to remove when storing a row, so that storing it stays fast. */
const REMOVED_AT_ONCE = 5

const PART_DIGITS = 6

function partLookup(lookup: string, stepsBefore: number): string {
  return `${lookup}.${String(stepsBefore).padStart(PART_DIGITS, '0')}`
}

// Does not insert anything if the account has since been deleted.
const INSERT = `
  INSERT INTO undos (lookup, account_id, project_id, created_at, steps)
  SELECT $1, id, $3, $4, $5 FROM accounts WHERE id = $2`

const FIND_SURPLUS = `
  SELECT lookup FROM undos WHERE account_id = (
    SELECT account_id FROM undos GROUP BY account_id ORDER BY COUNT(*) DESC, account_id LIMIT 1
  ) ORDER BY created_at, lookup LIMIT $1`
const REMOVE = 'DELETE FROM undos WHERE lookup = $1'

export async function keepUndo(
  sql: Sql,
  keeping: Omit<UndoKeeping, 'undoOf'>,
  steps: readonly UndoStep[],
): Promise<void> {
  if (steps.length === 0) return
  const { key, begunAt, stepsBefore } = keeping
  const lookup = partLookup(key.lookup, stepsBefore)
  await sql.run(INSERT, [lookup, key.accountId, key.projectId, toMicroseconds(begunAt), toText(steps)])
  await removeSurplus(sql)
}

async function removeSurplus(sql: Sql): Promise<void> {
  const row = await sql.get<{ rows: number }>('SELECT COUNT(*) AS rows FROM undos', [])
  const surplus = Math.min((row?.rows ?? 0) - ROWS_KEPT, REMOVED_AT_ONCE)
  if (surplus <= 0) return
  const oldest = await sql.all<{ lookup: string }>(FIND_SURPLUS, [surplus])
  await sql.runEach(
    REMOVE,
    oldest.map(({ lookup }) => [lookup]),
  )
}

const FIND_LAST = `
  SELECT lookup, steps FROM undos
  WHERE lookup >= $1 AND lookup <= $2 AND account_id = $3 AND project_id = $4 AND created_at > $5
    AND EXISTS (SELECT 1 FROM undos WHERE lookup = $1)
  ORDER BY lookup DESC LIMIT 1`

interface KeptUndo {
  readonly lookup: string
  readonly steps: readonly UndoStep[]
  /** number of steps left to undo after this one */
  readonly left: number
}

/** Finds the next row to undo. @returns null if nothing is left */
export async function findUndo(sql: Sql, key: UndoKey, now: Instant): Promise<KeptUndo | null> {
  const [first, last] = [partLookup(key.lookup, 0), partLookup(key.lookup, 10 ** PART_DIGITS - 1)]
  const values = [first, last, key.accountId, key.projectId, oldest(now)]
  const row = await sql.get<{ lookup: string; steps: string }>(FIND_LAST, values)
  if (row === null) return null
  return { lookup: row.lookup, steps: fromText(row.steps), left: Number(row.lookup.slice(-PART_DIGITS)) }
}

export async function isKept(sql: Sql, { lookup }: KeptUndo): Promise<boolean> {
  return (await sql.get('SELECT 1 AS found FROM undos WHERE lookup = $1', [lookup])) !== null
}

/** Removes an undo. @returns false if another process has removed it */
export async function removeUndo(sql: Sql, { lookup }: KeptUndo): Promise<boolean> {
  return (await sql.run(REMOVE, [lookup])) > 0
}

/** Maximum number of expired rows to remove per call. Later calls remove the rest. */
const EXPIRED_AT_ONCE = 200

export async function removeExpiredUndos(steps: Steps, now: Instant): Promise<void> {
  const statement = 'SELECT lookup FROM undos WHERE created_at <= $1 ORDER BY created_at, lookup LIMIT $2'
  const rows = await steps.read((sql) => sql.all<{ lookup: string }>(statement, [oldest(now), EXPIRED_AT_ONCE]))
  await steps.runEach(
    REMOVE,
    rows.map(({ lookup }) => [lookup]),
  )
}

/** Returns the time before which changes can no longer be undone. */
function oldest(now: Instant): number {
  return toMicroseconds(addSeconds(now, -UNDO_SECONDS))
}

type StateUndo = Extract<Undo, { kind: 'state' }>
type OtherUndo = Exclude<Undo, StateUndo>
type State = StateUndo['before']

/** A check's state, with times in microseconds and the run history in base64. */
interface StoredState extends Pick<State, 'status' | 'nEvents' | 'lastStartRid'> {
  readonly lastPingAt: number | null
  readonly lastStartAt: number | null
  /** missing from rows that were stored by earlier versions */
  readonly lastStartOccurredAt?: number | null
  readonly sparedUntil: number | null
  readonly runs: string
}

interface StoredStateUndo extends Pick<StateUndo, 'kind' | 'after'> {
  readonly before: StoredState
}

interface StoredStep {
  readonly publicId: string
  readonly undo: StoredStateUndo | OtherUndo
}

function toText(steps: readonly UndoStep[]): string {
  const stored = steps.map(
    ({ publicId, undo }): StoredStep => ({
      publicId,
      undo: undo.kind === 'state' ? { ...undo, before: toStored(undo.before) } : undo,
    }),
  )
  return JSON.stringify(stored)
}

function fromText(text: string): UndoStep[] {
  const stored = JSON.parse(text) as readonly StoredStep[]
  return stored.map(({ publicId, undo }) => ({
    publicId,
    undo: undo.kind === 'state' ? { ...undo, before: fromStored(undo.before) } : undo,
  }))
}

function toStored({ lastPingAt, lastStartAt, lastStartOccurredAt, sparedUntil, runs, ...rest }: State): StoredState {
  return {
    ...rest,
    lastPingAt: microsecondsOrNull(lastPingAt),
    lastStartAt: microsecondsOrNull(lastStartAt),
    lastStartOccurredAt: microsecondsOrNull(lastStartOccurredAt),
    sparedUntil: microsecondsOrNull(sparedUntil),
    runs: Buffer.from(runs).toString('base64'),
  }
}

function fromStored({ lastPingAt, lastStartAt, lastStartOccurredAt, sparedUntil, runs, ...rest }: StoredState): State {
  return {
    ...rest,
    lastPingAt: instantOrNull(lastPingAt),
    lastStartAt: instantOrNull(lastStartAt),
    lastStartOccurredAt: instantOrNull(lastStartOccurredAt ?? null),
    sparedUntil: instantOrNull(sparedUntil),
    runs: new Uint8Array(Buffer.from(runs, 'base64')),
  }
}
