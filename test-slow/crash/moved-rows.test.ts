/**
 * `kill -9` while links, challenges, codes, invitations and offers become tokens, and flips become events: each row is in its old or its
 * new table, and the next attempt moves them all.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import ofPostgres from '../../test/store/version-13/postgres.sql' with { type: 'text' }
import ofSqlite from '../../test/store/version-13/sqlite.sql' with { type: 'text' }
import { type Folder, folderOnDisk } from '../../test/support/folder.ts'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { type PostgresDatabase, startDatabase } from '../postgres/support/database.ts'
import { byEffort } from '../support/effort.ts'
import { SEED } from '../support/seed.ts'

const OF_EACH = byEffort({ short: 10_000, long: 50_000 })
const FLIPS = byEffort({ short: 10_000, full: 100_000 })
const DELIVERIES = byEffort({ short: 10_000, full: 20_000 })
const KILLS = byEffort({ short: 5, full: 10, long: 40 })
/** Share of the time at which kills begin. The start of the program takes most of the time of one that only migrates. */
const MIGRATES_FROM = 0.4
const LOOK_EVERY_MS = 20

const upTo = (count: number) => `WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${count})`
const SERIES = upTo(OF_EACH)
const FILL = `
  ${SERIES} INSERT INTO projects (id, name, badge_key, ping_log_limit, created_at, slug)
    SELECT 'p' || i, 'p' || i, 'b' || i, 100, 0, 'p' || i FROM s;
  ${SERIES} INSERT INTO accounts (id, email, is_administrator, tz, theme, has_shortcuts, created_at)
    SELECT 'a' || i, 'a' || i, 0, 'UTC', 'system', 1, 0 FROM s;
  ${SERIES} INSERT INTO one_time_links (lookup, purpose, account_id, expires_at) SELECT 'l' || i, 'password', 'a' || i, i FROM s;
  ${SERIES} INSERT INTO challenges (lookup, kind, account_id, data, expires_at) SELECT 'c' || i, 'oidc', 'a' || i, '{}', i FROM s;
  ${SERIES} INSERT INTO recovery_codes (lookup, account_id) SELECT 'r' || i, 'a' || i FROM s;
  ${SERIES} INSERT INTO invitations (lookup, project_id, role, invited_by, created_at, expires_at)
    SELECT 'i' || i, 'p' || i, 'member', 'a' || i, 0, i FROM s;
  ${SERIES} INSERT INTO ownership_offers (project_id, from_id, to_id, created_at, expires_at)
    SELECT 'p' || i, 'a' || i, 'a' || i, 0, i FROM s;
  INSERT INTO channels (id, project_id, name, kind, settings, created_at) VALUES ('h', 'p1', 'h', 'webhook', '{}', 0);
  ${upTo(FLIPS)} INSERT INTO flips (check_id, n, created_at, old_status, new_status, reason)
    SELECT 'k' || i % 100, i, i, 'up', 'down', 'timeout' FROM s;
  ${upTo(DELIVERIES)} INSERT INTO deliveries (id, check_id, flip_n, channel_id, state, attempts, created_at, ended_at)
    SELECT 'd' || i, 'k' || i % 100, i, 'h', 'sent', 1, i, i FROM s;
  ${upTo(DELIVERIES)} INSERT INTO attempts (delivery_id, n, created_at, duration) SELECT 'd' || i, 1, i, 1 FROM s`

const REBUILT = ['deliveries', 'attempts']
const BEFORE = [
  'one_time_links',
  'challenges',
  'recovery_codes',
  'invitations',
  'ownership_offers',
  'flips',
  ...REBUILT,
]
const PURPOSES = ['password', 'oidc', 'recovery-code', 'invitation', 'ownership-offer']
const countsOf = (rows: readonly string[]) =>
  `SELECT ${rows.map((each) => `(SELECT count(*) FROM ${each})`).join(' + ')} AS n`
const COUNT_BEFORE = countsOf(BEFORE)
const COUNT_AFTER = countsOf([
  ...PURPOSES.map((purpose) => `tokens WHERE purpose = '${purpose}'`),
  `events WHERE kind = 'flip'`,
  ...REBUILT,
])

interface Engine {
  /** Replaces the database by one of version 13. @returns its DATABASE_URL */
  renew(): Promise<string>
  /** Reads the version, and the number of rows. */
  read(url: string): Promise<{ readonly version: number; readonly rows: number }>
  /** Returns the size of the database with its log, in bytes. */
  room(url: string): number | Promise<number>
}

let folder: Folder
let postgres: PostgresDatabase
beforeAll(async () => {
  folder = folderOnDisk()
  const old = new Database(folder.file('old.db'), { create: true })
  old.run(`${ofSqlite}; ${FILL}; PRAGMA user_version = 13`)
  old.close()
  postgres = await startDatabase()
  await using sql = new SQL(postgres.url, { max: 1 })
  const version = 'INSERT INTO schema_version (version, oldest_program) VALUES (13, 12)'
  await sql.unsafe(`${ofPostgres}; ${FILL}; ${version}`).simple()
}, 120_000)
afterAll(async () => {
  await postgres.cluster.remove()
  folder.remove()
})

let made = 0
const ENGINES: Readonly<Record<'sqlite' | 'postgres', Engine>> = {
  sqlite: {
    async renew() {
      for (const name of readdirSync(folder.path)) if (name.startsWith('o.db')) rmSync(folder.file(name))
      copyFileSync(folder.file('old.db'), folder.file('o.db'))
      return `sqlite:${folder.file('o.db')}`
    },
    async read(url) {
      using database = new Database(url.slice('sqlite:'.length))
      const [version = 0] = database.query('PRAGMA user_version').values().flat() as number[]
      const [rows = 0] = database
        .query(version === 13 ? COUNT_BEFORE : COUNT_AFTER)
        .values()
        .flat() as number[]
      expect(database.query('PRAGMA foreign_key_check').values()).toEqual([])
      return { version, rows }
    },
    room: () =>
      readdirSync(folder.path)
        .filter((name) => name.startsWith('o.db'))
        .reduce((sum, name) => sum + (statSync(folder.file(name), { throwIfNoEntry: false })?.size ?? 0), 0),
  },
  postgres: {
    async renew() {
      made += 1
      await postgres.asSuperuser(`CREATE DATABASE renewed_${made} TEMPLATE app OWNER app`)
      return postgres.urlOf(`renewed_${made}`)
    },
    async read(url) {
      await using sql = new SQL(url, { max: 1 })
      // The transaction of a killed process continues until PostgreSQL notices, and this waits for it.
      await sql.unsafe('BEGIN; LOCK TABLE accounts; COMMIT').simple()
      const [found] = await sql.unsafe('SELECT version FROM schema_version')
      const version = Number(found?.version)
      const [counted] = await sql.unsafe(version === 13 ? COUNT_BEFORE : COUNT_AFTER)
      return { version, rows: Number(counted?.n) }
    },
    async room(url) {
      await using sql = new SQL(url, { max: 1 })
      const [found] = await sql.unsafe('SELECT pg_database_size(current_database())::float8 AS bytes')
      return found?.bytes
    },
  },
}

function migrate(url: string) {
  const command = [process.execPath, join(import.meta.dir, '../../src/main.ts'), 'migrate']
  return Bun.spawn(command, { env: { ...process.env, DATABASE_URL: url }, stdout: 'ignore', stderr: 'pipe' })
}

async function migrated(url: string): Promise<void> {
  const child = migrate(url)
  const errors = await child.stderr.text()
  expect(`${await child.exited} ${errors}`).toStartWith('0 ')
}

/** @returns greatest size seen until the work was done */
async function mostRoom(work: Promise<void>, room: () => number | Promise<number>): Promise<number> {
  let [most, isDone] = [0, false]
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    most = Math.max(most, await room())
    await Bun.sleep(LOOK_EVERY_MS)
  }
  await done
  return most
}

function report(engine: string, ms: number, bytes: readonly number[]): void {
  const [before, most, after] = bytes.map((each) => `${(each / 2 ** 20).toFixed(1)} MiB`)
  process.stdout.write(
    `${engine}: ${FLIPS} flips and ${DELIVERIES} deliveries among ${rows} rows, migrated in ${ms.toFixed(0)} ms; ${before} before, ${most} at most, ${after} after\n`,
  )
}

const rows = (BEFORE.length - 1 - REBUILT.length) * OF_EACH + FLIPS + REBUILT.length * DELIVERIES

describe.each(['sqlite', 'postgres'] as const)('on %s', (name) => {
  test(
    'a kill leaves all rows in their old tables or all in the new ones, and the next attempt moves them',
    async () => {
      const random = new SeededRandom(SEED)
      const { renew, read, room } = ENGINES[name]
      const first = await renew()
      const before = await room(first)
      const began = performance.now()
      const most = await mostRoom(migrated(first), () => room(first))
      const wholeMs = performance.now() - began
      report(name, wholeMs, [before, most, await room(first)])
      expect(await read(first)).toEqual({ version: 14, rows })
      let killedBefore = 0
      for (let kill = 0; kill < KILLS; kill += 1) {
        const url = await renew()
        const child = migrate(url)
        await Bun.sleep((MIGRATES_FROM + (1 - MIGRATES_FROM) * random.fraction()) * wholeMs)
        child.kill('SIGKILL')
        await child.exited
        const left = await read(url)
        expect(left.rows).toBe(rows)
        if (left.version === 13) killedBefore += 1
        await migrated(url)
        expect(await read(url)).toEqual({ version: 14, rows })
      }
      expect(killedBefore).toBeGreaterThan(0)
    },
    byEffort({ short: 120_000, full: 900_000, long: 1_800_000 }),
  )
})
