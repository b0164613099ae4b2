/** What has changed: for answers that are kept, and for live pages. */

import type { WatchedCheck } from '../../domain/check/check.ts'
import type { NoticeListener } from '../database.ts'

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

/** What a commit of this process has changed, as far as open pages show it. */
export type CommittedChange =
  | {
      readonly kind: 'checks'
      /** by project, the checks that were pinged or judged; may contain duplicates */
      readonly touched: ReadonlyMap<string, readonly string[]>
      /** by project, the checks that were created, edited or deleted */
      readonly edited: ReadonlyMap<string, readonly string[]>
      /** what was written of a touched check; undefined for others */
      readonly stateOf: (checkId: string) => WatchedCheck | undefined
      /** true if a stored status may have changed */
      readonly statuses: boolean
    }
  /** an attempt to deliver an alert of the check has ended */
  | { readonly kind: 'delivery'; readonly checkId: string }
  /** every check may have changed */
  | { readonly kind: 'all' }

export interface ChangeReads {
  /**
   * Which checks of a project have changed since a revision, as far as the API shows it.
   * @param since null on the first call
   */
  readChanges(projectId: string, since: Revision | null): Promise<ProjectChanges>
  /** The revision of a project now; what other processes have written counts as far as it was known when last read. */
  revisionOf(projectId: string): Revision
  /** Changes whenever another process has written. */
  readRevisionOfOthers(): Promise<string>
  /** Changes whenever somebody may see more or less than before, and with {@link readRevisionOfOthers}. */
  accessRevision(): string
  /**
   * Calls the listener after each commit of this process, before the caller of the write is answered. It must be quick and
   * must not throw.
   * @returns ends it
   */
  watchChanges(listener: (change: CommittedChange) => void): () => void
  /**
   * Calls the listener when another process has told that something may be due, or that a check was edited or changed its status.
   * It saves the wait until the next look: a notice may be lost, and the processes on a file send none.
   * @returns ends it
   */
  watchNotices(listener: NoticeListener): () => void
  /**
   * Changes whenever this process changes a stored status or edits a check, in any project. A ping without a flip does not change
   * it.
   */
  statusRevision(): string
}
