/** Checks. */

import type { Undo } from '../../domain/bulk/bulk.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { Instant } from '../../lib/time.ts'

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
export type DecideUndo = (
  before: CheckWithChannels,
  undo: Undo,
  channels: readonly Channel[],
) => CheckChange | 'delete' | null

/** A check that is created unless the project has one with its slug. */
export interface Creation {
  readonly fresh: Check
  readonly decide: DecideChange
}

/** What is kept of the creation of several checks, so that it can be undone. */
export interface CreationKeeping extends Omit<UndoKeeping, 'undoOf'> {
  readonly undoOf: (created: CheckWithChannels) => Undo
}

/** What one step of undoing has done. */
export interface UndoneChecks {
  readonly undone: number
  /** of these, those that were deleted, because the change had created them */
  readonly deleted: number
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
