import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import schema from '../../../schema.sql' with { type: 'text' }
import { isPublicId } from '../../../src/domain/check/public-id.ts'
import { runMarks } from '../../../src/domain/check/run-history.ts'
import type { LongWork } from '../../../src/lib/long-work.ts'
import { type Migration, SCHEMA_VERSION } from '../../../src/store/migrations.ts'
import { createStore } from '../../../src/store/sql-store.ts'
import { bringUpToDate, schemaVersion } from '../../../src/store/sqlite/migrations.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { type Folder, temporaryFolder } from '../../support/folder.ts'
import { found, readWords } from '../../support/search.ts'
import { refusalOf } from '../../support/store-builders.ts'
import FIRST_SCHEMA from '../schemas/1.sql' with { type: 'text' }
import SECOND_SCHEMA from '../schemas/2.sql' with { type: 'text' }
import THIRD_SCHEMA from '../schemas/3.sql' with { type: 'text' }
import FOURTH_SCHEMA from '../schemas/4.sql' with { type: 'text' }
import FIFTH_SCHEMA from '../schemas/5.sql' with { type: 'text' }
import SIXTH_SCHEMA from '../schemas/6.sql' with { type: 'text' }
import SEVENTH_SCHEMA from '../schemas/7.sql' with { type: 'text' }
import EIGHTH_SCHEMA from '../schemas/8.sql' with { type: 'text' }
import NINTH_SCHEMA from '../schemas/9.sql' with { type: 'text' }
import TENTH_SCHEMA from '../schemas/10.sql' with { type: 'text' }
import ELEVENTH_SCHEMA from '../schemas/11.sql' with { type: 'text' }

let folder: Folder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const path = () => folder.file('o.db')

const STEPS: readonly Migration[] = [
  { to: 2, steps: ['CREATE TABLE two (x); INSERT INTO two VALUES (2)'] },
  { to: 3, steps: ['ALTER TABLE two ADD COLUMN y; UPDATE two SET y = 3'] },
  { to: 4, steps: ['DROP TABLE two; CREATE TABLE four (x)'] },
]

const INSERT_PROJECT = 'INSERT INTO projects (id, name, badge_key, ping_log_limit, created_at, slug) VALUES'

/** A database of version 1, made from today's schema, with one project in it. */
function makeOld(): Database {
  const database = new Database(path(), { create: true })
  database.run('PRAGMA journal_mode = WAL')
  bringUpToDate(database, path(), { target: 1 })
  database.run(`${INSERT_PROJECT} ('p', 'Old', 'b', 100, 0, 'old')`)
  return database
}

const tables = (database: Database) =>
  database
    .query<{ name: string }, []>(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
    .all()
    .map(({ name }) => name)

const structure = (database: Database) =>
  database.query<{ sql: string }, []>('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name').all()

describe('a new database', () => {
  test('is created from schema.sql, without a copy beside it', () => {
    using made = new Database(path(), { create: true })
    bringUpToDate(made, path())
    using model = new Database(':memory:')
    model.run(schema)
    expect(structure(made)).toEqual(structure(model))
    expect(structure(made).length).toBeGreaterThan(10)
    expect(schemaVersion(made)).toBe(SCHEMA_VERSION)
    expect(readdirSync(folder.path).filter((name) => name.includes('.v'))).toEqual([])
  })

  test('begins with the settings that are given, which an existing one does not get', () => {
    using made = new Database(path(), { create: true })
    bringUpToDate(made, path(), { target: 1, firstSettings: { first: '1' } })
    bringUpToDate(made, path(), { target: 2, migrations: STEPS, firstSettings: { later: '2' } })
    expect(made.query('SELECT name, value FROM settings').values()).toEqual([['first', '1']])
  })

  test('whose first settings cannot be written is not created', () => {
    using made = new Database(path(), { create: true })
    made.run('CREATE TEMP TABLE settings (x)')
    expect(() => bringUpToDate(made, path(), { firstSettings: { first: '1' } })).toThrow('settings')
    expect([tables(made), schemaVersion(made)]).toEqual([[], 0])
  })

  test('is not changed by a second call', () => {
    using made = makeOld()
    bringUpToDate(made, path(), { target: 1, migrations: STEPS })
    expect(made.query('SELECT name FROM projects').values()).toEqual([['Old']])
  })
})

/** The columns of every table, in whatever order, and the indexes. */
function shape(database: Database): unknown {
  const columns = tables(database).map((table) => [
    table,
    database
      .query('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?1) ORDER BY name')
      .values(table),
    database
      .query('SELECT "table", "from", "to", on_delete FROM pragma_foreign_key_list(?1) ORDER BY 1, 2')
      .values(table),
  ])
  const indexes = database.query<{ sql: string }, []>(
    `SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`,
  )
  return { columns, indexes: indexes.all().map(({ sql }) => sql.replace(/\s+/g, ' ')) }
}

describe('a database of version 1', () => {
  test('gets the same tables as a new one, and keeps its rows', () => {
    using old = new Database(path(), { create: true })
    old.run(FIRST_SCHEMA)
    old.run(`INSERT INTO projects VALUES ('p', 'Old', 'b', 100, 0);
      INSERT INTO channels VALUES ('c', 'p', 'Ops', 'webhook', '{}', 1, NULL, NULL);
      PRAGMA user_version = 1`)
    bringUpToDate(old, path())
    using made = new Database(':memory:')
    bringUpToDate(made, ':memory:')
    expect(shape(old)).toEqual(shape(made))
    expect(old.query('SELECT name, host, awaits_confirmation FROM channels').values()).toEqual([['Ops', 'c', 0]])
  })
})

test('an older database is checked, copied and migrated, and each step is reported as it begins', async () => {
  const old = new Database(path(), { create: true })
  old.run(FOURTH_SCHEMA)
  old.run('PRAGMA user_version = 4')
  old.close()
  const bytes = statSync(path()).size
  const told: LongWork[] = []
  await (await openSqlite({ path: path(), onWork: (work) => told.push(work) })).close()
  expect(told).toEqual([
    { doing: 'checking', path: path(), bytes, grows: null },
    { doing: 'copying', path: path(), bytes, grows: `${path()}.v4.unfinished-${process.pid}` },
    { doing: 'migrating', path: path(), bytes, grows: null },
  ])
})

describe('the last success of a check of version 1', () => {
  test('is its last ping if that was a success, otherwise unknown', () => {
    using old = new Database(path(), { create: true })
    old.run(FIRST_SCHEMA)
    old.run(`INSERT INTO projects VALUES ('p', 'Old', 'b', 100, 0)`)
    const insert = old.query(
      `INSERT INTO checks VALUES (?1, 'p', ?1, 1, 0, NULL, 7, NULL, NULL, NULL, NULL, NULL, 'simple', 60, 60, '', 'UTC',
        0, '', 0, 0, 0, 0, '', '', '', ?1, ?1, ?2, '', '', '', '')`,
    )
    for (const [index, status] of ['up', 'down', 'paused', 'new'].entries()) insert.run(status, index)
    old.run('PRAGMA user_version = 1')
    bringUpToDate(old, path())
    expect(
      old
        .query('SELECT status, last_success_at FROM checks JOIN counters USING (counter_id) ORDER BY created_at')
        .values(),
    ).toEqual([
      ['up', 7],
      ['down', null],
      ['paused', null],
      ['new', null],
    ])
  })
})

describe('the counters of a check of version 2', () => {
  test('move into rows of their own, each found from its check', () => {
    using old = new Database(path(), { create: true })
    old.run(SECOND_SCHEMA)
    old.run(`INSERT INTO projects VALUES ('p', 'Old', 'b', 100, 0)`)
    const insert = old.query(
      `INSERT INTO checks VALUES (?1, 'p', 'up', ?2, 1, ?3, 10, 11, 12, 'rid', 14, 15, 99, 'simple', 60, 60, '', 'UTC',
        0, '', 0, 0, 0, 0, '', '', '', ?1, ?1, ?2, '', '', '', 'text')`,
    )
    for (const [index, id] of ['c', 'a', 'b'].entries()) insert.run(id, index + 1, index + 100)
    old.run(`DELETE FROM checks WHERE id = 'a'; PRAGMA user_version = 2`)
    bringUpToDate(old, path())
    using made = new Database(':memory:')
    bringUpToDate(made, ':memory:')
    expect(shape(old)).toEqual(shape(made))
    const moved =
      old.query(`SELECT id, n_pings, last_ping_id, last_ping_at, last_success_at, last_start_at, last_start_rid,
      last_duration, spared_until, alert_after, "desc" FROM checks JOIN counters USING (counter_id) ORDER BY id`)
    expect(moved.values()).toEqual([
      ['b', 3, 102, 10, 11, 12, 'rid', 14, 15, 99, 'text'],
      ['c', 1, 100, 10, 11, 12, 'rid', 14, 15, 99, 'text'],
    ])
    expect(old.query('SELECT COUNT(*) FROM counters').values()).toEqual([[2]])
  })
})

describe('a check of version 3', () => {
  test('keeps its keywords, and an email without one is not a success', () => {
    using old = new Database(path(), { create: true })
    old.run(THIRD_SCHEMA)
    old.run(`INSERT INTO projects VALUES ('p', 'Old', 'b', 100, 0);
      INSERT INTO checks VALUES ('c', 'p', 'up', 0, NULL, 'simple', 60, 60, '', 'UTC', 0, '', 1, 0, 0, 0, '', '', 'ERR',
        'b', 'u', 1, '', '', '', 1, 'text');
      PRAGMA user_version = 3`)
    bringUpToDate(old, path())
    using made = new Database(':memory:')
    bringUpToDate(made, ':memory:')
    expect(shape(old)).toEqual(shape(made))
    expect(old.query('SELECT failure_kw, mail_default_success, counter_id, "desc" FROM checks').values()).toEqual([
      ['ERR', 0, 1, 'text'],
    ])
  })
})

describe('the flips of a check of version 4', () => {
  test('stay with their deliveries, and every log is marked for retention', () => {
    using old = new Database(path(), { create: true })
    old.run(FOURTH_SCHEMA)
    old.run(`INSERT INTO projects VALUES ('p', 'Old', 'b', 100, 0);
      INSERT INTO channels VALUES ('h', 'p', 'Ops', 'webhook', '{}', 1, NULL, NULL, 'host', 0);
      INSERT INTO counters VALUES (1, 2, 7, NULL, NULL, NULL, NULL, NULL, NULL);
      INSERT INTO checks VALUES ('c', 'p', 'up', 2, NULL, 'simple', 60, 60, '', 'UTC', 0, '', 0, 0, 0, 0, '', '', '',
        'b', 'u', 1, '', '', '', 0, 1, 'text');
      INSERT INTO pings VALUES (7, NULL, 'c', 2, 10, 'success', NULL, NULL, 'http', 'GET', '', NULL, x'61');
      INSERT INTO flips VALUES ('c', 1, 10, 'new', 'down', 'fail'), ('c', 2, 11, 'down', 'up', '');
      INSERT INTO deliveries VALUES ('d', 'c', 1, 'h', 'pending', 0, 10, 10, NULL, NULL);
      INSERT INTO overgrown_logs VALUES ('c');
      PRAGMA user_version = 4`)
    bringUpToDate(old, path())
    using made = new Database(':memory:')
    bringUpToDate(made, ':memory:')
    expect(shape(old)).toEqual(shape(made))
    const rows = (what: string) => old.query(`SELECT ${what}`).values()
    expect(rows('n, new_status, reason FROM flips')).toEqual([
      [1, 'down', 'fail'],
      [2, 'up', ''],
    ])
    expect(rows('id, state FROM deliveries')).toEqual([['d', 'pending']])
    expect(rows('* FROM overgrown_logs')).toEqual([['c', 0]])
    expect(rows('* FROM overgrown_projects')).toEqual([['p', -1]])
    expect(rows('n, CAST(body AS TEXT), dropped_bytes FROM pings')).toEqual([[2, 'a', null]])
    old.run('PRAGMA foreign_keys = ON; DELETE FROM flips WHERE n = 1')
    expect(rows('COUNT(*) FROM deliveries')).toEqual([[0]])
    expect(old.query('PRAGMA foreign_key_check').values()).toEqual([])
  })
})

describe('a database of version 5', () => {
  /** @param projects their names, in order of creation; stored in another order */
  const makeFifth = (projects: readonly string[]): Database => {
    const old = new Database(path(), { create: true })
    old.run(FIFTH_SCHEMA)
    const insert = old.query('INSERT INTO projects VALUES (?1, ?2, ?1, 100, ?3)')
    for (const [index, name] of [...projects.entries()].toReversed()) insert.run(`p${99 - index}`, name, index)
    old.run('PRAGMA user_version = 5')
    return old
  }
  const slugs = (names: readonly string[]) => {
    using old = makeFifth(names)
    bringUpToDate(old, path())
    return old
      .query<{ slug: string }, []>('SELECT slug FROM projects ORDER BY created_at')
      .all()
      .map(({ slug }) => slug)
  }

  test.each([
    ['from its name', ['Home lab', 'Über uns', 'a_b'], ['home-lab', 'uber-uns', 'a-b']],
    ['numbered when it is taken, in order of creation', ['Ops', 'ops', 'OPS!'], ['ops', 'ops-2', 'ops-3']],
    ['numbered when a name looks numbered', ['a', 'a 2', 'a'], ['a', 'a-2', 'a-3']],
    ['that says project when its name has no ASCII letter', ['日本', '', '🙂'], ['project', 'project-2', 'project-3']],
    ['of at most 30 characters', ['x'.repeat(40), 'x'.repeat(41)], ['x'.repeat(30), `${'x'.repeat(28)}-2`]],
  ])('gives each project a slug %s', (_, names, expected) => {
    expect(slugs(names)).toEqual(expected)
  })

  test('gets the same tables as a new one, without accounts, and keeps its keys, checks and log', async () => {
    const old = makeFifth(['Default'])
    old.run(`INSERT INTO keys VALUES ('k', 'p99', 'read-write', 'odw_1234', 1);
      INSERT INTO channels VALUES ('h', 'p99', 'Ops', 'webhook', '{}', 1, NULL, NULL, 'host', 0);
      INSERT INTO counters VALUES (1, 1, 7, 10, 10, NULL, NULL, NULL, NULL);
      INSERT INTO checks VALUES ('c', 'p99', 'up', 1, NULL, 'simple', 60, 60, '', 'UTC', 0, '', 0, 0, 0, 0, '', '', '',
        'b', 'u', 1, '', 'Job', '', 0, 1, 'text');
      INSERT INTO check_channels VALUES ('c', 'h');
      INSERT INTO pings VALUES (7, NULL, 'c', 1, 10, 'success', NULL, NULL, 'http', 'GET', '', NULL, x'61', NULL);
      INSERT INTO flips VALUES ('c', 1, 10, 'new', 'up', '')`)
    bringUpToDate(old, path())
    using made = new Database(':memory:')
    bringUpToDate(made, ':memory:')
    expect(shape(old)).toEqual(shape(made))
    expect(old.query('PRAGMA foreign_key_check').values()).toEqual([])
    old.close()
    const store = createStore(await openSqlite({ path: path() }))
    expect(await store.hasAccounts()).toBe(false)
    expect(await store.listAudit(10)).toEqual([])
    const found = await store.findKey('k')
    expect([found?.kind, found?.project.name, found?.project.slug]).toEqual(['read-write', 'Default', 'default'])
    const check = await store.findCheck('c')
    expect([check?.check.name, check?.check.nPings, check?.channelIds]).toEqual(['Job', 1, ['h']])
    expect(await store.listPings('c', 10)).toHaveLength(1)
    await store.close()
  })
})

test('a database of version 11 gets the same tables as a new one, and none of its projects counts as staged', async () => {
  const old = new Database(path(), { create: true })
  old.run(ELEVENTH_SCHEMA)
  old.run(`INSERT INTO projects VALUES ('p', 'Old', 'b', 100, 0, 'old', 1);
    PRAGMA user_version = 11`)
  bringUpToDate(old, path())
  using made = new Database(':memory:')
  bringUpToDate(made, ':memory:')
  expect(shape(old)).toEqual(shape(made))
  old.close()
  const store = createStore(await openSqlite({ path: path() }))
  expect((await store.listProjects()).map(({ name }) => name)).toEqual(['Old'])
  expect(await store.listStagedProjects()).toEqual([])
  await store.close()
})

test('a database of version 10 gets the same tables as a new one, and keeps its accounts and links', () => {
  using old = new Database(path(), { create: true })
  old.run(TENTH_SCHEMA)
  old.run(`INSERT INTO accounts VALUES ('a', 'ops@example.org', NULL, 1, 'UTC', 'dark', 1, 1);
    INSERT INTO sessions VALUES ('s', 'a', 1, 5, NULL, 'Firefox'), ('t', 'a', 1, 3, NULL, 'Firefox');
    INSERT INTO one_time_links VALUES ('l', 'password', 'a', 9);
    PRAGMA user_version = 10`)
  bringUpToDate(old, path())
  using made = new Database(':memory:')
  bringUpToDate(made, ':memory:')
  expect(shape(old)).toEqual(shape(made))
  const added = 'is_suspended, totp_secret, totp_step, last_seen_at, is_email_confirmed'
  expect(old.query(`SELECT ${added} FROM accounts`).values()).toEqual([[0, null, null, 5, 1]])
  expect(old.query('SELECT * FROM one_time_links').values()).toEqual([['l', 'password', 'a', 9, null]])
})

test('a database of version 9 gets the same tables as a new one, and keeps its audit log', () => {
  using old = new Database(path(), { create: true })
  old.run(NINTH_SCHEMA)
  old.run(`INSERT INTO audit VALUES ('c', 0, 1, 'person', 'a', 'ops@example.org', NULL, 'p', 'edit', 'check', 's', 'Backup',
    '{"name":"Old"}', '{"name":"Backup"}');
    INSERT INTO projects VALUES ('p', 'Old', 'b', 100, 0, 'old', 1);
    INSERT INTO keys VALUES ('l', 'p', 'read-only', 'hint', 1);
    PRAGMA user_version = 9`)
  const audit = old.query('SELECT * FROM audit').values()
  bringUpToDate(old, path())
  using made = new Database(':memory:')
  bringUpToDate(made, ':memory:')
  expect(shape(old)).toEqual(shape(made))
  expect(old.query('SELECT * FROM audit').values()).toEqual(audit)
  expect(old.query('SELECT name, last_used_at FROM keys').values()).toEqual([['', null]])
})

test('a database of version 8 gets the same tables as a new one', () => {
  using old = new Database(path(), { create: true })
  old.run(EIGHTH_SCHEMA)
  old.run('PRAGMA user_version = 8')
  bringUpToDate(old, path())
  using made = new Database(':memory:')
  bringUpToDate(made, ':memory:')
  expect(shape(old)).toEqual(shape(made))
})

describe('a database of version 7', () => {
  test('gets the same tables as a new one, and what its pings brought is found once it is read', async () => {
    const old = new Database(path(), { create: true })
    old.run(SEVENTH_SCHEMA)
    old.run(`INSERT INTO projects VALUES ('p', 'Old', 'b', 100, 0, 'old');
      INSERT INTO counters VALUES (1, 1, 7, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
      INSERT INTO checks VALUES ('c', 'p', 'up', 0, NULL, 'simple', 60, 60, '', 'UTC', 0, '', 0, 0, 0, 0, '', '', '', 'b', 'u',
        1, '', '', '', 0, 1, 'x', 'text');
      INSERT INTO pings VALUES (7, NULL, 'c', 1, 10, 'success', NULL, NULL, 'http', 'GET', '', NULL, x'6a6f62', NULL);
      PRAGMA user_version = 7`)
    bringUpToDate(old, path())
    using made = new Database(':memory:')
    bringUpToDate(made, ':memory:')
    expect(shape(old)).toEqual(shape(made))
    expect(old.query('SELECT v FROM ping_words_config WHERE k = ?1').values('automerge')).toEqual([[0]])
    old.close()
    const store = createStore(await openSqlite({ path: path() }))
    expect((await store.findProject('p'))?.isSearched).toBe(true)
    await readWords(store)
    expect(await found(store, { id: 'c', projectId: 'p' }, 'job')).toEqual([1])
    await store.close()
  })
})

describe('a database of version 6', () => {
  const INSERT_CHECK = `
    INSERT INTO checks VALUES (?1, 'p', 'up', 0, NULL, ?2, 3600, 600, '0 * * * *', 'UTC', 0, '', 0, 0, 0, 0, '', '', '', ?1,
      ?1, ?3, '', '', '', 0, ?3, 'text')`
  const INSERT_PING = `INSERT INTO pings VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL, ?7, 'http', 'GET', '', NULL, ?8, NULL)`
  const minutes = (count: number) => count * 60_000_000

  /** A check expected each hour, with ten minutes of grace. @param log kind, minutes, run id; oldest first */
  const addCheck = (
    old: Database,
    id: string,
    log: readonly (readonly [kind: string, minute: number, rid?: string])[],
    kind = 'simple',
  ) => {
    const number = old.query<{ n: number }, []>('SELECT COUNT(*) + 1 AS n FROM checks').get()?.n ?? 0
    old.query(INSERT_CHECK).run(id, kind, number)
    let previous: number | null = null
    for (const [index, [what, minute, rid]] of log.entries()) {
      const pingId: number = number * 1_000 + index
      old.query(INSERT_PING).run(pingId, previous, id, index + 1, minutes(minute), what, rid ?? null, new Uint8Array(9))
      previous = pingId
    }
    old
      .query('INSERT INTO counters VALUES (?1, ?2, ?3, NULL, NULL, NULL, NULL, NULL, NULL)')
      .run(number, log.length, previous)
  }
  const makeSixth = () => {
    const old = new Database(path(), { create: true })
    old.run(SIXTH_SCHEMA)
    old.run(`INSERT INTO projects VALUES ('p', 'Old', 'b', 100, 0, 'old'); PRAGMA user_version = 6`)
    return old
  }
  const runsOf = (database: Database, id: string) => {
    const statement = 'SELECT runs FROM checks JOIN counters USING (counter_id) WHERE id = ?1'
    const runs = database.query<{ runs: Uint8Array | null }, [string]>(statement).get(id)?.runs ?? null
    return runs && runMarks(runs).map(({ kind }) => kind)
  }

  test('gets the same tables as a new one, and each check a public id', () => {
    using old = makeSixth()
    for (const id of ['a', 'b', 'c']) addCheck(old, id, [])
    bringUpToDate(old, path())
    using made = new Database(':memory:')
    bringUpToDate(made, ':memory:')
    expect(shape(old)).toEqual(shape(made))
    const publicIds = old.query<{ public_id: string }, []>('SELECT public_id FROM checks').all()
    expect(publicIds.every(({ public_id }) => isPublicId(public_id))).toBe(true)
    expect(new Set(publicIds.map(({ public_id }) => public_id)).size).toBe(3)
  })

  test('gets the run history of each check from its log and its flips', () => {
    using old = makeSixth()
    addCheck(old, 'empty', [])
    addCheck(old, 'simple', [
      ['success', 0],
      ['start', 50, 'r'],
      ['log', 51],
      ['fail', 52, 'r'],
      ['success', 240],
    ])
    addCheck(
      old,
      'cron',
      [
        ['success', 1],
        ['success', 75],
        ['success', 181],
      ],
      'cron',
    )
    addCheck(old, 'paused', [
      ['success', 0],
      ['success', 600],
    ])
    old.run(`INSERT INTO flips VALUES ('paused', 1, 0, 'new', 'up', ''), ('paused', 2, 1, 'up', 'paused', ''),
      ('paused', 3, ${minutes(599)}, 'paused', 'new', ''), ('paused', 4, ${minutes(600)}, 'new', 'up', '')`)
    bringUpToDate(old, path())
    expect(runsOf(old, 'empty')).toBeNull()
    expect(runsOf(old, 'simple')).toEqual(['ok', 'failed', 'missing', 'missing', 'ok'])
    expect(runsOf(old, 'cron')).toEqual(['ok', 'late', 'missing', 'ok'])
    expect(runsOf(old, 'paused')).toEqual(['ok', 'paused', 'ok'])
  })

  test('gets no more than thirty runs from a long log, and nothing missing where a schedule can no longer be read', () => {
    using old = makeSixth()
    const log = Array.from({ length: 200 }, (_, index) => [index % 2 ? 'success' : 'start', index] as const)
    addCheck(old, 'long', log)
    addCheck(
      old,
      'unreadable',
      [
        ['success', 0],
        ['success', 600],
      ],
      'cron',
    )
    old.run(`UPDATE checks SET tz = 'Mars/Olympus' WHERE id = 'unreadable'`)
    bringUpToDate(old, path())
    expect(runsOf(old, 'long')).toEqual(Array.from({ length: 30 }, () => 'ok'))
    expect(runsOf(old, 'unreadable')).toEqual(['ok', 'ok'])
  })
})

describe('an older database', () => {
  test('goes through the steps between its version and the wanted one, in order, and keeps what it holds', () => {
    using database = makeOld()
    bringUpToDate(database, path(), { target: 3, migrations: STEPS })
    expect(database.query('SELECT x, y FROM two').values()).toEqual([[2, 3]])
    expect(schemaVersion(database)).toBe(3)
    bringUpToDate(database, path(), { target: 4, migrations: STEPS })
    expect(tables(database)).toContain('four')
    expect(tables(database)).not.toContain('two')
    expect(database.query('SELECT name FROM projects').values()).toEqual([['Old']])
  })

  test('is copied first, as it was, beside the file and under its version', () => {
    using database = makeOld()
    bringUpToDate(database, path(), { target: 3, migrations: STEPS })
    using copy = new Database(`${path()}.v1`, { readonly: true })
    expect(schemaVersion(copy)).toBe(1)
    expect(copy.query('SELECT name FROM projects').values()).toEqual([['Old']])
    expect(tables(copy)).not.toContain('two')
    expect(copy.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  })

  test('is copied for this user only, as keys and secrets lie in the copy too', () => {
    using database = makeOld()
    const before = process.umask(0o022)
    bringUpToDate(database, path(), { target: 3, migrations: STEPS })
    process.umask(before)
    expect(statSync(`${path()}.v1`).mode & 0o777).toBe(0o600)
  })

  test('stays as it was when a step fails, the steps before it included', () => {
    using database = makeOld()
    const steps = [...STEPS.slice(0, 1), { to: 3, steps: ['INSERT INTO two VALUES (3); SELEKT'] }]
    expect(() => bringUpToDate(database, path(), { target: 3, migrations: steps })).toThrow('syntax error')
    expect(schemaVersion(database)).toBe(1)
    expect(tables(database)).not.toContain('two')
    expect(database.query('SELECT name FROM projects').values()).toEqual([['Old']])
    expect(database.inTransaction).toBe(false)
  })

  test('can be brought up to date after an attempt that failed, and the copy is of what is there now', () => {
    using database = makeOld()
    expect(() => bringUpToDate(database, path(), { target: 2, migrations: [{ to: 2, steps: ['SELEKT'] }] })).toThrow(
      'syntax error',
    )
    database.run(`${INSERT_PROJECT} ('q', 'Since', 'c', 100, 1, 'since')`)
    bringUpToDate(database, path(), { target: 2, migrations: STEPS })
    expect(schemaVersion(database)).toBe(2)
    using copy = new Database(`${path()}.v1`, { readonly: true })
    expect(copy.query('SELECT name FROM projects ORDER BY created_at').values()).toEqual([['Old'], ['Since']])
    expect(readdirSync(folder.path).filter((name) => name.includes('.v'))).toEqual(['o.db.v1'])
  })

  test('removes the copy that a killed process has left, but not one of a running process or a file of the operator', async () => {
    const killed = Bun.spawn([process.execPath, '-e', ''])
    await killed.exited
    const part = (pid: number) => `o.db.v1.unfinished-${pid}`
    const kept = ['o.db.v1.20261121', part(process.ppid)]
    for (const name of [part(killed.pid), `${part(killed.pid)}-journal`, ...kept])
      await Bun.write(folder.file(name), 'half of a copy')
    using database = makeOld()
    bringUpToDate(database, path(), { target: 2, migrations: STEPS })
    const left = readdirSync(folder.path).filter((name) => name.includes('.v'))
    expect(left.toSorted()).toEqual(['o.db.v1', ...kept])
  })

  /** A connection beside which another process migrates the file just before a statement. */
  const raced = (database: Database, other: Database, before: string): Database => {
    const meanwhile = (statement: string) => {
      if (statement.startsWith(before)) bringUpToDate(other, path(), { target: 2, migrations: STEPS })
    }
    return new Proxy(database, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        return (...given: unknown[]) => {
          meanwhile(String(given[0]))
          return Reflect.apply(member, target, given)
        }
      },
    })
  }

  test.each(['BEGIN IMMEDIATE', 'VACUUM'])(
    'is grown once and copied as it was, though another process does it before our %s',
    (before) => {
      using database = makeOld()
      using other = new Database(path())
      bringUpToDate(raced(database, other, before), path(), { target: 2, migrations: STEPS })
      expect(database.query('SELECT x FROM two').values()).toEqual([[2]])
      expect(database.inTransaction).toBe(false)
      using copy = new Database(`${path()}.v1`, { readonly: true })
      expect(schemaVersion(copy)).toBe(1)
      expect(readdirSync(folder.path).filter((name) => name.includes('.v'))).toEqual(['o.db.v1'])
    },
  )
})

describe('a database that is not ours to write', () => {
  const refusal = () => refusalOf(openSqlite({ path: path() }))

  test('because it is newer is refused with both versions, and stays byte for byte', async () => {
    const newer = new Database(path(), { create: true })
    newer.run(`CREATE TABLE t (x); PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
    newer.close()
    const before = readFileSync(path())
    expect(await refusal()).toMatchObject({
      code: 'database-too-new',
      message: `the database ${path()} has version ${SCHEMA_VERSION + 1}, but this program supports only versions up to ${SCHEMA_VERSION}`,
      data: { path: path(), version: SCHEMA_VERSION + 1, knownVersion: SCHEMA_VERSION },
    })
    expect(readFileSync(path())).toEqual(before)
    expect(readdirSync(folder.path)).toEqual(['o.db'])
  })

  test('because it belongs to another program is refused and stays byte for byte', async () => {
    const foreign = new Database(path(), { create: true })
    foreign.run('CREATE TABLE songs (title); INSERT INTO songs VALUES (1)')
    foreign.close()
    const before = readFileSync(path())
    expect(await refusal()).toMatchObject({
      code: 'database-foreign',
      message: `the database ${path()} belongs to another program`,
      data: { path: path(), setting: 'DATABASE_URL' },
    })
    expect(readFileSync(path())).toEqual(before)
    expect(readdirSync(folder.path)).toEqual(['o.db'])
  })

  test('because it is not a database is refused and stays byte for byte', async () => {
    const text = 'Dear diary, today I was taken for a database. '.repeat(50)
    await Bun.write(path(), text)
    expect((await refusal()).reason).toStartWith('the file is not a database')
    expect(await Bun.file(path()).text()).toBe(text)
  })

  test.each([
    ['its folder is a file', () => folder.file('file/o.db'), 'database-unusable', 'can write to it'],
    ['it is a folder', () => folder.path, 'path-is-folder', 'DATABASE_URL'],
  ])('because %s is reported without a stack trace', async (_, wanted, code, reason) => {
    await Bun.write(folder.file('file'), '')
    const error = await refusalOf(openSqlite({ path: wanted() }))
    expect([error.code, error.data.path]).toEqual([code, wanted()])
    expect(error.message).toContain(wanted())
    expect(error.reason).toContain(reason)
  })
})

describe('a database that does not exist', () => {
  test('is created with its folder, for this user only', async () => {
    const deep = folder.file('a/b/o.db')
    await (await openSqlite({ path: deep })).close()
    expect(statSync(deep).mode & 0o777).toBe(0o600)
    expect(statSync(folder.file('a/b')).mode & 0o777).toBe(0o700)
  })

  test('is not created unless asked for', async () => {
    expect(await refusalOf(openSqlite({ path: path(), create: false }))).toMatchObject({
      code: 'database-missing',
      message: `there is no database at ${path()}`,
      data: { path: path() },
    })
    expect(readdirSync(folder.path)).toEqual([])
  })
})
