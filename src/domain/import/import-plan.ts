/** The plan of an import for each project: creates it, or adds new data to the one that an earlier import created. */
import type { Account } from '../account/account.ts'
import type { Flip } from '../check/flip.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import type { Project, StoredKey } from '../project.ts'
import type { ImportNote } from './import-note.ts'
import type { ImportedCheck, ImportedProject } from './import-source.ts'

export type PlannedProject = NewProjectPlan | GrowingProjectPlan

/** A project whose id does not exist here. */
export interface NewProjectPlan {
  readonly kind: 'new'
  readonly source: ImportedProject
  /** the project as it will be created */
  readonly project: Project
  readonly keys: readonly StoredKey[]
  /** the checks to create: all of the source */
  readonly added: readonly ImportedCheck[]
}

/** An existing project. Changes made here since are kept. */
export interface GrowingProjectPlan {
  readonly kind: 'here'
  readonly source: ImportedProject
  /** the existing project */
  readonly project: Project
  /** the checks that are new in the source */
  readonly added: readonly ImportedCheck[]
  readonly grown: readonly GrownCheck[]
  /** the checks whose history of alerts is that of the source: offset of their flip numbers here, by check id */
  readonly followed: ReadonlyMap<string, number>
}

/** An imported check that nobody has changed here, and that has received pings or flipped in the source since. */
export interface GrownCheck {
  readonly source: ImportedCheck
  readonly here: CheckWithChannels
  /** number of the newest event here that is kept; later ones were created here by time alone */
  readonly keptEvents: number
  /** flips of the source that are not here, with their numbers here */
  readonly newFlips: readonly Flip[]
}

export interface ImportPlan {
  /** the accounts to create, complete */
  readonly accounts: readonly Account[]
  readonly projects: readonly PlannedProject[]
  /** notes about the source and about existing data */
  readonly notes: readonly ImportNote[]
}
