/** A database as one file by itself: written from one that is in use, looked through, and made sure to be on the disk. */
import { Database as Connection } from 'bun:sqlite'
import { once } from 'node:events'
import { closeSync, fsyncSync, openSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { UserError } from '../domain/errors.ts'
import { type OnLongWork, UNTOLD } from '../domain/long-work.ts'
import { megabytes } from '../domain/text.ts'
import { fromMicroseconds, type Instant } from '../domain/time.ts'
import { copySize, pragma } from './copy-size.ts'
import { faultReason } from './faults.ts'
import { schemaVersion } from './migrations.ts'
import { refuseStaleLog } from './stale-log.ts'

const LOCK_PATIENCE_MS = 5_000

export interface BackupContents {
  /** of the data model */
  readonly version: number
  readonly projects: number
  readonly checks: number
  readonly pings: number
  /** the last that a server has written into it; null when none ever ran on it */
  readonly lastWrittenAt: Instant | null
  /** false when it is of use only with the SECRET_KEY that it was made with */
  readonly keepsItsSecret: boolean
}

/**
 * @param access what is only read stays as it is, also where a log lies beside it
 * @throws UserError when it is no database of this program, or the log beside it is not its own; an error of the engine when it cannot be read
 */
export function openFile(path: string, access: 'read' | 'write'): Connection {
  refuseStaleLog(path)
  const connection = new Connection(path, access === 'read' ? { readonly: true } : { readwrite: true, create: false })
  try {
    connection.run(`PRAGMA busy_timeout = ${LOCK_PATIENCE_MS}`)
    if (schemaVersion(connection) > 0 && hasOurTables(connection)) return connection
    throw new UserError(`${path} is no database of Overdue`, 'see that it is the right file')
  } catch (error) {
    connection.close()
    throw error
  }
}

function hasOurTables(connection: Connection): boolean {
  const names = `SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('settings', 'projects', 'checks', 'pings')`
  return connection.query(names).all().length === 4
}

/**
 * @param check the quick one reads every page, and does not compare indexes with their tables, which takes ten times as long
 * @returns the first thing that is wrong with it; null when it is sound
 */
export function damageOf(
  connection: Connection,
  check: 'integrity_check' | 'quick_check' = 'integrity_check',
): string | null {
  const found = connection.query<Record<string, string>, []>(`PRAGMA ${check}(1)`).get()
  return found?.[check] === 'ok' ? null : (found?.[check] ?? 'it cannot be checked')
}

export function readContents(connection: Connection): BackupContents {
  const number = (sql: string) => connection.query<{ value: number | null }, []>(sql).get()?.value ?? null
  const count = (table: string) => number(`SELECT COUNT(*) AS value FROM ${table}`) ?? 0
  const lastPing = number('SELECT received_at AS value FROM pings ORDER BY id DESC LIMIT 1')
  const lastBeat = number(`SELECT CAST(value AS INTEGER) AS value FROM settings WHERE name = 'alive'`)
  const last = Math.max(lastPing ?? 0, lastBeat ?? 0)
  return {
    version: schemaVersion(connection),
    projects: count('projects'),
    checks: count('checks'),
    pings: count('pings'),
    lastWrittenAt: last === 0 ? null : fromMicroseconds(last),
    keepsItsSecret: number(`SELECT 1 AS value FROM settings WHERE name = 'secret'`) !== null,
  }
}

export interface CopyOptions {
  readonly onWork?: OnLongWork
  /** the thread that brings the file of that descriptor to the disk while it is written */
  readonly startSync?: (file: number) => Worker
}

/**
 * Writes one state of the database into a new file, for this user only, and syncs it; who writes to the database
 * meanwhile is not held up.
 * @throws UserError when the disk has no room for it, since a disk that gets full would hold up the database as well
 */
export async function writeCopy(
  source: Connection,
  target: string,
  { onWork = UNTOLD, startSync = startSteadySync }: CopyOptions = {},
): Promise<void> {
  requireRoom(source, target)
  const file = openSync(target, 'wx', 0o600)
  const steady = await syncSteadily(() => startSync(file))
  try {
    onWork({ doing: 'copying', path: source.filename, bytes: copySize(source), grows: target })
    source.query('VACUUM INTO ?1').run(target)
    fsyncSync(file)
  } finally {
    await steady.stop()
    closeSync(file)
  }
}

/** A text and no file of its own, so that it is there in a compiled program too; a thread, since the engine blocks ours. */
const STEADY_SYNC = `
  const { fdatasyncSync } = require('node:fs')
  const { workerData } = require('node:worker_threads')
  setInterval(() => fdatasyncSync(workerData), 100)`

/**
 * Brings a file to the disk bit by bit while it is written. All of a large file at once keeps the disk busy for so long
 * that the commits of a server beside it wait for half a second and more.
 */
function startSteadySync(file: number): Worker {
  return new Worker(STEADY_SYNC, { eval: true, workerData: file })
}

/** Never rejects: the copy is whole without that thread, and synced once more at the end. */
async function syncSteadily(start: () => Worker): Promise<{ stop(): Promise<unknown> }> {
  try {
    const thread = start()
    thread.on('error', () => {})
    await once(thread, 'online').catch(() => {})
    return { stop: () => thread.terminate() }
  } catch {
    return { stop: async () => {} }
  }
}

function requireRoom(source: Connection, target: string): void {
  const needed = Math.ceil(pragma(source, 'page_count') * pragma(source, 'page_size') * 1.05)
  const { bavail, bsize } = statfsSync(dirname(target))
  if (bavail * bsize >= needed) return
  const hint = 'free some space, or give a folder on another disk'
  throw new UserError(
    `${dirname(target)} has ${megabytes(bavail * bsize)} left, a copy needs up to ${megabytes(needed)}`,
    hint,
  )
}

/** Whether both names lead to one file. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

/** What went wrong with files or the engine, for somebody at a terminal. @param what `cannot copy …` */
export function asCopyError(error: unknown, what: string): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error
  const folders = 'see that the folder exists, is writable for this user, and that its disk has room'
  const reason = faultReason(error) ?? ('syscall' in error ? folders : null)
  return reason === null ? error : new UserError(`${what}: ${error.message}`, reason, { cause: error })
}
