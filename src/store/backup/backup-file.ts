/** Copies of a database in one file: written while the database is in use, checked, and synced. */
import { Database as Connection } from 'bun:sqlite'
import { once } from 'node:events'
import { closeSync, fsyncSync, openSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../domain/errors.ts'
import { codeOf } from '../../lib/errors.ts'
import { NO_PROGRESS, type OnLongWork } from '../../lib/long-work.ts'
import { megabytes } from '../../lib/text.ts'
import { fromMicroseconds, type Instant } from '../../lib/time.ts'
import { faultReason } from '../sqlite/faults.ts'
import { LOCK_TIMEOUT_MS } from '../sqlite/lock-timeout.ts'
import { schemaVersion } from '../sqlite/migrations.ts'
import { refuseStaleLog } from '../sqlite/stale-log.ts'
import { copySize, pragma } from './copy-size.ts'

export interface BackupContents {
  /** of the data model */
  readonly version: number
  readonly projects: number
  readonly checks: number
  readonly pings: number
  /** when a server last wrote into it; null if none ever did */
  readonly lastWrittenAt: Instant | null
  /** false if it is usable only with the SECRET_KEY of its server */
  readonly keepsItsSecret: boolean
}

/**
 * @param access `read` changes no file, even if a log is beside it
 * @throws Refusal if it is not a database of this program, or the log beside it belongs to another file
 * @throws an error of SQLite if it cannot be read
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

function hasOurTables(connection: Connection): boolean {
  const names = `SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('settings', 'projects', 'checks', 'pings')`
  return connection.query(names).all().length === 4
}

/**
 * SQLite's check of each table, how their pages share the file, and of the log what each entry must have: SQLite keeps no
 * checksums, so bytes that were overwritten within the values of a row pass its check.
 * @param check `quick_check` reads every page, but does not compare indexes with tables, which takes ten times as long
 * @returns the first problem; null if there is none
 */
export function damageOf(
  connection: Connection,
  check: 'integrity_check' | 'quick_check' = 'integrity_check',
): string | null {
  // One state of the file, whatever others write meanwhile.
  connection.run('BEGIN')
  try {
    return damageOfTables(connection, check) ?? damageOfPages(connection) ?? damageOfLog(connection)
  } finally {
    // SQLite ends a transaction that meets some kinds of damage.
    if (connection.inTransaction) connection.run('ROLLBACK')
  }
}

/** Up to this size of the file, the index of the search is walked through word by word, which takes less than a second. */
const WORDS_UP_TO_BYTES = 8 * 1024 * 1024

/** Of the whole file at once, SQLite would also walk through every word of the search: a hundred times as long as the rest. */
function damageOfTables(connection: Connection, check: 'integrity_check' | 'quick_check'): string | null {
  for (const { name, isStored } of tablesOf(connection)) {
    if (!isStored && copySize(connection) > WORDS_UP_TO_BYTES) continue
    const statement = `PRAGMA ${check}('${name.replaceAll("'", "''")}')`
    try {
      const found = connection.query<Record<string, string>, []>(statement).get()
      if (found?.[check] !== 'ok') return found?.[check] ?? 'it cannot be checked'
    } catch (error) {
      // Of words whose lengths were overwritten, SQLite may want to read more than there is memory for.
      if (!isStored && /^SQLITE_(?:CORRUPT|NOMEM)/.test(codeOf(error))) return 'the words of the search cannot be read'
      throw error
    }
  }
  return null
}

/** Those that have pages of their own are stored; among them are the pages of the index of the search, which has none. */
function tablesOf(connection: Connection): { readonly name: string; readonly isStored: number }[] {
  const names = `SELECT 'sqlite_schema' AS name, 1 AS "isStored"
    UNION ALL SELECT name, rootpage > 0 FROM sqlite_schema WHERE type = 'table'`
  return connection.query<{ name: string; isStored: number }, []>(names).all()
}

const LOCK_BYTE = 2 ** 30

/** Each page belongs to one table or index, or is free. */
function damageOfPages(connection: Connection): string | null {
  const read = (sql: string) => connection.query<Record<string, number>, []>(sql).get() ?? {}
  const { used = 0, distinct = 0 } = read('SELECT COUNT(*) AS used, COUNT(DISTINCT pageno) AS "distinct" FROM dbstat')
  if (distinct < used) return `${used - distinct} pages are used twice`
  const { page_size: pageSize = 1 } = read('PRAGMA page_size')
  const { page_count: pages = 0 } = read('PRAGMA page_count')
  const { freelist_count: free = 0 } = read('PRAGMA freelist_count')
  // SQLite keeps locks in the page at 1 GiB, and stores nothing there.
  const all = pages > LOCK_BYTE / pageSize ? pages - 1 : pages
  return used + free === all ? null : `of ${all} pages, ${used} are used and ${free} are free`
}

/** Bytes overwritten in a page reach one of these two columns of an entry, unless they are fewer than 50 or all in its body. */
function damageOfLog(connection: Connection): string | null {
  if (!hasOurTables(connection)) return null
  const impossible = `SELECT id FROM pings WHERE kind NOT IN ('success', 'start', 'fail', 'log', 'ign')
    OR length(check_id) <> octet_length(check_id) LIMIT 1`
  const found = connection.query<{ id: number }, []>(impossible).get()
  return found && `entry ${found.id} of the log was overwritten`
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
  /** starts a thread that syncs the file of this descriptor while it is written */
  readonly startSync?: (file: number) => Worker
}

/**
 * Writes one state of the database into a new file, for this user only, and syncs it. Writes to the database go on.
 * @throws Refusal `disk-full` if the disk has too little room: a full disk would stop the database as well
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

/** A thread, because SQLite blocks ours. A text instead of a file, so that a compiled program contains it. */
const STEADY_SYNC = `
  const { fdatasyncSync } = require('node:fs')
  const { workerData } = require('node:worker_threads')
  setInterval(() => fdatasyncSync(workerData), 100)`

/**
 * Syncs a file bit by bit while it is written. Syncing all of a large file at once would delay the commits of a server by
 * half a second and more.
 */
function startSteadySync(file: number): Worker {
  return new Worker(STEADY_SYNC, { eval: true, workerData: file })
}

/** Never rejects: the thread is optional, because the copy is synced at the end anyway. */
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

/** Whether both names lead to one file. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

/** Turns errors of files and of SQLite into a refusal. @param what `cannot copy …` */
export function asCopyError(error: unknown, what: string): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error
  const folders = 'check that the folder exists, that this user can write to it, and that its disk has room'
  const reason = faultReason(error) ?? ('syscall' in error ? folders : null)
  if (reason === null) return error
  return new Refusal('copy-failed', `${what}: ${error.message}`, { reason }, { cause: error })
}
