/** Modules and words that belong to some places only. */
import type { Scanned } from '../source-scan.ts'
import { isWithin, type Violation } from './rooms.ts'

interface Reserved {
  readonly what: string
  readonly pattern: RegExp
  readonly where: 'modules' | 'strings' | 'code'
  readonly only: readonly string[]
}

const SQL = /\bSELECT\b[\s\S]*\bFROM\b|\b(?:INSERT|REPLACE)\b[\s\S]*\bINTO\b|\bUPDATE\b[\s\S]*\bSET\b|\bDELETE\s+FROM\b/
/**
 * Words of SQLite. With two arguments MIN and MAX are other functions, which only SQLite has; PostgreSQL cannot infer the type of a NULL.
 */
const SQLITE_WORD =
  /\b(?:MIN|MAX)\s*\([^()]*,|\bINSERT OR \w+|\$\d+ IS (?:NOT )?NULL (?:AND|OR)\b|\b(?:GLOB|IFNULL|GROUP_CONCAT|PRINTF)\b/
/** Words that only SQLite knows. */
const SQLITE_ONLY = /\bPRAGMA\b|\bsqlite_\w+|(?<!WITHOUT )\browid\b|\bVACUUM INTO\b/i
/** Words that only PostgreSQL knows; `pg_dump` and `pg_restore` are programs that people run. */
const POSTGRES_ONLY = /\bpg_(?!dump\b|restore\b)\w+|\bunnest\s*\(|\bSKIP LOCKED\b|::(?:text|bigint|bytea)\b/i
const IO = /^(?:bun|bun:.*|node:(?:fs|net|tls|http|https|http2|dns|dgram|child_process|worker_threads)(?:\/.*)?)$/
const PRESENT = /\bTemporal\s*\.\s*Now\b|\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|\bnew\s+Date\b(?!\s*\()/

/** A command as messages name it: `overdue restore`, overdue restore FILE, --force. A check that is overdue is none. */
const COMMAND = /`overdue [a-z]|\boverdue [a-z]+ [A-Z]{2}|(?:^|[\s`])--[a-z]+(?![a-z:])/
const ENGINE = ['store/engine/sqlite']

/** Names that only some places may use. */
const RESERVED: readonly Reserved[] = [
  {
    what: 'the web framework',
    pattern: /^(?:elysia|@elysiajs)(?:\/|$)/,
    where: 'modules',
    only: ['http/*.ts', 'http/api', 'http/badges', 'http/metrics', 'http/ping', 'http/web/door.ts', 'loops'],
  },
  { what: 'SQLite', pattern: /^bun:sqlite$/, where: 'modules', only: ENGINE },
  { what: 'TypeBox', pattern: /^@sinclair\/typebox(?:\/|$)/, where: 'modules', only: ['domain/schema.ts'] },
  {
    what: 'a module that does input and output',
    pattern: IO,
    where: 'modules',
    only: [
      ...['store/engine', 'store/sql/left-folders.ts', 'delivery', 'config', 'cli', 'http/listen.ts', 'run'],
      ...['import/engine/uploads.ts', 'import/from-healthchecks/database'],
      ...['engine', 'import-places', 'import-sources', 'own-process'].map((file) => `app/${file}.ts`),
    ],
  },
  { what: 'OpenTelemetry', pattern: /^@opentelemetry\//, where: 'modules', only: ['telemetry'] },
  {
    what: 'SQL',
    pattern: SQL,
    where: 'strings',
    only: ['store', 'import/from-healthchecks/database', 'import/from-uptime-kuma/database.ts'],
  },
  { what: 'a word that SQLite and PostgreSQL do not share', pattern: SQLITE_WORD, where: 'strings', only: [] },
  { what: 'a word of SQLite', pattern: SQLITE_ONLY, where: 'strings', only: ENGINE },
  { what: 'a word of PostgreSQL', pattern: POSTGRES_ONLY, where: 'strings', only: ['store/engine/postgres'] },
  {
    what: 'the environment',
    pattern: /\b(?:process|Bun|import\s*\.\s*meta)\s*\.\s*env\b/,
    where: 'code',
    only: ['cli/terminal/process-io.ts', 'run/index.ts'],
  },
  {
    what: 'the streams and the end of the process',
    pattern: /\bprocess\s*\.\s*(?:std(?:in|out|err)|exit)\b|\bBun\s*\.\s*std(?:in|out|err)\b/,
    where: 'code',
    only: ['cli/terminal/process-io.ts', 'app/import-reader.ts', 'main.ts'],
  },
  // The browser has a clock of its own.
  {
    what: 'the clock',
    pattern: PRESENT,
    where: 'code',
    only: ['app/system-clock.ts', 'http/web/browser', 'run/index.ts'],
  },
  {
    what: 'a command or an option of the command line',
    pattern: COMMAND,
    where: 'strings',
    // The other places contain commands that people copy into a shell.
    only: [
      'cli',
      'run',
      'http/web/pages/admin/backups/commands.ts',
      'http/web/parts/snippets/wrapper.ts',
      'import/proposals/ping-lines.ts',
    ],
  },
]

export function reservedViolations(file: Scanned): Violation[] {
  return RESERVED.filter(({ only }) => !isWithin(file.path, only)).flatMap((reserved) => {
    const rule = `${reserved.what} belongs to ${reserved.only.join(', ') || 'no room'}`
    return findReserved(file, reserved).map((found) => ({ file: file.path, found, rule }))
  })
}

function findReserved(file: Scanned, { pattern, where }: Reserved): string[] {
  if (where === 'modules') return file.modules.filter((name) => pattern.test(name)).map((name) => `import of ${name}`)
  const texts = where === 'code' ? [file.code] : file.strings
  return texts.map((text) => pattern.exec(text)?.[0]).filter((hit) => hit !== undefined)
}

/** Lists places that may use a name and do not, such as `the web framework: app/app.ts`. */
export function unusedReservations(files: readonly Scanned[]): string[] {
  return RESERVED.flatMap((reserved) => {
    const naming = files.filter((file) => findReserved(file, reserved).length > 0)
    return reserved.only
      .filter((place) => !naming.some(({ path }) => isWithin(path, [place])))
      .map((place) => `${reserved.what}: ${place}`)
  })
}
