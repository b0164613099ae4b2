/** `kill -9` during a migration: the file is old or new, never in between, and the copy made before it is intact. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bringUpToDate, schemaVersion } from '../../src/store/engine/sqlite/migrations.ts'
import { SCHEMA_VERSION } from '../../src/store/sql/migrations.ts'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { byEffort, isLong } from '../support/effort.ts'
import { fixture } from '../support/fixture.ts'
import { SEED } from '../support/seed.ts'
import { NEXT } from './support/next-version.ts'

const CHECKS = byEffort({ short: 6_000, long: 20_000 })
const PINGS = byEffort({ short: 20_000, long: 100_000 })
const KILLS = byEffort({ short: 8, long: 60 })

const s = fixture()

function makeOld(path: string): void {
  using old = new Database(path, { create: true })
  old.run('PRAGMA journal_mode = WAL')
  bringUpToDate(old, path)
  old.run(`INSERT INTO projects (id, name, badge_key, ping_log_limit, created_at) VALUES ('p', 'Old', 'b', 100, 0)`)
  old.run(`
    WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${CHECKS})
    INSERT INTO checks (id, project_id, status, n_events, kind, timeout_seconds, grace_seconds, schedule, tz, manual_resume,
      methods, filter_subject, filter_body, filter_http_body, filter_default_fail, start_kw, success_kw, failure_kw, badge_key,
      unique_key, created_at, slug, name, tags, counter_id, public_id, "desc")
    SELECT 'check ' || i, 'p', 'up', 0, 'simple', 60, 60, '', 'UTC', 0, '', 0, 0, 0, 0, '', '', '', 'badge ' || i,
      'unique ' || i, i, '', '', '', i, i, '' FROM s`)
  old.run('INSERT INTO counters (counter_id, n_pings, last_ping_id) SELECT counter_id, 1, counter_id FROM checks')
  old.run(`
    WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${PINGS})
    INSERT INTO pings (id, check_id, n, received_at, kind, scheme, method, ua, body)
    SELECT i, 'check ' || (i % ${CHECKS} + 1), i, i, 'success', 'http', 'POST', 'curl', zeroblob(i % 300) FROM s`)
}

/** Checks that the file is intact and complete. @returns the schema version */
function expectComplete(path: string): number {
  using database = new Database(path)
  expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  expect(database.query('PRAGMA foreign_key_check').values()).toEqual([])
  const counts = database.query('SELECT (SELECT COUNT(*) FROM checks), (SELECT COUNT(*) FROM pings)').values()
  expect(counts).toEqual([[CHECKS, PINGS]])
  const version = schemaVersion(database)
  const columns = database.query(`SELECT name FROM pragma_table_xinfo('counters')`).values().flat()
  expect(columns.includes('last_kind')).toBe(version === NEXT)
  if (version === NEXT) expect(database.query('SELECT COUNT(last_kind) FROM counters').values()).toEqual([[CHECKS]])
  return version
}

function migrate() {
  return Bun.spawn([process.execPath, join(import.meta.dir, 'support/next-version.ts'), s.path], { stderr: 'pipe' })
}

/** Resolves when the migration has ended. @throws when it fails */
async function migrated(): Promise<void> {
  const child = migrate()
  const errors = await child.stderr.text()
  expect(`${await child.exited} ${errors}`).toBe('0 ')
}

test(
  'a migration that is killed leaves the old database or the new one, and the next attempt succeeds',
  async () => {
    const random = new SeededRandom(SEED)
    const old = s.folder.file('old.db')
    const copy = `${s.path}.v${SCHEMA_VERSION}`
    makeOld(old)
    const restoreOld = () => {
      for (const name of readdirSync(s.folder.path)) if (name.startsWith('o.db')) rmSync(s.folder.file(name))
      copyFileSync(old, s.path)
    }
    restoreOld()
    const began = performance.now()
    await migrated()
    const wholeMs = performance.now() - began
    expect(expectComplete(s.path)).toBe(NEXT)

    const left = { old: 0, new: 0, copied: 0, unfinished: 0 }
    for (let kill = 0; kill < KILLS; kill += 1) {
      restoreOld()
      const child = migrate()
      await Bun.sleep(random.fraction() * wholeMs)
      child.kill('SIGKILL')
      await child.exited
      const version = expectComplete(s.path)
      left[version === NEXT ? 'new' : 'old'] += 1
      if (existsSync(copy)) {
        left.copied += 1
        expect(expectComplete(copy)).toBe(SCHEMA_VERSION)
      }
      // A migrated database always has a copy of the old one.
      if (version === NEXT) expect(existsSync(copy)).toBe(true)
      if (readdirSync(s.folder.path).some((name) => /\.unfinished-\d+$/.test(name))) left.unfinished += 1

      await migrated()
      expect(expectComplete(s.path)).toBe(NEXT)
      expect(expectComplete(copy)).toBe(SCHEMA_VERSION)
      expect(readdirSync(s.folder.path).filter((name) => name.startsWith(`o.db.v${SCHEMA_VERSION}.`))).toEqual([])
    }
    expect(left.old).toBeGreaterThan(0)
    if (isLong) process.stdout.write(`${JSON.stringify({ wholeMs: Math.round(wholeMs), ...left })}\n`)
  },
  byEffort({ short: 120_000, long: 3_600_000 }),
)
