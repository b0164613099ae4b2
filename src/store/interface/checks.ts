/** Checks. */

import type { BadgeCheck } from '../../domain/badge/status.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Undo } from '../../domain/check/bulk.ts'
import type { Check, UniqueField } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { CheckWithRuns } from '../../domain/metrics/project-metrics.ts'
import type { Instant } from '../../lib/time.ts'
import type { Page, PageMark } from './page.ts'
import type { Rules } from './rules.ts'

/** The result of changing the settings of a check, or of pausing or resuming it. */
export interface CheckChange {
  readonly check: Check
  readonly flip?: Flip
  /** the number of the check's newest flip, which is removed as if it had never been; it must have owed no alerts */
  readonly undoneFlip?: number
  /** replaces the assigned channels; if omitted, they stay */
  readonly channelIds?: readonly string[]
}

/** Called inside the transaction that has locked the check. May throw a Refusal; then nothing is written. */
export type DecideChange = (check: Check, channels: readonly Channel[]) => CheckChange

/** Called inside the transaction that has locked the check. @returns null to leave the check as it is */
export type DecideEach = (before: CheckWithChannels, channels: readonly Channel[]) => CheckChange | null

export interface ChangedCheck {
  readonly before: CheckWithChannels
  readonly change: CheckChange
}

/** Who may undo a change of several checks, and by what. */
export interface UndoKey {
  /** `tokenLookup` of its token */
  readonly lookup: string
  readonly accountId: string
  readonly projectId: string
}

/** What is kept of a change of several checks, so that it can be undone. */
export interface UndoKeeping {
  readonly key: UndoKey
  /** of the whole change, which may take several calls */
  readonly begunAt: Instant
  /** number of checks that the calls before have changed */
  readonly stepsBefore: number
  readonly undoOf: (changed: ChangedCheck) => Undo
}

/** Called inside the transaction that has locked the check. @returns null to leave the check as it is */
export type DecideUndo = (before: CheckWithChannels, undo: Undo, channels: readonly Channel[]) => CheckChange | null

/** What one step of undoing has done. */
export interface UndoneChecks {
  readonly undone: number
  /** left as they are, or gone */
  readonly kept: number
  /** number of checks for the next steps */
  readonly left: number
}

export interface CheckFilter {
  readonly slug?: string
  /** a check has to have all of them; each matches a whole tag */
  readonly tags?: readonly string[]
}

/** Where the page of a check is. */
export type CheckPlace = Pick<Check, 'projectId' | 'publicId'>

export interface CheckReads {
  /** In order of creation. @param after null for the first page. A page may be empty without being the last. */
  listChecks(projectId: string, filter: CheckFilter, after: PageMark | null): Promise<Page<CheckWithChannels>>
  /** In order of creation. */
  listChecksWithRuns(projectId: string, after: PageMark | null): Promise<Page<CheckWithRuns>>
  countChecks(projectId: string): Promise<number>
  /** The tags of each check as one text, in order of creation. */
  listTags(projectId: string, after: PageMark | null): Promise<Page<string>>
  /** In the order of `ids`, without those that do not exist. */
  findChecks(ids: readonly string[]): Promise<CheckWithChannels[]>
  findCheck(id: string): Promise<CheckWithChannels | null>
  findCheckByUniqueKey(projectId: string, uniqueKey: string): Promise<CheckWithChannels | null>
  /** In any project; the key is a hash of half a UUID, so several checks may have it. */
  listCheckPlaces(uniqueKey: string): Promise<CheckPlace[]>
  findCheckByPublicId(projectId: string, publicId: string): Promise<CheckWithChannels | null>
  /** All checks of the project with that badge key, in order of creation; an empty page if there is no such project. */
  listBadgeChecks(projectBadgeKey: string, after: PageMark | null): Promise<Page<BadgeCheck>>
  /** @param badgeKey of the check itself */
  findBadgeCheck(badgeKey: string): Promise<BadgeCheck | null>
}

/** Changes that have an author: see `AuthoredWrites`. */
export interface CheckWrites {
  /**
   * Applies `decide` to the oldest check of the project that matches all `criteria`, or to `fresh` if there is none, and
   * stores the result. Checks are ordered by `createdAt`: a new one's is moved past the project's newest if needed.
   * A `publicId` that is taken is moved to a free one.
   * @param criteria null to create a check in any case
   */
  upsertCheck(
    fresh: Check,
    criteria: ReadonlyMap<UniqueField, string | number> | null,
    decide: DecideChange,
    rules: Rules,
  ): Promise<CheckWithChannels & { readonly created: boolean }>
  /** @returns null if the check does not exist */
  changeCheck(id: string, decide: DecideChange, rules: Rules): Promise<CheckWithChannels | null>
  /**
   * From then on no method finds the check or sends its alerts. `prune` removes its log and flips from disk later.
   * @returns the check as it was; null if it does not exist
   */
  deleteCheck(id: string): Promise<CheckWithChannels | null>
  /**
   * Applies `decide` to several checks of a project in one transaction, so give few at a time.
   * @param publicIds distinct; one that does not exist is left out
   * @param keeping null or omitted if the change cannot be undone
   * @returns those that `decide` has changed, in that order
   */
  changeChecks(
    projectId: string,
    publicIds: readonly string[],
    decide: DecideEach,
    rules: Rules,
    keeping?: UndoKeeping | null,
  ): Promise<readonly ChangedCheck[]>
  /**
   * Undoes what one call of {@link changeChecks} has kept, the last one first: each call works once, for the same account and project.
   * Of all changes the newest 1,600 calls are kept, for an hour.
   * @returns null if nothing is left
   */
  undoChecks(key: UndoKey, now: Instant, decide: DecideUndo, rules: Rules): Promise<UndoneChecks | null>
  /** Several checks of a project as by {@link deleteCheck}, in one transaction. @returns how many it deleted */
  deleteChecks(projectId: string, publicIds: readonly string[]): Promise<number>
  /**
   * Moves a check to another project, with its log and flips. All channels of that project are assigned, the former ones no
   * longer. Deliveries that are pending end unsent. Its `createdAt` is moved past that of another check if that has the same.
   * @returns the check as it is now; null if it is not in the project `from`, or there is no project `to`
   */
  transferCheck(
    id: string,
    projects: { readonly from: string; readonly to: string },
    now: Instant,
  ): Promise<CheckWithChannels | null>
  /**
   * Makes the check new, see `cleared` in the domain. From then on no method finds its earlier pings and flips, and their
   * alerts are not sent. `prune` removes them from disk later.
   * @returns the check as it is now; null if it does not exist
   */
  clearCheck(id: string): Promise<CheckWithChannels | null>
}
