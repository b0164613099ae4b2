/** Which test files use a database, and so belong to the suites of both engines. */
import { join } from 'node:path'
import { readSources, scan } from './source-scan.ts'

const TESTS = join(import.meta.dir, '..')
/** What gives tests a database of the engine that they run on. */
const DATABASES = 'support/databases.ts'
/** It shows whether the others can work, so it comes first. */
const FIRST = 'store/postgres/postgres.test.ts'
/** About files of SQLite: they would do the same again. */
export const ONLY_SQLITE = [
  'cli/commands/backup.test.ts',
  'cli/database.test.ts',
  'security/files.test.ts',
  'services/server/database-file.test.ts',
  'store/backup/backup-folder.test.ts',
]

/** Paths below the folder of the project of all files in `test/` that import it, directly or not. */
export function storeTests(): string[] {
  const imports = new Map(readSources(TESTS).map((source) => [source.path, scan(source).files]))
  const users = new Set<string>()
  for (let reached = [DATABASES]; reached.length > 0; ) {
    for (const path of reached) users.add(path)
    reached = [...imports]
      .filter(([path, files]) => !users.has(path) && files.some((file) => users.has(file)))
      .map(([path]) => path)
  }
  const rest = [...users].filter((path) => path.endsWith('.test.ts') && ![FIRST, ...ONLY_SQLITE].includes(path))
  return [FIRST, ...rest.toSorted()].map((path) => `./test/${path}`)
}
