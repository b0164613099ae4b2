/** `kill -9` during a migration: the file is old or new, never in between, and the copy made before it is intact. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SCHEMA_VERSION } from '../../src/store/migrations.ts'
import { schemaVersion } from '../../src/store/sqlite/migrations.ts'
import FIRST_SCHEMA from '../../test/store/schemas/1.sql' with { type: 'text' }
import { byEffort, isLong } from '../support/effort.ts'
import { fixture } from '../support/fixture.ts'
import { SEED } from '../support/seed.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const CHECKS = byEffort({ short: 6_000, long: 20_000 })
const PINGS = byEffort({ short: 20_000, long: 100_000 })
const KILLS = byEffort({ short: 8, long: 60 })

const s = fixture()

function makeOld(path: string): void {
  using old = new Database(path, { create: true })
  old.run('PRAGMA journal_mode = WAL')
  old.run(FIRST_SCHEMA)
  old.run(`INSERT INTO projects VALUES ('p', 'Old', 'b', 100, 0)`)
  old.run(`
    WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${CHECKS})
    INSERT INTO checks SELECT 'check ' || i, 'p', 'up', 1, 0, NULL, i, NULL, NULL, NULL, NULL, NULL, 'simple', 60, 60, '',
      'UTC', 0, '', 0, 0, 0, 0, '', '', '', 'badge ' || i, 'unique ' || i, i, '', '', '', '' FROM s`)
  old.run(`
    WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${PINGS})
    INSERT INTO pings SELECT i, NULL, 'check ' || (i % ${CHECKS} + 1), i, i, 'success', NULL, NULL, 'http', 'POST', 'curl',
      '127.0.0.1', zeroblob(i % 300) FROM s`)
  old.run('PRAGMA user_version = 1')
}

/** Checks that the file is intact and complete. @returns the schema version */
function expectComplete(path: string): number {
  using database = new Database(path)
  expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  expect(database.query('PRAGMA foreign_key_check').values()).toEqual([])
  const counts = database.query('SELECT (SELECT COUNT(*) FROM checks), (SELECT COUNT(*) FROM pings)').values()
  expect(counts).toEqual([[CHECKS, PINGS]])
  const version = schemaVersion(database)
  const columns = database.query(`SELECT name FROM pragma_table_xinfo('checks')`).values().flat()
  expect(columns.includes('counter_id')).toBe(version > 1)
  const counters = 'SELECT COUNT(last_success_at) FROM checks JOIN counters USING (counter_id)'
  if (version > 1) expect(database.query(counters).values()).toEqual([[CHECKS]])
  return version
}

function migrate() {
  const { PATH = '', HOME = '' } = process.env
  return Bun.spawn([process.execPath, 'src/main.ts', 'migrate'], {
    cwd: join(import.meta.dir, '../..'),
    env: { PATH, HOME, DATABASE_URL: `sqlite:${s.path}` },
    stdout: 'pipe',
    stderr: 'pipe',
  })
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
    const copy = `${s.path}.v1`
    makeOld(old)
    const restoreOld = () => {
      for (const name of readdirSync(s.folder.path)) if (name.startsWith('o.db')) rmSync(s.folder.file(name))
      copyFileSync(old, s.path)
    }
    restoreOld()
    const began = performance.now()
    await migrated()
    const wholeMs = performance.now() - began
    expect(expectComplete(s.path)).toBe(SCHEMA_VERSION)

    const left = { old: 0, new: 0, copied: 0, unfinished: 0 }
    for (let kill = 0; kill < KILLS; kill += 1) {
      restoreOld()
      const child = migrate()
      await Bun.sleep(random.fraction() * wholeMs)
      child.kill('SIGKILL')
      await child.exited
      const version = expectComplete(s.path)
      left[version === 1 ? 'old' : 'new'] += 1
      if (existsSync(copy)) {
        left.copied += 1
        expect(expectComplete(copy)).toBe(1)
      }
      // A migrated database always has a copy of the old one.
      if (version > 1) expect(existsSync(copy)).toBe(true)
      if (readdirSync(s.folder.path).some((name) => /\.v1\.unfinished-\d+$/.test(name))) left.unfinished += 1

      await migrated()
      expect(expectComplete(s.path)).toBe(SCHEMA_VERSION)
      expect(expectComplete(copy)).toBe(1)
      expect(readdirSync(s.folder.path).filter((name) => name.startsWith('o.db.v1.'))).toEqual([])
    }
    expect(left.old).toBeGreaterThan(0)
    if (isLong) process.stdout.write(`${JSON.stringify({ wholeMs: Math.round(wholeMs), ...left })}\n`)
  },
  byEffort({ short: 120_000, long: 3_600_000 }),
)
