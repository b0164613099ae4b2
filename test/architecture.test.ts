/** The rules of the house, checked: who may import whom, and which words belong to one room only. */
import { describe, expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { readSources, type Scanned, type Source, scan } from './support/source-scan.ts'

interface Room {
  /** Rooms or single files, from `src/`. */
  readonly mayImport: readonly string[]
  readonly why: string
}

const door = 'a door translates for the services; it decides nothing, stores nothing and knows no other door'
const root = 'it ties everything together'
const EVERYTHING = ['']
/** All of the store but its engines. */
const STORE = [
  'store/*.ts',
  ...'alerts channels checks imports interface overview people pings projects retention revisions server sql sql-store'
    .split(' ')
    .map((noun) => `store/${noun}`),
]
/** What an engine implements, and the words of the tables that it needs for that. */
const SEAM = ['database', 'value', 'engine-statements', 'ping-tables', 'check-rows', 'rows', 'migrations'].map(
  (file) => `store/sql/${file}.ts`,
)

/** Every file of `src/` lives in one of these. */
const ROOMS: Readonly<Record<string, Room>> = {
  lib: { mayImport: ['lib'], why: 'a tool knows no word of this program' },
  domain: { mayImport: ['domain', 'lib'], why: 'the domain is rules and words; it knows nobody' },
  transports: {
    mayImport: ['domain', 'lib', 'transports'],
    why: 'a transport is a pure rendering of domain words',
  },
  'store/engine/sqlite': {
    mayImport: [
      'domain',
      'lib',
      ...SEAM,
      'store/sql/foreign-database.ts',
      'store/sql/left-folders.ts',
      'store/engine/sqlite',
      'store/copy/side.ts',
      '../schema.sql',
    ],
    why: 'an engine carries out statements, and knows only those that it must write its own way',
  },
  'store/engine/postgres': {
    mayImport: [
      'domain',
      'lib',
      ...SEAM,
      'store/sql/foreign-database.ts',
      'store/engine/postgres',
      'store/copy/side.ts',
    ],
    why: 'an engine carries out statements, and knows only those that it must write its own way',
  },
  'store/interface': {
    mayImport: ['domain', 'lib', 'store/interface', 'store/sql/database.ts'],
    why: 'the interface of the store is in domain words',
  },
  'store/copy': {
    mayImport: ['domain', 'lib', ...STORE, 'store/copy'],
    why: 'a copy reads and writes over the seam; what only one engine knows is handed in',
  },
  'store/retention': {
    mayImport: ['domain', 'lib', ...STORE],
    why: 'retention is statements over the seam, whatever the engine',
  },
  store: {
    mayImport: ['domain', 'lib', ...STORE],
    why: 'the store keeps domain values, decides nothing, and knows no engine',
  },
  delivery: {
    mayImport: ['domain', 'lib', 'delivery', 'config/mail-server.ts'],
    why: 'delivery carries out what a transport rendered',
  },
  services: {
    mayImport: ['domain', 'lib', 'transports', 'services', 'store/store.ts'],
    why: 'services speak to the store through its interface and are handed all else',
  },
  'import/proposals': {
    mayImport: ['domain', 'lib', 'import/proposals'],
    why: 'a proposal is text in, checks and lines out, and knows nothing of where they go',
  },
  import: {
    mayImport: [
      'domain',
      'lib',
      'transports',
      'services',
      'import',
      'store/store.ts',
      'store/sql/foreign-database.ts',
      'store/sql/left-folders.ts',
      'store/sql/rows.ts',
      'store/sql/value.ts',
      'store/engine/sqlite/foreign-file.ts',
      'store/engine/sqlite/scratch.ts',
    ],
    why: 'an import reads another program, and writes by the services and the interface of the store',
  },
  help: {
    mayImport: ['lib', 'help', '../docs', '../README.md', '../CHANGELOG.md'],
    why: 'it is the documents, and knows nothing of what they describe',
  },
  http: { mayImport: ['domain', 'lib', 'services', 'import/engine', 'help', 'http'], why: door },
  smtp: { mayImport: ['domain', 'lib', 'services', 'smtp'], why: door },
  loops: { mayImport: ['domain', 'lib', 'services', 'loops'], why: door },
  cli: {
    mayImport: [
      'domain',
      'lib',
      'services',
      'import',
      'cli',
      'app/app.ts',
      'app/deps.ts',
      'app/engine.ts',
      'app/import-sources.ts',
      'config',
      'app/observe.ts',
      'app/system-clock.ts',
      '../package.json',
    ],
    why: 'a command composes what it needs, but is a door otherwise',
  },
  telemetry: {
    mayImport: [
      'domain',
      'lib',
      'config/tracing.ts',
      'services/common/deps.ts',
      'services/pings/pings.ts',
      'store/store.ts',
      'http/traced.ts',
      'telemetry',
    ],
    why: 'it puts spans around what it is handed, by the interfaces, and knows nothing of how that works',
  },
  config: {
    mayImport: ['domain', 'lib', 'config', 'transports/operator.ts', '../package.json', '../docs/settings.md'],
    why: 'settings are plain values, in the groups of their document; each kind of channel names its own',
  },
  'app/observe.ts': { mayImport: ['lib', 'app/system-clock.ts'], why: 'it is handed to the others' },
  'app/system-clock.ts': { mayImport: ['lib'], why: 'it reads the clock, and nothing else' },
  'app/own-process.ts': {
    mayImport: ['lib', 'services/common/deps.ts', '../package.json'],
    why: 'it reads the operating system, nothing else',
  },
  'app/engine.ts': {
    mayImport: [
      'domain',
      'lib',
      'config',
      'store/sql/database.ts',
      'store/engine/sqlite',
      'store/engine/postgres',
      'store/copy',
    ],
    why: 'it chooses the engine, and knows nothing of what is stored',
  },
  'app/import-sources.ts': {
    mayImport: [
      'domain',
      'lib',
      'config',
      'import',
      'services/common/ports/import-places.ts',
      'store/sql/foreign-database.ts',
      'store/engine/sqlite/file/open-databases.ts',
      'store/engine/sqlite/foreign-file.ts',
      'store/engine/postgres/foreign-database.ts',
      'delivery/http.ts',
    ],
    why: 'it opens what is moved in, and knows nothing of where it goes',
  },
  'app/import-reader.ts': {
    mayImport: [
      'domain',
      'lib',
      'app/import-sources.ts',
      'import',
      'services/common/ports/import-places.ts',
      'transports/index.ts',
    ],
    why: 'it reads in a process that has neither the database nor the settings',
  },
  'app/import-places.ts': {
    mayImport: [
      'domain',
      'lib',
      'app/import-reader.ts',
      'app/import-sources.ts',
      'app/own-process.ts',
      'import',
      'services/common/ports/import-places.ts',
    ],
    why: 'it starts the process that reads, and reads nothing itself',
  },
  'app/app.ts': { mayImport: EVERYTHING, why: root },
  'app/deps.ts': { mayImport: EVERYTHING, why: root },
  'app/jobs.ts': { mayImport: EVERYTHING, why: root },
  'main.ts': { mayImport: EVERYTHING, why: root },
  'text.d.ts': { mayImport: [], why: 'it only says which files are imported as text' },
}

interface Reserved {
  readonly what: string
  readonly pattern: RegExp
  readonly where: 'modules' | 'strings' | 'code'
  readonly only: readonly string[]
}

const SQL = /\bSELECT\b[\s\S]*\bFROM\b|\b(?:INSERT|REPLACE)\b[\s\S]*\bINTO\b|\bUPDATE\b[\s\S]*\bSET\b|\bDELETE\s+FROM\b/
/** With two arguments MIN and MAX are other functions, which only SQLite has; PostgreSQL cannot tell the type of a NULL. */
const SQLITE_WORD =
  /\b(?:MIN|MAX)\s*\([^()]*,|\bINSERT OR \w+|\$\d+ IS (?:NOT )?NULL (?:AND|OR)\b|\b(?:GLOB|IFNULL|GROUP_CONCAT|PRINTF)\b/
/** What only SQLite knows. */
const SQLITE_ONLY = /\bPRAGMA\b|\bsqlite_\w+|(?<!WITHOUT )\browid\b|\bVACUUM INTO\b/i
/** What only PostgreSQL knows; `pg_dump` and `pg_restore` are programs that people run. */
const POSTGRES_ONLY = /\bpg_(?!dump\b|restore\b)\w+|\bunnest\s*\(|\bSKIP LOCKED\b|::(?:text|bigint|bytea)\b/i
const IO = /^(?:bun|bun:.*|node:(?:fs|net|tls|http|https|http2|dns|dgram|child_process|worker_threads)(?:\/.*)?)$/
const PRESENT = /\bTemporal\s*\.\s*Now\b|\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|\bnew\s+Date\b(?!\s*\()/

/** `deps.store` and `{ store }`; handing it on whole, or naming its type in a string, is no touch. */
const TOUCHES_STORE = /\.\s*store\b|[{,]\s*store\s*[,:}]/

/** As messages name it: `overdue restore`, overdue restore FILE, --force. A check that is overdue is none. */
const COMMAND = /`overdue [a-z]|\boverdue [a-z]+ [A-Z]{2}|(?:^|[\s`])--[a-z]+(?![a-z:])/
const ENGINE = ['store/engine/sqlite']

/** What may be named in some places only. */
const RESERVED: readonly Reserved[] = [
  {
    what: 'the web framework',
    pattern: /^(?:elysia|@elysiajs)(?:\/|$)/,
    where: 'modules',
    only: ['http', 'loops', 'app/app.ts'],
  },
  { what: 'SQLite', pattern: /^bun:sqlite$/, where: 'modules', only: ENGINE },
  { what: 'TypeBox', pattern: /^@sinclair\/typebox(?:\/|$)/, where: 'modules', only: ['domain/schema.ts'] },
  {
    what: 'a module that does input and output',
    pattern: IO,
    where: 'modules',
    only: Object.keys(ROOMS).filter(
      (room) => room !== 'lib' && room !== 'domain' && room !== 'transports' && room !== 'import/proposals',
    ),
  },
  { what: 'OpenTelemetry', pattern: /^@opentelemetry\//, where: 'modules', only: ['telemetry'] },
  {
    what: 'SQL',
    pattern: SQL,
    where: 'strings',
    only: ['store', 'import/from-healthchecks', 'import/from-uptime-kuma'],
  },
  { what: 'a word that SQLite and PostgreSQL do not share', pattern: SQLITE_WORD, where: 'strings', only: [] },
  { what: 'a word of SQLite', pattern: SQLITE_ONLY, where: 'strings', only: ENGINE },
  { what: 'a word of PostgreSQL', pattern: POSTGRES_ONLY, where: 'strings', only: ['store/engine/postgres'] },
  {
    what: 'the environment',
    pattern: /\b(?:process|Bun|import\s*\.\s*meta)\s*\.\s*env\b/,
    where: 'code',
    only: ['cli/terminal/process-io.ts'],
  },
  {
    what: 'the streams and the end of the process',
    pattern: /\bprocess\s*\.\s*(?:std(?:in|out|err)|exit)\b|\bBun\s*\.\s*std(?:in|out|err)\b/,
    where: 'code',
    only: ['cli/terminal/process-io.ts', 'app/import-reader.ts', 'main.ts'],
  },
  // The browser has a clock of its own.
  { what: 'the clock', pattern: PRESENT, where: 'code', only: ['app/system-clock.ts', 'http/web/browser'] },
  { what: 'a command or an option of the command line', pattern: COMMAND, where: 'strings', only: ['cli'] },
]

interface Violation {
  readonly file: string
  /** The import, or the words, that break the rule. */
  readonly found: string
  readonly rule: string
}

/** Violations that are meant. One that no longer happens must leave the table. */
const EXCEPTIONS: readonly { readonly file: string; readonly found: string; readonly reason: string }[] = [
  {
    file: 'domain/ping/curl.ts',
    found: ' --retry',
    reason: 'an option of curl, in commands that pings are added to',
  },
  {
    file: 'domain/ping/curl.ts',
    found: ' --data',
    reason: 'an option of curl, in lines that people copy into their jobs',
  },
  {
    file: 'import/proposals/command/hidden-status.ts',
    found: ' --wait',
    reason: 'an option of systemd-run, which makes it tell the exit status of what it begins',
  },
  {
    file: 'import/proposals/command/hidden-status.ts',
    found: '`--wait',
    reason: 'an option of systemctl, which makes it wait for the end of what it starts',
  },
  {
    file: 'import/proposals/command/hidden-status.ts',
    found: '`--check',
    reason: 'the beginning of an option of HTTPie, which makes it fail when the server answers with an error',
  },
  {
    file: 'import/proposals/pinging-already.ts',
    found: '--hcp',
    reason: 'the beginning of an option of another program that pings',
  },
]

/** @param places files, rooms, or the files of a room that are in no room within it: `store/*.ts` */
function isWithin(path: string, places: readonly string[]): boolean {
  return places.some(
    (place) =>
      place === '' ||
      path === place ||
      path.startsWith(`${place}/`) ||
      (place.endsWith('/*.ts') && dirname(path) === dirname(place)),
  )
}

function roomViolations(file: Scanned): Violation[] {
  const [name, room] = Object.entries(ROOMS).find(([path]) => isWithin(file.path, [path])) ?? []
  if (name === undefined || room === undefined) {
    return [{ file: file.path, found: file.path.split('/')[0] ?? '', rule: 'every file lives in a room of the table' }]
  }
  const rule = `${name} may import ${room.mayImport.join(', ') || 'nothing'}, for ${room.why}`
  return file.files
    .filter((path) => !isWithin(path, room.mayImport))
    .map((found) => ({ file: file.path, found: `import of ${found}`, rule }))
}

function reservedViolations(file: Scanned): Violation[] {
  return RESERVED.filter(({ only }) => !isWithin(file.path, only)).flatMap(({ what, pattern, where, only }) => {
    const rule = `${what} belongs to ${only.join(', ') || 'no room'}`
    if (where === 'modules') {
      const named = file.modules.filter((name) => pattern.test(name))
      return named.map((name) => ({ file: file.path, found: `import of ${name}`, rule }))
    }
    const hits = (where === 'code' ? [file.code] : file.strings).map((text) => pattern.exec(text)?.[0])
    return hits.filter((hit) => hit !== undefined).map((found) => ({ file: file.path, found, rule }))
  })
}

/** Each circle of imports once, by the import that closes it. */
function cycleViolations(files: readonly Scanned[]): Violation[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const finished = new Set<string>()
  const violations: Violation[] = []
  const visit = (file: Scanned, trail: readonly string[]): void => {
    for (const path of file.files) {
      const begin = trail.indexOf(path)
      const next = byPath.get(path)
      if (begin >= 0) {
        const rule = `imports go one way: ${[...trail.slice(begin), path].join(' → ')}`
        violations.push({ file: file.path, found: `import of ${path}`, rule })
      } else if (next !== undefined && !finished.has(path)) visit(next, [...trail, path])
    }
    finished.add(file.path)
  }
  for (const file of files) if (!finished.has(file.path)) visit(file, [file.path])
  return violations
}

/** What may be loaded only when a command runs that needs it: help and a mistake in the words must be told at once. */
const HEAVY = [
  ...['services', 'store', 'http', 'transports', 'delivery', 'smtp', 'loops', 'telemetry', 'config'],
  ...['app/app.ts', 'app/deps.ts', 'app/engine.ts', 'app/import-sources.ts', 'app/observe.ts', 'domain/schema.ts'],
]

/** For each file that is loaded with another one, how that leads there: `main.ts → cli/index.ts`. */
function loadedWith(start: string, files: readonly Scanned[]): ReadonlyMap<string, string> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const ways = new Map([[start, start]])
  // The entries that are added are visited too.
  for (const [path, way] of ways) {
    for (const next of byPath.get(path)?.loads ?? []) if (!ways.has(next)) ways.set(next, `${way} → ${next}`)
  }
  return ways
}

function violationsOf(sources: readonly Source[]): Violation[] {
  const files = sources.map(scan)
  return [...files.flatMap(roomViolations), ...files.flatMap(reservedViolations), ...cycleViolations(files)]
}

function isMeant(violation: Violation): boolean {
  return EXCEPTIONS.some(({ file, found }) => file === violation.file && found === violation.found)
}

describe('src/', () => {
  const sources = readSources(join(import.meta.dir, '../src'))
  const violations = violationsOf(sources)

  test('keeps the rules of the house', () => {
    const lines = violations
      .filter((violation) => !isMeant(violation))
      .map(({ file, found, rule }) => `src/${file}: ${found}: ${rule}`)
    expect(lines).toEqual([])
  })

  test('loads nothing heavy before it knows which command runs', () => {
    const ways = loadedWith('main.ts', sources.map(scan))
    expect([...ways.keys()]).toContain('cli/check/commands.ts')
    expect([...ways].flatMap(([path, way]) => (isWithin(path, HEAVY) ? way : []))).toEqual([])
  })

  test('has no page that touches the store: pages call services', () => {
    const pages = readSources(join(import.meta.dir, '../src/http/web')).map(scan)
    expect(pages.length).toBeGreaterThan(30)
    expect(pages.filter(({ code }) => TOUCHES_STORE.test(code)).map(({ path }) => path)).toEqual([])
  })

  test('has no exception in the table that is no longer needed', () => {
    const happens = (file: string, found: string) => violations.some((it) => it.file === file && it.found === found)
    expect(EXCEPTIONS.filter(({ file, found }) => !happens(file, found))).toEqual([])
  })
})

describe('the rules', () => {
  /** What is wrong with one file, in short. */
  const wrong = (path: string, text: string) => violationsOf([{ path, text }]).map(({ found }) => found)

  test.each([
    ['domain/a.ts', "import { x } from '../store/store.ts'", 'import of store/store.ts'],
    ['elsewhere/a.ts', '', 'elsewhere'],
    ['services/a.ts', "import { Elysia } from 'elysia'", 'import of elysia'],
    ['services/a.ts', "import { Database } from 'bun:sqlite'", 'import of bun:sqlite'],
    ['domain/a.ts', "import { Value } from '@sinclair/typebox/value'", 'import of @sinclair/typebox/value'],
    ['domain/a.ts', "import 'node:fs/promises'", 'import of node:fs/promises'],
    ['services/a.ts', "import { trace } from '@opentelemetry/api'", 'import of @opentelemetry/api'],
    ['services/a.ts', 'run(`SELECT * FROM checks`)', 'SELECT * FROM'],
    ['store/a.ts', 'run(`UPDATE checks SET alert_after = MIN(alert_after, $1)`)', 'MIN(alert_after,'],
    ['store/a.ts', "get('PRAGMA data_version')", 'PRAGMA'],
    ['store/a.ts', "get('SELECT n::bigint FROM checks')", '::bigint'],
    ['cli/a.ts', "process.stdout.write('done')", 'process.stdout'],
    ['services/a.ts', 'const now = Date.now()', 'Date.now'],
    ['services/a.ts', "throw new Error('see `overdue project list`')", '`overdue p'],
  ])('in %s %j is a violation', (path, text, found) => {
    expect(wrong(path, text)).toContain(found)
  })

  test('a circle of imports is a violation, of types too, and is told once', () => {
    const sources = [
      { path: 'domain/a.ts', text: "import { b } from './b.ts'" },
      { path: 'domain/b.ts', text: "import { c } from './c.ts'" },
      { path: 'domain/c.ts', text: "import type { A } from './a.ts'" },
      { path: 'domain/d.ts', text: "import { b } from './b.ts'" },
    ]
    expect(violationsOf(sources).map(({ rule }) => rule)).toEqual([
      'imports go one way: domain/a.ts → domain/b.ts → domain/c.ts → domain/a.ts',
    ])
    expect(violationsOf(sources.slice(1))).toEqual([])
  })
})
