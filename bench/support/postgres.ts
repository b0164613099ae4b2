/** A PostgreSQL server for benchmarks: on disk, with `fsync`, and with default settings except for its socket. */
import { tmpdir } from 'node:os'
import { SQL } from 'bun'
import { startCluster, USER } from '../../test/support/postgres/cluster.ts'
import { programFolder } from '../../test/support/postgres/programs.ts'
import { progress } from './figures.ts'
import { cpuSeconds, cpuSecondsOfEnded } from './process-figures.ts'
import type { Row } from './table.ts'

/** Defaults of settings that tests change. */
const AS_IT_COMES = {
  max_connections: '100',
  shared_buffers: '128MB',
  autovacuum: 'on',
  dynamic_shared_memory_type: 'posix',
}

export interface PostgresServer {
  /** `PostgreSQL 15.20` */
  readonly version: string
  /** Creates an empty database. @returns its DATABASE_URL */
  createDatabase(name: string): Promise<string>
  /** Runs work on a connection of a database. */
  on<Result>(database: string, work: (sql: SQL) => Promise<Result>): Promise<Result>
  /**
   * Grows the write-ahead log to a gigabyte, as on a server in use. A new server creates the files of its log while it commits: it fills 16
   * MiB with zeros, and all commits wait for that.
   */
  growLog(): Promise<void>
  /** Returns the processor time of all its processes so far. */
  cpuSeconds(): number
  remove(): Promise<void>
}

function isInstalled(): boolean {
  try {
    programFolder()
    return true
  } catch {
    return false
  }
}

/** Runs a benchmark on a server of its own. @returns no rows if PostgreSQL is not installed */
export async function onPostgres(measure: (server: PostgresServer) => Promise<Row[]>): Promise<Row[]> {
  if (!isInstalled()) {
    progress('left out: PostgreSQL is not installed')
    return []
  }
  const server = await startPostgres()
  try {
    return await measure(server)
  } finally {
    await server.remove()
  }
}

/** @throws Error when PostgreSQL is not installed */
export async function startPostgres(): Promise<PostgresServer> {
  const cluster = await startCluster({ parent: tmpdir(), fsync: true, settings: AS_IT_COMES })
  const on: PostgresServer['on'] = async (database, work) => {
    const path = `${cluster.folder}/.s.PGSQL.${cluster.port}`
    const sql = new SQL({ adapter: 'postgres', path, username: USER, database, max: 1, idleTimeout: 0 })
    try {
      return await work(sql)
    } finally {
      await sql.close()
    }
  }
  const [row] = await on('postgres', (sql) => sql.unsafe('SHOW server_version'))
  return {
    version: `PostgreSQL ${String(row.server_version).split(' ')[0]}`,
    async createDatabase(name) {
      await on('postgres', (sql) => sql.unsafe(`CREATE DATABASE ${name}`))
      return cluster.url(name)
    },
    on,
    growLog: () => on('postgres', growLog),
    cpuSeconds: () => cluster.processes().reduce((sum, pid) => sum + cpuSeconds(pid), cpuSecondsOfEnded(cluster.pid)),
    remove: () => cluster.remove(),
  }
}

const LOG_FILES = 64
const LEAST_LOG_FILES = 60

async function growLog(sql: SQL): Promise<void> {
  const set = async (...settings: string[]) => {
    for (const setting of settings) await sql.unsafe(`ALTER SYSTEM ${setting}`)
    await sql.unsafe('SELECT pg_reload_conf()')
  }
  // Prevents a checkpoint in between.
  await set("SET min_wal_size = '1GB'", "SET max_wal_size = '4GB'")
  await sql.unsafe('CHECKPOINT')
  for (let file = 0; file < LOG_FILES; file += 1) {
    await sql.unsafe("SELECT pg_logical_emit_message(false, 'bench', '')")
    await sql.unsafe('SELECT pg_switch_wal()')
  }
  // Keeps the files, renamed for future segments.
  await sql.unsafe('CHECKPOINT')
  await set('RESET max_wal_size')
  const [row] = await sql.unsafe('SELECT COUNT(*)::integer AS files FROM pg_ls_waldir()')
  if (row.files < LEAST_LOG_FILES) throw new Error(`PostgreSQL has kept only ${row.files} files of its log`)
}
