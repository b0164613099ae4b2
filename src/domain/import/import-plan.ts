/** The plan of an import for each project: creates it, or adds new data to the one that an earlier import created. */
import type { Account } from '../account/account.ts'
import type { Flip } from '../check/flip.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import type { Project, StoredKey } from '../project.ts'
import type { ImportNote } from './import-note.ts'
import type { ImportedCheck, ImportedProject } from './import-source.ts'

export type PlannedProject = NewProjectPlan | GrowingProjectPlan

/** A project whose id does not exist on this server. */
export interface NewProjectPlan {
  readonly kind: 'new'
  readonly source: ImportedProject
  /** the project as it will be created */
  readonly project: Project
  readonly keys: readonly StoredKey[]
  /** the checks to create: all of the source */
  readonly added: readonly ImportedCheck[]
}

/** An existing project. Changes made on this server since the earlier import are kept. */
export interface GrowingProjectPlan {
  readonly kind: 'here'
  readonly source: ImportedProject
  /** the existing project */
  readonly project: Project
  /** the checks that are new in the source */
  readonly added: readonly ImportedCheck[]
  readonly grown: readonly GrownCheck[]
  /** offset of flip numbers on this server, by check id, for checks whose history of alerts is that of the source */
  readonly followed: ReadonlyMap<string, number>
}

/** An imported check that nobody has changed on this server, and that has received pings or flipped in the source since. */
export interface GrownCheck {
  readonly source: ImportedCheck
  readonly here: CheckWithChannels
  /** number of the newest event on this server that is kept; time alone created the later ones */
  readonly keptEvents: number
  /** flips of the source that this server does not have, with their numbers on this server */
  readonly newFlips: readonly Flip[]
}

export interface ImportPlan {
  /** the accounts to create, complete */
  readonly accounts: readonly Account[]
  readonly projects: readonly PlannedProject[]
  /** notes about the source and about existing data */
  readonly notes: readonly ImportNote[]
}
