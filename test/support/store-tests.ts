/** Which test files use a database, and so run on both engines. */
import { join } from 'node:path'
import { readSources, scan } from './source-scan.ts'

const TESTS = join(import.meta.dir, '..')
/** What gives tests a database of the engine that they run on. */
const DATABASES = 'support/databases.ts'
/**
 * Where the engine can make a test fail: SQL, locks, transactions, what is stored and what is listed. All others come to the same
 * statements through pages and commands.
 */
const OF_ENGINE = ['app/', 'conformance/', 'http/api/', 'import/', 'instances/', 'services/', 'store/']
/** It shows whether the others can work, so it comes first. */
const FIRST = 'store/engine/postgres/postgres.test.ts'
/** About files of SQLite: they would do the same again. */
export const ONLY_SQLITE = [
  'cli/backup/commands.test.ts',
  'cli/database.test.ts',
  'security/files.test.ts',
  'services/server/database-file.test.ts',
  'store/engine/sqlite/backup/backup-folder.test.ts',
]

/** Paths below the folder of the project. */
interface StoreTests {
  readonly ofEngine: readonly string[]
  readonly others: readonly string[]
}

/** @returns all files in `test/` that use a database, directly or not */
export function storeTests(): StoreTests {
  const imports = new Map(readSources(TESTS).map((source) => [source.path, scan(source).files]))
  const users = new Set<string>()
  for (let reached = [DATABASES]; reached.length > 0; ) {
    for (const path of reached) users.add(path)
    reached = [...imports]
      .filter(([path, files]) => !users.has(path) && files.some((file) => users.has(file)))
      .map(([path]) => path)
  }
  const rest = [...users]
    .filter((path) => path.endsWith('.test.ts') && ![FIRST, ...ONLY_SQLITE].includes(path))
    .toSorted()
  const isOfEngine = (path: string) => OF_ENGINE.some((place) => path.startsWith(place))
  const inProject = (path: string) => `./test/${path}`
  return {
    ofEngine: [FIRST, ...rest.filter(isOfEngine)].map(inProject),
    others: rest.filter((path) => !isOfEngine(path)).map(inProject),
  }
}
