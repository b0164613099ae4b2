/** The plan of an import: for each project, whether to create it or to add new data to the project that an earlier import created. */
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
  /** the checks to create: all checks of the source */
  readonly added: readonly ImportedCheck[]
}

/** A project that exists already. Changes that were made on this server after the earlier import are kept. */
export interface GrowingProjectPlan {
  readonly kind: 'here'
  readonly source: ImportedProject
  /** the existing project */
  readonly project: Project
  /** the checks that are new in the source */
  readonly added: readonly ImportedCheck[]
  readonly grown: readonly GrownCheck[]
  /** offset of flip numbers on this server, by check id, for the checks whose alerts are imported from the source */
  readonly followed: ReadonlyMap<string, number>
}

/** An imported check that nobody has changed on this server, but that has had pings or flips in the source since the import. */
export interface GrownCheck {
  readonly source: ImportedCheck
  readonly here: CheckWithChannels
  /** number of the newest event to keep on this server; later events were caused by time alone */
  readonly keptEvents: number
  /** flips of the source that this server lacks, with the numbers that they get here */
  readonly newFlips: readonly Flip[]
}

export interface ImportPlan {
  /** the accounts to create, with all their properties */
  readonly accounts: readonly Account[]
  readonly projects: readonly PlannedProject[]
  /** notes about the source and about data that already exists */
  readonly notes: readonly ImportNote[]
}
