import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readSources, scan } from './source-scan.ts'
import { ONLY_SQLITE, storeTests } from './store-tests.ts'

/** Tests whose subject is SQLite. */
const OF_SQLITE = [
  ...ONLY_SQLITE,
  /^store\/engine\/sqlite\//,
  // Copies have both engines as source and target.
  /^store\/copy\//,
  // Files of other programs.
  /^import\/from-healthchecks\/database\//,
  'import/healthchecks-api.test.ts',
  'cli/import/sources.test.ts',
  // The unwritable file is one of several tests.
  'http/errors.test.ts',
  // Two processes share a file.
  'store/retention/left-logs.test.ts',
  // They examine the remains of rows in a file.
  'store/retention/deleted-checks.test.ts',
  'support/lock-order.test.ts',
]

test('a test opens a database of the engine that it runs on, unless its subject is SQLite', () => {
  const openers = readSources(join(import.meta.dir, '..'))
    .map(scan)
    .filter(
      ({ modules, files }) => modules.includes('bun:sqlite') || files.includes('../src/store/engine/sqlite/sqlite.ts'),
    )
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.test.ts'))
  const others = openers.filter((path) => !OF_SQLITE.some((one) => path.match(one)))
  expect(others).toEqual([])
})

test('the suite of PostgreSQL begins with the contract of the store, and has what uses the store through others', () => {
  const { ofEngine, others } = storeTests()
  expect(ofEngine[0]).toBe('./test/store/engine/postgres/postgres.test.ts')
  expect(ofEngine).toEqual(expect.arrayContaining(testFiles('app/app', 'http/api/checks', 'conformance/conformance')))
  expect(others).toEqual(expect.arrayContaining(testFiles('cli/serve', 'http/web/routes')))
  for (const file of testFiles('domain/ping/ping', 'store/engine/sqlite/sqlite')) {
    expect([...ofEngine, ...others]).not.toContain(file)
  }
})

const testFiles = (...names: readonly string[]) => names.map((name) => `./test/${name}.test.ts`)
