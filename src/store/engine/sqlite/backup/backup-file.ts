/** Copies a database to a file while the database is in use, and checks and syncs copies. */
import { Database as Connection } from 'bun:sqlite'
import { once } from 'node:events'
import { closeSync, fsyncSync, openSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../../../domain/errors.ts'
import { megabytes } from '../../../../lib/text/text.ts'
import { fromMicroseconds, type Instant } from '../../../../lib/time.ts'
import { NO_PROGRESS, type OnLongWork } from '../../../../lib/work/long-work.ts'
import { faultReason } from '../faults.ts'
import { copySize, pragma } from '../file/copy-size.ts'
import { hasOurTables } from '../file/damage.ts'
import { refuseStaleLog } from '../file/stale-log.ts'
import { LOCK_TIMEOUT_MS } from '../lock-timeout.ts'
import { schemaVersion } from '../migrations.ts'

export interface BackupContents {
  /** the data model's version */
  readonly version: number
  readonly projects: number
  readonly checks: number
  readonly pings: number
  /** when a server last wrote to the database; null if no server ever did */
  readonly lastWrittenAt: Instant | null
  /** false if it can only be used with its server's SECRET_KEY */
  readonly keepsItsSecret: boolean
}

/**
 * @param access with `read`, no file is changed, even if there is a log next to the database
 * @throws Refusal if it is not a database of this program, or the log next to it belongs to another file
 * @throws a SQLite error if it cannot be read
 */
export function openFile(path: string, access: 'read' | 'write'): Connection {
  refuseStaleLog(path)
  const connection = new Connection(path, access === 'read' ? { readonly: true } : { readwrite: true, create: false })
  try {
    connection.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
    if (schemaVersion(connection) > 0 && hasOurTables(connection)) return connection
    throw new Refusal('database-foreign', `${path} is not an Overdue database`, { path, setting: null })
  } catch (error) {
    connection.close()
    throw error
  }
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

interface CopyOptions {
  readonly onWork?: OnLongWork
  /** starts a thread that syncs the file with this descriptor while the file is being written */
  readonly startSync?: (file: number) => Worker
}

/**
 * Writes a snapshot of the database to a new file that only this user may read, and syncs it. Writes to the database continue.
 * @throws Refusal `disk-full` if the disk has too little space. A full disk would stop the database too
 */
export async function writeCopy(
  source: Connection,
  target: string,
  { onWork = NO_PROGRESS, startSync = startSteadySync }: CopyOptions = {},
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

/**
 * The thread's code. A separate thread is needed because SQLite blocks the one that copies. The code is a string instead of a file, so that
 * a compiled program contains it.
 */
const STEADY_SYNC = `
  const { fdatasyncSync } = require('node:fs')
  const { workerData } = require('node:worker_threads')
  setInterval(() => fdatasyncSync(workerData), 100)`

/**
 * Syncs a file in small steps while it is being written. Syncing a large file in one step would delay a server's commits by half a second
 * or more.
 */
function startSteadySync(file: number): Worker {
  return new Worker(STEADY_SYNC, { eval: true, workerData: file })
}

/** Syncs the copy while it is being written. Never rejects, because this thread is optional: the copy is always synced at the end. */
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
  const path = dirname(target)
  const { bavail, bsize } = statfsSync(path)
  const left = bavail * bsize
  if (left >= needed) return
  const message = `${path} has only ${megabytes(left)} left, but a copy needs up to ${megabytes(needed)}`
  throw new Refusal('disk-full', message, { path, bytesLeft: left, bytesNeeded: needed })
}

/** @throws Refusal `not-regular-file` */
export function requireRegular(file: string, found: Stats): void {
  if (found.isFile()) return
  throw new Refusal('not-regular-file', `${file} is not a regular file`, { path: file, setting: null })
}

/** Returns whether both names refer to the same file. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

/** Converts file errors and SQLite errors to a refusal. @param what how the message begins, such as `cannot copy …` */
export function asCopyError(error: unknown, what: string): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error
  const folders = 'check that the folder exists, that this user can write to it, and that its disk has room'
  const reason = faultReason(error) ?? ('syscall' in error ? folders : null)
  if (reason === null) return error
  return new Refusal('copy-failed', `${what}: ${error.message}`, { reason }, { cause: error })
}
