/** Changes of checks, for cached answers and live pages. */

import type { WatchedCheck } from '../../domain/check/check.ts'

/** A version of a project's checks. Opaque to callers, and valid only in this process. */
export interface Revision {
  readonly edits: string
  readonly touches: number
}

export interface ProjectChanges {
  /** revision for the next call; get it before you read the checks, so that no change is missed */
  readonly revision: Revision
  /** the checks that may have changed; null if any may have changed, or been created or deleted */
  readonly checkIds: readonly string[] | null
}

/** Revision of the writes of other processes. */
export interface OthersRevision {
  /** changes whenever other processes have written, except for upkeep */
  readonly writes: string
  /** changes whenever any check or anyone's rights may have changed; may stay the same if checks were only pinged */
  readonly edits: string
}

/** Changes made by a commit that open pages show. */
export type CommittedChange =
  | {
      readonly kind: 'checks'
      /** checks that were pinged or judged, by project; may contain duplicates */
      readonly touched: ReadonlyMap<string, readonly string[]>
      /** checks that were created, edited or deleted, by project */
      readonly edited: ReadonlyMap<string, readonly string[]>
      /** returns the written state of a touched check; undefined for other checks, or if another process has written it */
      readonly stateOf: (checkId: string) => WatchedCheck | undefined
      /** true if a stored status may have changed */
      readonly statuses: boolean
    }
  /** the state of an alert of the check has changed; if null, an integration of the project or its alerts have changed */
  | { readonly kind: 'alerts'; readonly projectId: string; readonly checkId: string | null }
  /** every check may have changed */
  | { readonly kind: 'all' }
