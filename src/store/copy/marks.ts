/**
 * A copy's marks, stored in the settings of both databases. Programs refuse to use a marked database. Anything written to a marked source
 * would be missing from the copy, and a marked target is not complete yet. Marks are never copied.
 */
import { Refusal } from '../../domain/errors.ts'
import { findSetting, writeSetting } from '../server/settings.ts'
import type { Database, FirstSettings, Sql } from '../sql/database.ts'
import type { Key } from './rows.ts'
import type { CopySide } from './side.ts'

interface Mark {
  /** id of the copy */
  readonly id: string
  /** ISO 8601 timestamp: when the copy began or, on the source of a finished copy, when it ended */
  readonly at: string
}

export interface SourceMark extends Mark {
  /** address of the target, without a password */
  readonly to: string
  readonly isComplete: boolean
}

export interface TargetMark extends Mark {
  /** address of the source, without a password */
  readonly from: string
  readonly position: Position
}

/** A copy's progress. */
export interface Position {
  /** number of tables that have been copied completely */
  readonly tables: number
  /** key of the last copied row in the next table; null if no row was copied */
  readonly after: Key | null
  /** total number of rows copied so far */
  readonly rows: number
}

/** Returns the mark for a copy that has not copied anything yet. */
export function newTargetMark(id: string, { address }: Pick<CopySide, 'address'>, at: string): TargetMark {
  return { id, from: address, at, position: { tables: 0, after: null, rows: 0 } }
}

/** Returns whether anything was copied. If not, the target is empty and can be used for another copy. */
export function hasBegun({ position }: TargetMark): boolean {
  return position.tables > 0 || position.rows > 0
}

const SOURCE = 'copied to'
const TARGET = 'copied from'

/** Writes infinity, which is a key in `run_durations`, as an object, because JSON cannot represent it. */
const toJson = (mark: Mark) =>
  JSON.stringify(mark, (_, value) =>
    typeof value === 'number' && !Number.isFinite(value) ? { number: `${value}` } : value,
  )
const fromJson = (text: string) =>
  JSON.parse(text, (_, value) => (typeof value?.number === 'string' ? Number(value.number) : value))

export async function findSourceMark(sql: Sql): Promise<SourceMark | null> {
  const text = await findSetting(sql, SOURCE)
  return text === null ? null : fromJson(text)
}

export async function findTargetMark(sql: Sql): Promise<TargetMark | null> {
  const text = await findSetting(sql, TARGET)
  return text === null ? null : fromJson(text)
}

export function writeSourceMark(sql: Sql, mark: SourceMark): Promise<void> {
  return writeSetting(sql, SOURCE, toJson(mark))
}

export function writeTargetMark(sql: Sql, mark: TargetMark): Promise<void> {
  return writeSetting(sql, TARGET, toJson(mark))
}

/** Returns the first settings of a target database that is created for a copy. */
export function firstSettingsOf(mark: TargetMark): FirstSettings {
  return { [TARGET]: toJson(mark) }
}

const REMOVE = 'DELETE FROM settings WHERE name = $1'

export async function removeTargetMark(sql: Sql): Promise<void> {
  await sql.run(REMOVE, [TARGET])
}

/** @throws Refusal `database-copied` if the database was copied; `database-incomplete` if it is the target of an unfinished copy */
export async function refuseCopied(database: Database, address: string): Promise<void> {
  const [source, target] = await database.read(async (sql) => [await findSourceMark(sql), await findTargetMark(sql)])
  if (target) throw incomplete(target, address)
  if (source) throw copied(source, address)
}

export function copied({ to, at, isComplete }: SourceMark, address: string): Refusal {
  const what = isComplete ? `was copied to ${to} at ${at}` : `is being copied to ${to} (started at ${at})`
  return new Refusal('database-copied', `the database ${address} ${what}`, { from: address, to, isComplete })
}

export function incomplete({ from, at }: TargetMark, address: string): Refusal {
  const message = `the database ${address} is incomplete: the copy from ${from} that began at ${at} was not finished`
  return new Refusal('database-incomplete', message, { from, to: address })
}

export interface Reopened {
  /** address to which the database was copied; null if it was not copied */
  readonly to: string | null
  readonly isComplete: boolean
}

/** Makes a copied database usable again. @throws Refusal `database-incomplete` */
export async function reopen({ database, address, open }: CopySide): Promise<Reopened> {
  return database.write(async (sql) => {
    const target = await findTargetMark(sql)
    if (target) throw incomplete(target, address)
    const source = await findSourceMark(sql)
    await sql.run(REMOVE, [SOURCE])
    await open(sql)
    return { to: source?.to ?? null, isComplete: source?.isComplete ?? false }
  })
}
