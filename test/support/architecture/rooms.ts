/** Rooms of `src/`, and the rooms that each may import. */
import { dirname } from 'node:path/posix'
import type { Scanned } from '../source-scan.ts'

export interface Violation {
  readonly file: string
  /** The import or words that break the rule. */
  readonly found: string
  readonly rule: string
}

interface Room {
  /** Rooms, single files, or the files directly in a folder (`store/*.ts`), below `src/`. */
  readonly mayImport: readonly string[]
  readonly why: string
}

const door = 'a door translates for the services; it decides nothing, stores nothing and knows no other door'
const source = 'a source reads one other program, and knows neither the other sources nor where its rows go'
const noun = 'the store keeps domain values, decides nothing, and knows no engine'
const root = 'it ties everything together'
const EVERYTHING = ['']

/** Folders of the store: one for each noun that others use. */
const NOUNS = 'advice alerts channels checks incidents people pings projects revisions server'
  .split(' ')
  .map((name) => `store/${name}`)

/** Modules that an engine implements, and the SQL of the tables that it needs for that. */
const SEAM = ['database', 'value', 'engine-statements', 'ping-tables', 'check-rows', 'rows', 'migrations'].map(
  (file) => `store/sql/${file}.ts`,
)

/** Rooms by name. A file of `src/` belongs to the first one that contains it. */
const ROOMS: Readonly<Record<string, Room>> = {
  lib: { mayImport: ['lib'], why: 'a tool knows no word of this program' },
  domain: { mayImport: ['domain', 'lib'], why: 'the domain is rules and words; it knows nobody' },
  run: {
    mayImport: ['lib', 'run', '../package.json'],
    why: 'it stands before commands of others, on machines without a server: it loads nothing of one',
  },
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
    mayImport: ['domain', 'lib', 'store/interface'],
    why: 'what the store takes and returns is in domain words',
  },
  'store/sql': {
    mayImport: ['domain', 'lib', 'store/sql'],
    why: 'it is what all statements are made with, and knows none of them',
  },
  'store/tables': {
    mayImport: ['domain', 'lib', 'store/interface', 'store/sql', 'store/tables'],
    why: 'it says which column holds what, and knows no statement',
  },
  'store/copy': {
    mayImport: ['domain', 'lib', 'store/sql', 'store/tables', 'store/server/settings.ts', 'store/copy'],
    why: 'a copy reads and writes tables over the seam; what only one engine knows is handed in',
  },
  'store/retention': {
    mayImport: [
      'domain',
      'lib',
      'store/*.ts',
      'store/interface',
      'store/sql',
      ...['advice', 'channels', 'checks', 'incidents', 'pings', 'projects', 'server', 'retention'].map(
        (name) => `store/${name}`,
      ),
    ],
    why: 'retention removes what the nouns keep, whatever the engine',
  },
  'store/imports': {
    mayImport: [
      'domain',
      'lib',
      'store/*.ts',
      'store/interface',
      'store/sql',
      'store/tables',
      ...['advice', 'channels', 'checks', 'incidents', 'people', 'pings', 'projects', 'revisions', 'imports'].map(
        (name) => `store/${name}`,
      ),
    ],
    why: 'an import stores what the nouns keep, whatever it was read from',
  },
  'store/sql-store': {
    mayImport: [
      'domain',
      'lib',
      'store/*.ts',
      'store/interface',
      'store/sql',
      ...NOUNS,
      ...['imports', 'overview', 'retention', 'sql-store'].map((name) => `store/${name}`),
    ],
    why: 'it makes one store of all nouns, and knows no engine',
  },
  'store/store.ts': {
    mayImport: ['store/interface', 'store/pages.ts', 'store/sql/database.ts', 'store/sql-store'],
    why: 'it names what others use of the store',
  },
  'store/*.ts': {
    mayImport: ['domain', 'lib', 'store/*.ts', 'store/sql', 'store/tables'],
    why: noun,
  },
  store: {
    mayImport: ['domain', 'lib', 'store/*.ts', 'store/interface', 'store/sql', 'store/tables', ...NOUNS],
    why: noun,
  },
  delivery: {
    mayImport: ['domain', 'lib', 'delivery'],
    why: 'delivery carries out what a transport rendered',
  },
  'services/common': {
    mayImport: ['domain', 'lib', 'transports/transport.ts', 'services/common', 'store/store.ts'],
    why: 'it is what services share, and knows none of them',
  },
  services: {
    mayImport: [
      'domain',
      'lib',
      'transports/index.ts',
      'transports/transport.ts',
      'transports/operator.ts',
      'transports/settings-form.ts',
      'services',
      'store/store.ts',
    ],
    why: 'services speak to the store through its interface and are handed all else',
  },
  'import/proposals': {
    mayImport: ['domain', 'lib', 'import/proposals'],
    why: 'a proposal is text in, checks and lines out, and knows nothing of where they go',
  },
  'import/engine': {
    mayImport: [
      'domain',
      'lib',
      'services',
      'import/engine',
      'import/proposals',
      'store/store.ts',
      'store/sql/left-folders.ts',
    ],
    why: 'it stores what a source has read, by the interface of the store, and knows no source',
  },
  'import/from-healthchecks': {
    mayImport: [
      'domain',
      'lib',
      'transports/transport.ts',
      'services/common/deps.ts',
      'services/channels',
      'import/from-healthchecks',
      ...['foreign-database', 'rows', 'value'].map((file) => `store/sql/${file}.ts`),
      'store/engine/sqlite/foreign-file.ts',
      'store/engine/sqlite/scratch.ts',
    ],
    why: source,
  },
  'import/from-healthchecks-api': {
    mayImport: ['domain', 'lib', 'transports/transport.ts', 'services/channels', 'import/from-healthchecks-api'],
    why: source,
  },
  'import/from-project-file': {
    mayImport: ['domain', 'lib', 'services/common/deps.ts', 'services/channels', 'import/from-project-file'],
    why: source,
  },
  'import/from-uptime-kuma': {
    mayImport: [
      'domain',
      'lib',
      'transports/transport.ts',
      'services/channels',
      'import/from-uptime-kuma',
      'store/sql/foreign-database.ts',
    ],
    why: source,
  },
  help: {
    mayImport: ['lib', 'help', '../docs', '../README.md', '../CHANGELOG.md'],
    why: 'it is the documents, and knows nothing of what they describe',
  },
  'http/api': {
    mayImport: ['domain', 'lib', 'services', 'http/*.ts', 'http/metrics/metrics-key.ts', 'http/api'],
    why: door,
  },
  'http/badges': { mayImport: ['domain', 'services', 'http/*.ts', 'http/badges'], why: door },
  'http/metrics': { mayImport: ['domain', 'lib', 'services', 'http/*.ts', 'http/metrics'], why: door },
  'http/ping': { mayImport: ['domain', 'lib', 'http/*.ts', 'http/ping'], why: door },
  'http/web/browser': {
    mayImport: ['domain/check/slug.ts', 'lib/time-words.ts', 'http/web/browser'],
    why: 'it runs in the browser',
  },
  'http/web': {
    mayImport: [
      'domain',
      'lib',
      'services',
      'import/engine',
      'import/proposals/command/job-name.ts',
      'import/proposals/ping-lines.ts',
      'help',
      'http/*.ts',
      'http/api/openapi-document.ts',
      'http/api/overdue/document.ts',
      'http/api/description',
      'http/ping/ping-path.ts',
      'http/web',
    ],
    why: `${door}, but that its reference describes the API`,
  },
  http: { mayImport: ['domain', 'lib', 'services', 'http'], why: 'it mounts the doors, and has what they share' },
  smtp: { mayImport: ['domain', 'lib', 'services', 'smtp'], why: door },
  loops: { mayImport: ['lib', 'services', 'loops'], why: door },
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
    mayImport: ['domain', 'lib', 'config', 'transports/operator.ts', '../docs/settings.md'],
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
      'config/config.ts',
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
      'config/database-address.ts',
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
      'import/engine',
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
      'import/engine',
      'services/common/ports/import-places.ts',
    ],
    why: 'it starts the process that reads, and reads nothing itself',
  },
  'app/app.ts': { mayImport: EVERYTHING, why: root },
  'app/deps.ts': { mayImport: EVERYTHING, why: root },
  'app/jobs.ts': { mayImport: EVERYTHING, why: root },
  'app/backups.ts': { mayImport: EVERYTHING, why: root },
  'main.ts': { mayImport: EVERYTHING, why: root },
  'text.d.ts': { mayImport: [], why: 'it only says which files are imported as text' },
}

/** @param places files, folders, or the files directly in a folder: `store/*.ts` */
export function isWithin(path: string, places: readonly string[]): boolean {
  return places.some(
    (place) =>
      place === '' ||
      path === place ||
      path.startsWith(`${place}/`) ||
      (place.endsWith('/*.ts') && dirname(path) === dirname(place)),
  )
}

function roomOf(path: string): string | undefined {
  return Object.keys(ROOMS).find((name) => isWithin(path, [name]))
}

export function roomViolations(file: Scanned): Violation[] {
  const name = roomOf(file.path)
  const room = ROOMS[name ?? '']
  if (room === undefined) {
    return [{ file: file.path, found: file.path.split('/')[0] ?? '', rule: 'every file lives in a room of the table' }]
  }
  const rule = `${name} may import ${room.mayImport.join(', ') || 'nothing'}, for ${room.why}`
  return file.files
    .filter((path) => !isWithin(path, room.mayImport))
    .map((found) => ({ file: file.path, found: `import of ${found}`, rule }))
}

/** Lists permissions that no file of the room uses, such as `loops: domain`. Any room may have files that import each other. */
export function unusedPermissions(files: readonly Scanned[]): string[] {
  return Object.entries(ROOMS).flatMap(([name, { mayImport }]) => {
    const imported = files.filter(({ path }) => roomOf(path) === name).flatMap((file) => file.files)
    return mayImport
      .filter((place) => place !== name && !imported.some((path) => isWithin(path, [place])))
      .map((place) => `${name}: ${place}`)
  })
}
