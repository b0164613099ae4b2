/** What the steps of an import share. */
import type { Operator, Person } from '../../domain/actor.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportPlan } from '../../domain/import/import-plan.ts'
import type { ImportSource } from '../../domain/import/import-source.ts'
import type { OnLongWork } from '../../lib/work/long-work.ts'
import type { ImportDeps } from './deps.ts'

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

export interface ProjectCounts extends LogCounts {
  readonly alerts: number
}

export interface Importing {
  readonly deps: ImportDeps
  readonly by: Person | Operator
  readonly source: ImportSource
  readonly plan: ImportPlan
  readonly run: ImportRun
  readonly onRows: (rows: number) => void
  /** by their ids, the checks here that somebody changed while they were extended. Nothing more comes to them */
  readonly left: Map<string, ImportNote>
}
