/** Checks, and changes of them. */

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
  /** the number of the check's newest flip, which is removed without a trace; it must have caused no alerts */
  readonly undoneFlip?: number
  /** replaces the assigned channels; if omitted, they are unchanged */
  readonly channelIds?: readonly string[]
}

/** Called inside the transaction that has locked the check. May throw a Refusal; then nothing is written. */
export type DecideChange = (check: Check, channels: readonly Channel[]) => CheckChange

/** Called inside the transaction that has locked the check. @returns null to leave the check unchanged */
export type DecideEach = (before: CheckWithChannels, channels: readonly Channel[]) => CheckChange | null

export interface ChangedCheck {
  readonly before: CheckWithChannels
  readonly change: CheckChange
}

/** The account that may undo a change of several checks, and the token for it. */
export interface UndoKey {
  /** `tokenLookup` of the token */
  readonly lookup: string
  readonly accountId: string
  readonly projectId: string
}

/** The data of a change of several checks that are stored so that it can be undone. */
export interface UndoKeeping {
  readonly key: UndoKey
  /** beginning of the whole change, which may take several calls */
  readonly begunAt: Instant
  /** number of checks that earlier calls have changed */
  readonly stepsBefore: number
  readonly undoOf: (changed: ChangedCheck) => Undo
}

/** Called inside the transaction that has locked the check. @returns null to leave the check unchanged */
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

/** The data of a creation of several checks that are stored so that it can be undone. */
export interface CreationKeeping extends Omit<UndoKeeping, 'undoOf'> {
  readonly undoOf: (created: CheckWithChannels) => Undo
}

/** The result of one step of undoing. */
export interface UndoneChecks {
  readonly undone: number
  /** number of these that were deleted, because the change had created them */
  readonly deleted: number
  /** number of checks that are unchanged, or no longer exist */
  readonly kept: number
  /** number of checks for the next steps */
  readonly left: number
}

export interface CheckFilter {
  readonly slug?: string
  /** tags, all of which a check must have; each matches a whole tag */
  readonly tags?: readonly string[]
}

/** The place of a check's page. */
export type CheckPlace = Pick<Check, 'projectId' | 'publicId'>
