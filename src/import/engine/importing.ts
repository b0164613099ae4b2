/** State that the steps of an import share. Lets the steps write while the server is running. */
import type { Operator, Person } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportSource } from '../../domain/import/import-source.ts'
import type { OnLongWork } from '../../lib/work/long-work.ts'
import { authorOf } from '../../services/common/author.ts'
import type { Deps } from '../../services/common/deps.ts'
import { rules } from '../../services/common/rules.ts'
import type { AuthoredWrites, Rules } from '../../store/store.ts'

/** Dependencies of an import. */
export type ImportDeps = Pick<
  Deps,
  'store' | 'now' | 'random' | 'site' | 'transports' | 'operator' | 'log' | 'confirmAddresses' | 'onPrunable' | 'budget'
>

export interface ImportRun {
  /** Signal that stops the import after the current transaction; null if the import cannot be stopped. */
  readonly signal: AbortSignal | null
  readonly onWork: OnLongWork
}

/** Numbers of rows that were written. */
export interface LogCounts {
  readonly pings: number
  readonly flips: number
}

/** Minimum pause, in milliseconds. If the SQLite file is locked when a ping arrives, the server retries after two milliseconds. */
const LEAST_PAUSE_MS = 6
/** length of the pause as a fraction of the transaction's duration; other work gets CPU and disk time during the pause */
const PAUSE_SHARE = 0.25

export class Importing {
  readonly deps: ImportDeps
  readonly source: ImportSource
  readonly rules: Rules
  /** notes, by check id, about checks that were changed on this server during the import; the import adds no more data to these checks */
  readonly left = new Map<string, ImportNote>()
  readonly #by: Person | Operator
  readonly #run: ImportRun
  readonly #rows: number
  #done = 0

  /** @param rows approximate number of rows in the source */
  constructor(deps: ImportDeps, by: Person | Operator, source: ImportSource, run: ImportRun, rows: number) {
    this.deps = deps
    this.source = source
    this.rules = rules(deps)
    this.#by = by
    this.#run = run
    this.#rows = rows
    this.wrote(0)
  }

  /** Returns writes that the audit log attributes to this import. Get a new object for each change. */
  get changes(): AuthoredWrites {
    return this.deps.store.by(authorOf(this.deps, this.#by))
  }

  /** Runs a short transaction, and then pauses so that waiting pings can be written to the database. */
  async write<Result>(transaction: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    const result = await transaction()
    await Bun.sleep(Math.max((performance.now() - began) * PAUSE_SHARE, LEAST_PAUSE_MS))
    return result
  }

  /** Adds to the reported progress. @param rows number of rows written since the last call */
  wrote(rows: number): void {
    this.#done += rows
    const all = Math.max(this.#rows, this.#done)
    this.#run.onWork({ doing: 'importing', table: 'pings', rows: all, done: this.#done })
  }

  /** @throws Refusal `import-stopped` if the signal is aborted */
  requireGoing(): void {
    if (!this.#run.signal?.aborted) return
    throw new Refusal('import-stopped', 'the import was stopped, and keeps the part that it has read')
  }
}
