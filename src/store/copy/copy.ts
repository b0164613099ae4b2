/**
 * Copies a database into another one, which may have a different engine. No other program may use either of them. The position is stored
 * with the rows, so an interrupted copy continues where it stopped. At the end, both databases are read and compared.
 */
import { count } from '../../domain/duration.ts'
import { Refusal } from '../../domain/errors.ts'
import { type Clock, isoSeconds } from '../../lib/time.ts'
import { NO_PROGRESS, type OnLongWork } from '../../lib/work/long-work.ts'
import type { Sql } from '../sql/database.ts'
import { insertRows } from '../sql/insertion.ts'
import { insertEntries } from './chain.ts'
import { type ComparedTable, compareTables } from './compare.ts'
import {
  copied,
  findSourceMark,
  findTargetMark,
  hasBegun,
  incomplete,
  newTargetMark,
  type Position,
  removeTargetMark,
  type SourceMark,
  type TargetMark,
  writeSourceMark,
  writeTargetMark,
} from './marks.ts'
import { countRows, keyOf, type Row, readPage } from './rows.ts'
import type { CopySide } from './side.ts'
import { COPIED, type CopiedTable, LOG } from './tables.ts'

export interface CopyOrder {
  readonly from: CopySide
  readonly to: CopySide
  /** new id for each copy; ignored if an earlier copy is resumed */
  readonly id: string
  readonly now: Clock
  /** stops the copy after the current page */
  readonly signal?: AbortSignal
  readonly onWork?: OnLongWork
}

export interface Copied {
  /** number of rows that had been copied before an interruption */
  readonly rowsBefore: number
  readonly tables: readonly ComparedTable[]
}

/**
 * Copies a database.
 * @throws Refusal `database-copied` if the source was copied before; `database-incomplete` if one side is part of another copy;
 * `copy-target-taken` if the target contains other data; `copy-differs` if the databases are not equal at the end; `copy-failed` if a
 * database became unusable; `copy-stopped` after the signal. After `copy-failed` or `copy-stopped`, the same copy can be retried
 */
export async function copyDatabase(order: CopyOrder): Promise<Copied> {
  try {
    return await copyAll(order)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'unavailable') throw error
    const reason = 'run the same command again: it resumes where it stopped'
    throw new Refusal('copy-failed', `the copy was interrupted: ${error.reason}`, { reason }, { cause: error })
  }
}

async function copyAll({ from, to, id, now, signal, onWork = NO_PROGRESS }: CopyOrder): Promise<Copied> {
  const begun = await begin(from, to, id, isoSeconds(now()))
  let mark = begun
  const total = await countAll(from, begun.position)
  const goOn = () => {
    if (signal?.aborted) throw stopped(mark.position.rows, total, to)
  }
  const note = (position: Position, table: string) => {
    mark = { ...begun, position }
    onWork({ doing: 'copying', table, rows: total, done: position.rows })
  }
  for (const [index, table] of COPIED.entries()) {
    while (mark.position.tables === index) {
      goOn()
      await copyPage(from, to, table, mark, note)
    }
  }
  await to.finish()
  const tables = await compareTables(from.database, to.database, (table, done) => {
    goOn()
    onWork({ doing: 'comparing', table, rows: total, done })
  })
  refuseDifferent(tables, to)
  await end(from, to, { id: begun.id, to: to.address, at: isoSeconds(now()), isComplete: true })
  return { rowsBefore: begun.position.rows, tables }
}

/** Marks both sides, the target first, so that no server uses an incomplete target as its database. */
async function begin(from: CopySide, to: CopySide, id: string, at: string): Promise<TargetMark> {
  const source = await from.database.read(findSourceMark)
  const target = await to.database.read(findTargetMark)
  if (target && target.id === source?.id) return target
  if (target && hasBegun(target)) throw incomplete(target, to.address)
  try {
    await refuseSource(from, source)
  } catch (error) {
    // The target was created for this copy.
    if (target) await release(to)
    throw error
  }
  await refuseTaken(to)
  const mark = newTargetMark(id, from, at)
  await to.database.write(async (sql) => {
    await to.close(sql)
    await sql.run(EMPTY_SETTINGS, [])
    await writeTargetMark(sql, mark)
  })
  await from.database.write(async (sql) => {
    await from.close(sql)
    await writeSourceMark(sql, { id, to: to.address, at, isComplete: false })
  })
  return mark
}

async function refuseSource({ database, address }: CopySide, mark: SourceMark | null): Promise<void> {
  const half = await database.read(findTargetMark)
  if (half) throw incomplete(half, address)
  if (mark?.isComplete) throw copied(mark, address)
}

/** Removes the mark from the target, which makes it an ordinary database. */
function release({ database, open }: CopySide): Promise<void> {
  return database.write(async (sql) => {
    await removeTargetMark(sql)
    await open(sql)
  })
}

const EMPTY_SETTINGS = 'DELETE FROM settings'

/** Rejects a target that contains data. Settings don't count as data, because commands also store some when they create a database. */
async function refuseTaken({ database, address }: CopySide): Promise<void> {
  for (const table of COPIED) {
    if (table.name === 'settings' || (await readPage(database, table, null)).length === 0) continue
    const message = `the database ${address} is not empty: there are rows in its table ${table.name}`
    throw new Refusal('copy-target-taken', message, { to: address })
  }
}

/** @returns number of rows in all tables */
async function countAll({ database }: CopySide, { tables, after, rows }: Position): Promise<number> {
  let sum = rows
  for (const [index, table] of COPIED.entries()) {
    if (index >= tables) sum += await countRows(database, table, index === tables ? after : null)
  }
  return sum
}

/** Copies a table's next rows. Stores the position in the same transaction. */
async function copyPage(
  from: CopySide,
  to: CopySide,
  table: CopiedTable,
  mark: TargetMark,
  note: (position: Position, table: string) => void,
): Promise<void> {
  const { tables, after, rows } = mark.position
  const page = await readPage(from.database, table, after)
  const last = page.at(-1)
  if (last === undefined) return note({ tables: tables + 1, after: null, rows }, table.name)
  const position = { tables, after: keyOf(table, last), rows: rows + page.length }
  await to.database.write(async (sql) => {
    await insert(sql, to, table, page)
    await writeTargetMark(sql, { ...mark, position })
  })
  note(position, table.name)
}

function insert(sql: Sql, { isChained }: CopySide, table: CopiedTable, rows: readonly Row[]): Promise<void> {
  if (table.name === LOG && isChained) return insertEntries(sql, table, rows)
  return insertRows(sql, table.name, table.columns, rows)
}

function stopped(rows: number, total: number, { address }: CopySide): Refusal {
  return new Refusal('copy-stopped', `the copy was stopped: ${rows} of ${count(total, 'row')} are in ${address}`)
}

function refuseDifferent(tables: readonly ComparedTable[], { address }: CopySide): void {
  const different = tables.filter(({ isEqual }) => !isEqual)
  if (different.length === 0) return
  const problems = different.map(({ table, rows, copied, firstDifference }) => {
    const what = firstDifference === null ? '' : `, the first row that differs has the key ${firstDifference}`
    return `${table}: ${rows} rows in the source, ${copied} in the copy${what}`
  })
  throw new Refusal('copy-differs', `the copy in ${address} differs from its source`, { to: address, problems })
}

/**
 * Marks the source as copied, then removes the target's mark. If this is interrupted between the two writes, the user can run the same
 * command again, which repeats the comparison and this step.
 */
async function end(from: CopySide, to: CopySide, mark: Parameters<typeof writeSourceMark>[1]): Promise<void> {
  await from.database.write((sql) => writeSourceMark(sql, mark))
  await release(to)
}
