/**
 * The data models of both engines are equal, except for the differences that are listed here with their reasons. A model changes only with
 * a new version. Needs no PostgreSQL.
 */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import model from '../../schema.sql' with { type: 'text' }
import schema from '../../src/store/engine/postgres/schema.sql' with { type: 'text' }
import { SCHEMA_VERSION } from '../../src/store/sql/migrations.ts'
import { FORMER_VERSIONS, formerModel, formerProgram } from './former-models.ts'

interface Difference {
  readonly why: string
  /** lines of the root's model that are not in that of PostgreSQL */
  readonly without: readonly string[]
  /** lines of PostgreSQL's model that are not in the root's */
  readonly with: readonly string[]
}

const DIFFERENCES: readonly Difference[] = [
  {
    why: 'the log is found by its key, not as a chain',
    without: [
      'pings: id bigint PRIMARY KEY',
      'pings: previous_id bigint',
      'counters: last_ping_id bigint',
      'deleted_checks: last_ping_id bigint',
      'cleared_checks: last_ping_id bigint',
      'staged_logs: last_ping_id bigint',
    ],
    with: ['pings: id bigint NOT NULL UNIQUE', 'pings: PRIMARY KEY (check_id, n)'],
  },
  {
    why: 'several writes take ids at the same time, and none is given again',
    without: [],
    with: ['CREATE SEQUENCE ping_ids INCREMENT BY 4096 NO CYCLE CACHE 1'],
  },
  {
    why: 'each engine has an index of words of its own',
    without: [
      "CREATE VIRTUAL TABLE ping_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii')",
      "INSERT INTO ping_words (ping_words, rank) VALUES ('automerge', 0)",
    ],
    with: [
      'ping_words: id bigint PRIMARY KEY',
      'ping_words: words text NOT NULL',
      "CREATE INDEX ping_words_by_word ON ping_words USING gin (array_to_tsvector(string_to_array(words, ' '))) WITH (fastupdate = off)",
    ],
  },
  {
    why: 'SQLite keeps its version, and counts the writes of others, in the file itself',
    without: [],
    with: [
      'schema_version: version bigint NOT NULL',
      'schema_version: oldest_program bigint NOT NULL',
      'writers: process text NOT NULL',
      'writers: connection bigint NOT NULL',
      'writers: revision bigint NOT NULL',
      'writers: PRIMARY KEY (process, connection)',
    ],
  },
  {
    why: 'a page has room for new versions of its rows, and much changed tables are vacuumed more often',
    without: [],
    with: [
      'counters: WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000, autovacuum_vacuum_cost_delay = 0)',
      'pings: WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)',
      'deliveries: WITH (autovacuum_vacuum_scale_factor = 0.02)',
      'writers: WITH (fillfactor = 50)',
    ],
  },
  {
    why: 'the begin of a long body is read without the rest',
    without: [],
    with: ['ALTER TABLE pings ALTER COLUMN body SET STORAGE EXTERNAL'],
  },
]

const TYPES: Readonly<Record<string, string>> = {
  INTEGER: 'bigint',
  TEXT: 'text',
  REAL: 'double precision',
  BLOB: 'bytea',
}

/** Returns the statements; for a table its columns, keys and options, each with the table's name. */
function lines(text: string): string[] {
  const bare = text
    .replace(/--.*$/gm, '')
    .replace(/\b(?:INTEGER|TEXT|REAL|BLOB)\b/g, (type) => TYPES[type] ?? type)
    .replaceAll(' COLLATE "C"', '')
    .replace(/\s+/g, ' ')
  return bare
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
    .flatMap(linesOf)
    .toSorted()
}

const TABLE = /^CREATE TABLE (\w+) \( (.*?) \)(?: STRICT(?:, WITHOUT ROWID)?| WITH \( ?(.*?) ?\))?$/
const COMMA = /, (?![^(]*\))/

function linesOf(statement: string): string[] {
  const [, table, parts = '', options] = TABLE.exec(statement) ?? []
  if (table === undefined) return [statement]
  return [...parts.split(COMMA), ...(options ? [`WITH (${options})`] : [])].map((part) => `${table}: ${part}`)
}

const [ofRoot, ofPostgres] = [lines(model), lines(schema)]
const hashOf = (root: string, postgres: string) =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify([lines(root), lines(postgres)])).digest('hex')
const expected = (side: 'with' | 'without') => DIFFERENCES.flatMap((difference) => difference[side]).toSorted()

/** SHA-256 of the lines of both models, by version. The one of a released version never changes. */
const HASHES: Readonly<Record<number, string>> = {
  12: '35b2eb2b01d13e4f320037798129ab762cc306f687066ed8c6a120fc26c68b44',
  13: '9b2dbccf45cf420da62c2cf18ac11ba2f59f2784e5c84a9d6fd9633c9da5fc89',
  14: '77e934b040e7544d669e14f85aa8b2b16f01f81636f2cad5182b4f25599d24fe',
}

const LAST = Math.max(...Object.keys(HASHES).map(Number))

const WHAT_TO_DO = `A data model differs from version ${LAST}. Databases of released versions are in use, so this needs version ${LAST + 1}:
1. In a worktree of the commit before, record its program: TEST_ENGINE=postgres bun test/support/postgres/record-program.ts
   Take test/store/engine/postgres/vectors/program-${LAST}.json from there, and both models: schema.sql as
   test/store/version-${LAST}/sqlite.sql; beside it src/store/engine/postgres/schema.sql as postgres.sql.
2. Add the steps to version ${LAST + 1} to MIGRATIONS in src/store/sql/migrations.ts.
3. Run test/store/engine/sqlite/migrations.test.ts, and with TEST_ENGINE=postgres migrations.test.ts and older-program.test.ts in
   test/store/engine/postgres/. They find what was kept.
4. Add this to HASHES`

test('a model that is changed has a new version', () => {
  const hash = hashOf(model, schema)
  expect(HASHES[SCHEMA_VERSION], `${WHAT_TO_DO}: ${LAST + 1}: '${hash}'`).toBe(hash)
})

test.each(FORMER_VERSIONS)('the models and the program of version %d are kept', (version) => {
  expect(hashOf(formerModel(version, 'sqlite'), formerModel(version, 'postgres'))).toBe(HASHES[version] ?? '')
  expect(existsSync(formerProgram(version))).toBe(true)
})

test('PostgreSQL has all that the model has', () => {
  expect(ofRoot.length).toBeGreaterThan(180)
  expect(ofRoot.filter((line) => !ofPostgres.includes(line))).toEqual(expected('without'))
})

test('PostgreSQL has nothing more', () => {
  expect(ofPostgres.filter((line) => !ofRoot.includes(line))).toEqual(expected('with'))
})

test('every text of PostgreSQL is in the order of code points', () => {
  const columns = schema.replace(/--.*$/gm, '').match(/^ {2}"?\w+"? +text\b.*$/gm) ?? []
  expect(columns.length).toBeGreaterThan(80)
  expect(columns.filter((column) => !column.includes('text COLLATE "C"'))).toEqual([])
})
