/** Changes: for cached answers, and for live pages. */

import type { WatchedCheck } from '../../domain/check/check.ts'

/** A version of a project's checks; opaque to callers, and valid only in this process. */
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

/** The revision of other processes' writes. */
export interface OthersRevision {
  /** changes whenever they have written, except for upkeep */
  readonly writes: string
  /** changes whenever any check, or anyone's right, may have changed; if only pings have changed checks, it may be unchanged */
  readonly edits: string
}

/** The changes of a commit that open pages show. */
export type CommittedChange =
  | {
      readonly kind: 'checks'
      /** checks that were pinged or judged, by project; may contain duplicates */
      readonly touched: ReadonlyMap<string, readonly string[]>
      /** checks that were created, edited or deleted, by project */
      readonly edited: ReadonlyMap<string, readonly string[]>
      /** returns the written state of a touched check; undefined for others, and if another process has written it */
      readonly stateOf: (checkId: string) => WatchedCheck | undefined
      /** true if a stored status may have changed */
      readonly statuses: boolean
    }
  /** the state of an alert of the check has changed; null: an integration of the project has changed, or its alerts have */
  | { readonly kind: 'alerts'; readonly projectId: string; readonly checkId: string | null }
  /** every check may have changed */
  | { readonly kind: 'all' }
