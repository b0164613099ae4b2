/** Test files that use a database, and therefore run on both engines. */
import { join } from 'node:path'
import { readSources, scan } from './source-scan.ts'

const TESTS = join(import.meta.dir, '..')
/** Module that opens databases on the engine under test. */
const DATABASES = 'support/databases.ts'
/**
 * Tests that the engine can make fail: SQL, locks, transactions, stored rows and lists. All others reach the same statements through pages
 * and commands.
 */
const OF_ENGINE = ['app/', 'conformance/', 'http/api/', 'import/', 'instances/', 'services/', 'store/']
/** Test that runs first, because it shows whether the others can work. */
const FIRST = 'store/engine/postgres/postgres.test.ts'
/** Tests about files of SQLite, which would do the same on both engines. */
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
