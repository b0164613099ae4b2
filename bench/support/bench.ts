/** The context of every measure. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { progress, whole } from './figures.ts'
import type { Options } from './options.ts'
import { databaseFile, type Prepared, prepareDatabase } from './prepare.ts'
import type { Row } from './table.ts'

export interface Bench {
  readonly options: Options
  /** Creates an empty directory, which is removed after the measure. */
  newDirectory(): string
  /**
   * Returns a database with so many checks, all up and far from their deadlines. A small one is new. A big one is created once in a run, so
   * its log may contain pings of other measures, and only one server may use it at a time.
   */
  database(checks: number): Promise<Prepared>
  /** Reports a problem that makes the figures invalid. It is printed at the end, and the run fails. */
  reportProblem(what: string): void
}

/** A measure that returns rows of the table. It stops its own processes; after an error the caller stops them. */
export type Measure = (bench: Bench) => Promise<Row[]>

const BIG = 100_000

/** Creates databases in `directory` and keeps the big ones. */
export function createDatabases(directory: string): (checks: number, fresh: () => string) => Promise<Prepared> {
  const big = new Map<number, Prepared>()
  const prepare = async (checks: number, place: string) => {
    const startedAt = performance.now()
    const prepared = await prepareDatabase(place, checks)
    progress(`a database with ${whole(checks)} checks was created in ${whole(performance.now() - startedAt)} ms`)
    return prepared
  }
  return async (checks, fresh) => {
    if (checks < BIG) return prepare(checks, fresh())
    const prepared = big.get(checks) ?? (await prepare(checks, mkdtempSync(join(directory, 'checks-'))))
    big.set(checks, prepared)
    // Reads the file into the kernel's cache again, so that the disk isn't measured.
    for await (const _ of Bun.file(databaseFile(prepared.directory)).stream());
    return prepared
  }
}
