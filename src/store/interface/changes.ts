/** What has changed: for answers that are kept, and for live pages. */

import type { WatchedCheck } from '../../domain/check/check.ts'

/** A version of a project's checks; opaque to callers, and valid only in this process. */
export interface Revision {
  readonly edits: string
  readonly touches: number
}

export interface ProjectChanges {
  /** for the next call; get it before you read the checks, so that no change is missed */
  readonly revision: Revision
  /** the checks that may have changed; null if any may have changed, or been created or deleted */
  readonly checkIds: readonly string[] | null
}

/** Of what other processes have written. */
export interface OthersRevision {
  /** Changes whenever they have written, but for upkeep. */
  readonly writes: string
  /** Changes whenever any check, or anybody's right, may have changed; if only pings have changed checks, it may stay. */
  readonly edits: string
}

/** What a commit has changed, as far as open pages show it. */
export type CommittedChange =
  | {
      readonly kind: 'checks'
      /** by project, the checks that were pinged or judged; may contain duplicates */
      readonly touched: ReadonlyMap<string, readonly string[]>
      /** by project, the checks that were created, edited or deleted */
      readonly edited: ReadonlyMap<string, readonly string[]>
      /** what was written of a touched check; undefined for others, and if another process has written it */
      readonly stateOf: (checkId: string) => WatchedCheck | undefined
      /** true if a stored status may have changed */
      readonly statuses: boolean
    }
  /** what became of an alert of the check has changed; null: an integration of the project has changed, or its alerts have */
  | { readonly kind: 'alerts'; readonly projectId: string; readonly checkId: string | null }
  /** every check may have changed */
  | { readonly kind: 'all' }
