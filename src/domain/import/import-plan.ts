/** What an import does with each project: makes it, or adds what is new to the one that an earlier import has made. */
import type { Account } from '../account/account.ts'
import type { Flip } from '../check/flip.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import type { Project, StoredKey } from '../project.ts'
import type { ImportNote } from './import-note.ts'
import type { ImportedCheck, ImportedProject } from './import-source.ts'

export type PlannedProject = NewProjectPlan | GrowingProjectPlan

/** There is no project of this id here. */
export interface NewProjectPlan {
  readonly kind: 'new'
  readonly source: ImportedProject
  /** as it will be */
  readonly project: Project
  readonly keys: readonly StoredKey[]
  /** the checks that it is made with: all of the source */
  readonly added: readonly ImportedCheck[]
}

/** The project is here. What has changed here since is left alone. */
export interface GrowingProjectPlan {
  readonly kind: 'here'
  readonly source: ImportedProject
  /** as it is */
  readonly project: Project
  /** the checks that are new in the source */
  readonly added: readonly ImportedCheck[]
  readonly grown: readonly GrownCheck[]
  /** the checks whose history of alerts is that of the source: by their ids, how much greater the numbers of their flips are here */
  readonly followed: ReadonlyMap<string, number>
}

/** A check that is here as it was imported, and has received pings or flipped in the source since. */
export interface GrownCheck {
  readonly source: ImportedCheck
  readonly here: CheckWithChannels
  /** number of the newest event here that stays; later ones were made here by time alone */
  readonly keptEvents: number
  /** of the source, those that are not here, numbered as they will be here */
  readonly newFlips: readonly Flip[]
}

export interface ImportPlan {
  /** the accounts that do not exist yet, with all that they will have */
  readonly accounts: readonly Account[]
  readonly projects: readonly PlannedProject[]
  /** of the source, and of what is here */
  readonly notes: readonly ImportNote[]
}
