/** What every measure is given. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { tell, whole } from './figures.ts'
import type { Options } from './options.ts'
import { databaseFile, type Prepared, prepareDatabase } from './prepare.ts'
import type { Row } from './table.ts'

export interface Bench {
  readonly options: Options
  /** An empty directory; removed when the measure has ended. */
  newDirectory(): string
  /**
   * A database with so many checks, all up and far from their deadlines. A small one is new; a big one is made once in a
   * run, so its log may hold what other measures have sent, and only one server at a time may be on it.
   */
  database(checks: number): Promise<Prepared>
  /** Says what makes the figures worthless; told at the end, which is then a failure. */
  complain(what: string): void
}

/** Measures and hands in rows of the table. Processes that it started it ends itself; after an error others see to it. */
export type Measure = (bench: Bench) => Promise<Row[]>

const BIG = 100_000

/** Makes databases in `directory` and keeps the big ones. */
export function createDatabases(directory: string): (checks: number, fresh: () => string) => Promise<Prepared> {
  const big = new Map<number, Prepared>()
  const prepare = async (checks: number, place: string) => {
    const startedAt = performance.now()
    const prepared = await prepareDatabase(place, checks)
    tell(`a database with ${whole(checks)} checks was made in ${whole(performance.now() - startedAt)} ms`)
    return prepared
  }
  return async (checks, fresh) => {
    if (checks < BIG) return prepare(checks, fresh())
    const prepared = big.get(checks) ?? (await prepare(checks, mkdtempSync(join(directory, 'checks-'))))
    big.set(checks, prepared)
    // The kernel may have dropped it from its cache meanwhile, and then the disk would be measured.
    for await (const _ of Bun.file(databaseFile(prepared.directory)).stream());
    return prepared
  }
}
