/** An import plan. For each project, it says whether to create the project or to add new data to the one that an earlier import created. */
import type { Account } from '../account/account.ts'
import type { Flip } from '../check/flip.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import type { Project, StoredKey } from '../project.ts'
import type { ImportNote } from './import-note.ts'
import type { ImportedCheck, ImportedProject } from './import-source.ts'

export type PlannedProject = NewProjectPlan | GrowingProjectPlan

/** A project that does not exist on this server yet. */
export interface NewProjectPlan {
  readonly kind: 'new'
  readonly source: ImportedProject
  /** the project to create */
  readonly project: Project
  readonly keys: readonly StoredKey[]
  /** the checks to create: all of the source's checks */
  readonly added: readonly ImportedCheck[]
}

/** A project that already exists. Changes made on this server after the earlier import are kept. */
export interface GrowingProjectPlan {
  readonly kind: 'here'
  readonly source: ImportedProject
  /** the existing project */
  readonly project: Project
  /** the checks that were added in the source */
  readonly added: readonly ImportedCheck[]
  readonly grown: readonly GrownCheck[]
  /** difference between flip numbers on this server and in the source, keyed by check id; only for checks whose alerts are imported */
  readonly followed: ReadonlyMap<string, number>
}

/** An imported check that has not been changed on this server but has had pings or flips in the source since the import. */
export interface GrownCheck {
  readonly source: ImportedCheck
  readonly here: CheckWithChannels
  /** number of the newest event to keep on this server; later events were caused only by the passage of time */
  readonly keptEvents: number
  /** the source's flips that are missing on this server, with their new numbers */
  readonly newFlips: readonly Flip[]
}

export interface ImportPlan {
  /** the accounts to create, with all their properties */
  readonly accounts: readonly Account[]
  readonly projects: readonly PlannedProject[]
  /** notes about the source and about data that already exists */
  readonly notes: readonly ImportNote[]
}
