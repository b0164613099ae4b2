/**
 * Creates databases with any number of checks. The program's own code creates and pings one check; SQL copies its rows for
 * the others, since a million checks one by one take minutes. The result is verified before it is used.
 */

import { Database } from 'bun:sqlite'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/app/system-clock.ts'
import { uniqueKey } from '../../src/domain/check/unique-key.ts'
import type { Instant } from '../../src/lib/time.ts'
import { makeModel, tryPing, withDeps } from './model.ts'

export interface Prepared {
  /** folder of `bench.db` */
  readonly directory: string
  /** paths of the checks' ping URLs */
  readonly paths: readonly string[]
  /** read-write key of the project that holds all checks */
  readonly apiKey: string
}

export function databaseFile(directory: string): string {
  return join(directory, 'bench.db')
}

/** Returns a URL as in DATABASE_URL. */
export function databaseUrl(directory: string): string {
  return `sqlite:${databaseFile(directory)}`
}

/**
 * Creates `bench.db` in a directory: one project and `count` checks that are up, each with one ping in its log.
 * @param pingedAt the time of that ping; the deadline of all checks is `TIMEOUT_SECONDS + GRACE_SECONDS` later
 * @throws Error when the copies differ from what the program would have written
 */
export async function prepareDatabase(
  directory: string,
  count: number,
  pingedAt: Instant = systemClock(),
): Promise<Prepared> {
  const file = databaseFile(directory)
  const model = await withDeps(databaseUrl(directory), (deps) => makeModel(deps, pingedAt))
  const ids = await multiply(file, model.id, count)
  verify(file, ids)
  await withDeps(databaseUrl(directory), (deps) => tryPing(deps, ids, pingedAt))
  return { directory, paths: ids.map((id) => `/ping/${id}`), apiKey: model.apiKey }
}

const COPIES_AT_A_TIME = 10_000

/** @returns ids of all checks, the model's first */
async function multiply(file: string, model: string, count: number): Promise<string[]> {
  const connection = new Database(file, { strict: true })
  try {
    // Durability doesn't matter here: after a crash the file is created again.
    connection.run('PRAGMA synchronous = OFF')
    connection.run('PRAGMA cache_size = -2097152')
    connection.run('BEGIN IMMEDIATE')
    const restoreIndexes = dropIndexes(connection)
    const ids = await copyCheck(connection, model, count)
    copyCounters(connection, model)
    copyRows(connection, 'pings', { id: 'checks.counter_id', check_id: 'checks.id' }, model)
    copyRows(connection, 'events', { check_id: 'checks.id' }, model)
    restoreIndexes()
    connection.run('COMMIT')
    connection.run('PRAGMA wal_checkpoint(TRUNCATE)')
    return ids
  } finally {
    connection.close()
    syncToDisk(file)
  }
}

/** Drops the indexes, since building one takes a tenth of the time of updating it for each row. @returns a function that restores them */
function dropIndexes(connection: Database): () => void {
  const indexes = connection
    .query<{ name: string; sql: string }, []>(`SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql <> ''`)
    .all()
  for (const { name } of indexes) connection.run(`DROP INDEX ${name}`)
  return () => {
    for (const { sql } of indexes) connection.run(sql)
  }
}

async function copyCheck(connection: Database, model: string, count: number): Promise<string[]> {
  const copied = {
    id: '$id',
    badge_key: '$badgeKey',
    public_id: '$publicId',
    unique_key: '$uniqueKey',
    slug: `'backup-' || $n`,
    name: `'Nightly backup of host ' || $n`,
    created_at: 'created_at - $n',
    counter_id: 'counter_id + $n',
  }
  const { columns, values } = selection(connection, 'checks', copied)
  const copy = connection.prepare(`INSERT INTO checks (${columns}) SELECT ${values} FROM checks WHERE id = $model`)
  const ids = [model]
  while (ids.length < count) {
    const id = crypto.randomUUID()
    const publicId = ids.length.toString(36).padStart(8, '0')
    copy.run({ id, badgeKey: crypto.randomUUID(), publicId, uniqueKey: uniqueKey(id), n: ids.length, model })
    ids.push(id)
    // Lets the process handle Ctrl+C.
    if (ids.length % COPIES_AT_A_TIME === 0) await Bun.sleep(0)
  }
  return ids
}

/**
 * Copies the counters. The model's counter and ping are both number 1, so each log's newest entry has the number of the check's counter.
 */
function copyCounters(connection: Database, model: string): void {
  const copied = { counter_id: 'checks.counter_id', last_ping_id: 'checks.counter_id' }
  const { columns, values } = selection(connection, 'counters', copied)
  connection
    .prepare(
      `INSERT INTO counters (${columns}) SELECT ${values} FROM checks
       JOIN counters ON counters.counter_id = 1 WHERE checks.id <> $model`,
    )
    .run({ model })
}

/** Copies the model's rows of a table for every other check. */
function copyRows(connection: Database, table: string, replaced: Readonly<Record<string, string>>, model: string) {
  const { columns, values } = selection(connection, table, replaced)
  connection
    .prepare(
      `INSERT INTO ${table} (${columns}) SELECT ${values} FROM checks
       JOIN ${table} ON ${table}.check_id = $model WHERE checks.id <> $model`,
    )
    .run({ model })
}

/** Returns all columns of a table with the values of a copy: those of the model, except for `replaced`. */
function selection(connection: Database, table: string, replaced: Readonly<Record<string, string>>) {
  const names = connection
    .query<{ name: string }, []>(`PRAGMA table_info(${table})`)
    .all()
    .map(({ name }) => name)
  return {
    columns: names.map((name) => `"${name}"`).join(', '),
    values: names.map((name) => replaced[name] ?? `${table}."${name}"`).join(', '),
  }
}

/** Writes data to disk that the kernel would otherwise write during a measurement. */
export function syncToDisk(file: string): void {
  const descriptor = openSync(file, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Checks that the file is intact and has the right number of rows. */
function verify(file: string, ids: readonly string[]): void {
  const connection = new Database(file, { readonly: true })
  const text = (statement: string) => String(connection.query(statement).values()[0]?.[0])
  const counts = text(`SELECT (SELECT count(*) FROM checks WHERE status = 'up') || ' ' || (SELECT count(*) FROM pings)
    || ' ' || (SELECT count(*) FROM events)`)
  const integrity = text('PRAGMA integrity_check')
  const strays = connection.query('PRAGMA foreign_key_check').values().length
  connection.close()
  const whole = `${ids.length} ${ids.length} ${ids.length}`
  if (integrity !== 'ok' || strays > 0 || counts !== whole) {
    throw new Error(`a bad copy: checks, pings, flips ${counts} instead of ${whole}, ${strays} strays, ${integrity}`)
  }
}
