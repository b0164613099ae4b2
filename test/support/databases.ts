/**
 * Databases for tests, on the engine that TEST_ENGINE names: `sqlite`, which is the default, or `postgres`. Test files that import this
 * module, directly or not, belong to the suites of both engines.
 */
import type { StepTiming } from '../../src/store/sql/steps.ts'
import { type SharedDatabase, sharedStoreOn, storeOn, type TestDatabase } from './opened-stores.ts'
import { copySharedDatabase } from './postgres/databases.ts'
import { fileDatabase, memoryDatabase } from './sqlite.ts'
import type { Opened } from './store-builders.ts'

const ENGINES = ['sqlite', 'postgres'] as const
export type Engine = (typeof ENGINES)[number]

export const ENGINE = engineOf(process.env.TEST_ENGINE ?? 'sqlite')

function engineOf(given: string): Engine {
  const engine = ENGINES.find((name) => name === given)
  if (engine === undefined) throw new Error(`TEST_ENGINE is "${given}"; use ${ENGINES.join(' or ')}`)
  return engine
}

/** Creates an empty database of the newest data model, which any number of processes can open. */
export function testDatabase(): Promise<SharedDatabase> {
  return ENGINE === 'postgres' ? copySharedDatabase() : fileDatabase()
}

/** Creates an empty database that is opened once: SQLite's is in memory. */
export function briefDatabase(): Promise<TestDatabase> {
  return ENGINE === 'postgres' ? copySharedDatabase() : memoryDatabase()
}

/** Opens a store that nobody else opens. Locks that a write takes out of order fail. */
export function openStore(logBytes?: number, timing?: StepTiming): Promise<Opened> {
  return storeOn(briefDatabase, logBytes, timing)
}

/** Opens a store that others can open, too. */
export function openSharedStore(logBytes?: number): Promise<Opened> {
  return sharedStoreOn(testDatabase, logBytes)
}
