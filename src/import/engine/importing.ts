/** An import under way: what its steps share, and how they write beside a server that serves. */
import type { Operator, Person } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportSource } from '../../domain/import/import-source.ts'
import type { OnLongWork } from '../../lib/work/long-work.ts'
import { authorOf } from '../../services/common/author.ts'
import type { Deps } from '../../services/common/deps.ts'
import { rules } from '../../services/common/rules.ts'
import type { AuthoredWrites, Rules } from '../../store/store.ts'

/** What an import uses. */
export type ImportDeps = Pick<
  Deps,
  'store' | 'now' | 'random' | 'site' | 'transports' | 'operator' | 'log' | 'confirmAddresses' | 'onPrunable' | 'budget'
>

export interface ImportRun {
  /** Aborted, it ends the import after the transaction under way; null: nothing does. */
  readonly signal: AbortSignal | null
  readonly onWork: OnLongWork
}

/** Rows that were written. */
export interface LogCounts {
  readonly pings: number
  readonly flips: number
}

/** A server whose ping finds the file of SQLite locked tries again after two milliseconds. */
const LEAST_PAUSE_MS = 6
/** of the time that the transaction took, so that others get processor and disk, too */
const PAUSE_SHARE = 0.25

export class Importing {
  readonly deps: ImportDeps
  readonly source: ImportSource
  readonly rules: Rules
  /** by their ids, the checks here that somebody changed while they were extended. Nothing more comes to them */
  readonly left = new Map<string, ImportNote>()
  readonly #by: Person | Operator
  readonly #run: ImportRun
  readonly #rows: number
  #done = 0

  /** @param rows how many the source has, about */
  constructor(deps: ImportDeps, by: Person | Operator, source: ImportSource, run: ImportRun, rows: number) {
    this.deps = deps
    this.source = source
    this.rules = rules(deps)
    this.#by = by
    this.#run = run
    this.#rows = rows
    this.wrote(0)
  }

  /** Changes that the audit log says this import has made. Take it anew for each of them. */
  get changes(): AuthoredWrites {
    return this.deps.store.by(authorOf(this.deps, this.#by))
  }

  /** Runs a short transaction, and lets pings that wait have their turn. */
  async write<Result>(transaction: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    const result = await transaction()
    await Bun.sleep(Math.max((performance.now() - began) * PAUSE_SHARE, LEAST_PAUSE_MS))
    return result
  }

  /** Tells how far it is. @param rows that were written since */
  wrote(rows: number): void {
    this.#done += rows
    const all = Math.max(this.#rows, this.#done)
    this.#run.onWork({ doing: 'importing', table: 'pings', rows: all, done: this.#done })
  }

  /** @throws Refusal `import-stopped` after the signal */
  requireGoing(): void {
    if (!this.#run.signal?.aborted) return
    throw new Refusal('import-stopped', 'the import was stopped; what it has read so far is kept')
  }
}
