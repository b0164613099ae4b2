/** Changes to checks, for cached answers and live pages. */

import type { WatchedCheck } from '../../domain/check/check.ts'

/** Identifies a version of a project's checks. Callers must not interpret it, and it is valid only in this process. */
export interface Revision {
  readonly edits: string
  readonly touches: number
}

export interface ProjectChanges {
  /** revision for the next call; get the revision before you read the checks, so that no change is missed */
  readonly revision: Revision
  /** the checks that may have changed; null if any check may have changed or been created or deleted */
  readonly checkIds: readonly string[] | null
}

/** A revision of other processes' writes. */
export interface OthersRevision {
  /** changes whenever other processes have written anything, apart from upkeep */
  readonly writes: string
  /** changes whenever any check or anyone's rights may have changed; may stay the same if checks were only pinged */
  readonly edits: string
}

/** Changes that a commit made and that open pages show. */
export type CommittedChange =
  | {
      readonly kind: 'checks'
      /** checks that were pinged or judged, by project; may contain duplicates */
      readonly touched: ReadonlyMap<string, readonly string[]>
      /** checks that were created, edited or deleted, by project */
      readonly edited: ReadonlyMap<string, readonly string[]>
      /** returns the state that was written for a touched check; undefined for other checks, or if another process wrote it */
      readonly stateOf: (checkId: string) => WatchedCheck | undefined
      /** true if a stored status may have changed */
      readonly statuses: boolean
    }
  /** an alert of the check has changed; if `checkId` is null, a project's integration or its alerts have changed */
  | { readonly kind: 'alerts'; readonly projectId: string; readonly checkId: string | null }
  /** every check may have changed */
  | { readonly kind: 'all' }
