/**
 * How changes of many checks are undone: a row for each of their transactions. Rows of one change have one hash and one age, and end
 * with the number of checks that were changed before them. They are taken from the last to the first, so what is left after one is
 * that number. A change without its first row cannot be undone, so what is removed first is that row.
 */
import { UNDO_SECONDS, type Undo, type UndoStep } from '../domain/check/bulk.ts'
import { addSeconds, type Instant, toMicroseconds } from '../lib/time.ts'
import type { Sql } from './database.ts'
import type { Steps } from './retention/steps.ts'
import { instantOrNull, microsecondsOrNull } from './rows.ts'
import type { UndoKeeping, UndoKey } from './store.ts'

/** A row takes 10 kB, with the longest tags 50 kB. */
const ROWS_KEPT = 1_600
/** Each row that comes removes at most so many, so that it costs little. */
const REMOVED_AT_ONCE = 5

const PART_DIGITS = 6

function partLookup(lookup: string, stepsBefore: number): string {
  return `${lookup}.${String(stepsBefore).padStart(PART_DIGITS, '0')}`
}

// An account may have been deleted meanwhile.
const INSERT = `
  INSERT INTO undos (lookup, account_id, project_id, created_at, steps)
  SELECT $1, id, $3, $4, $5 FROM accounts WHERE id = $2`

const REMOVE_OLDEST = `
  DELETE FROM undos WHERE lookup IN (SELECT lookup FROM undos ORDER BY created_at DESC, lookup DESC LIMIT $2 OFFSET $1)`

export async function keepUndo(sql: Sql, keeping: UndoKeeping, steps: readonly UndoStep[]): Promise<void> {
  if (steps.length === 0) return
  const { key, begunAt, stepsBefore } = keeping
  const lookup = partLookup(key.lookup, stepsBefore)
  await sql.run(INSERT, [lookup, key.accountId, key.projectId, toMicroseconds(begunAt), toText(steps)])
  await sql.run(REMOVE_OLDEST, [ROWS_KEPT, REMOVED_AT_ONCE])
}

const FIND_LAST = `
  SELECT lookup, steps FROM undos
  WHERE lookup >= $1 AND lookup <= $2 AND account_id = $3 AND project_id = $4 AND created_at > $5
    AND EXISTS (SELECT 1 FROM undos WHERE lookup = $1)
  ORDER BY lookup DESC LIMIT 1`

export interface TakenUndo {
  readonly steps: readonly UndoStep[]
  /** number of steps that are left */
  readonly left: number
}

/** @returns null if nothing is left, or another process takes the same at this moment */
export async function takeUndo(sql: Sql, key: UndoKey, now: Instant): Promise<TakenUndo | null> {
  const [first, last] = [partLookup(key.lookup, 0), partLookup(key.lookup, 10 ** PART_DIGITS - 1)]
  const values = [first, last, key.accountId, key.projectId, oldest(now)]
  const row = await sql.get<{ lookup: string; steps: string }>(FIND_LAST, values)
  if (row === null || (await sql.run('DELETE FROM undos WHERE lookup = $1', [row.lookup])) === 0) return null
  return { steps: fromText(row.steps), left: Number(row.lookup.slice(-PART_DIGITS)) }
}

/** More than this are removed at the next calls. */
const EXPIRED_AT_ONCE = 200

export async function removeExpiredUndos(steps: Steps, now: Instant): Promise<void> {
  const statement = 'SELECT lookup FROM undos WHERE created_at <= $1 ORDER BY created_at, lookup LIMIT $2'
  const rows = await steps.read((sql) => sql.all<{ lookup: string }>(statement, [oldest(now), EXPIRED_AT_ONCE]))
  await steps.runEach(
    'DELETE FROM undos WHERE lookup = $1',
    rows.map(({ lookup }) => [lookup]),
  )
}

/** Changes of this instant and earlier can no longer be undone. */
function oldest(now: Instant): number {
  return toMicroseconds(addSeconds(now, -UNDO_SECONDS))
}

type StateUndo = Extract<Undo, { kind: 'state' }>
type OtherUndo = Exclude<Undo, StateUndo>
type State = StateUndo['before']

/** With times in microseconds, and the run history as base64. */
interface StoredState extends Pick<State, 'status' | 'nFlips' | 'lastStartRid'> {
  readonly lastPingAt: number | null
  readonly lastStartAt: number | null
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

function toStored({ lastPingAt, lastStartAt, sparedUntil, runs, ...rest }: State): StoredState {
  return {
    ...rest,
    lastPingAt: microsecondsOrNull(lastPingAt),
    lastStartAt: microsecondsOrNull(lastStartAt),
    sparedUntil: microsecondsOrNull(sparedUntil),
    runs: Buffer.from(runs).toString('base64'),
  }
}

function fromStored({ lastPingAt, lastStartAt, sparedUntil, runs, ...rest }: StoredState): State {
  return {
    ...rest,
    lastPingAt: instantOrNull(lastPingAt),
    lastStartAt: instantOrNull(lastStartAt),
    sparedUntil: instantOrNull(sparedUntil),
    runs: new Uint8Array(Buffer.from(runs, 'base64')),
  }
}
