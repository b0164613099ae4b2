/** Checks, and changes to checks. */

import type { Undo } from '../../domain/bulk/bulk.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { Instant } from '../../lib/time.ts'

/** Result of changing the settings of a check, or of pausing or resuming it. */
export interface CheckChange {
  readonly check: Check
  readonly flip?: Flip
  /** number of the check's newest flip, to be removed without a trace; the flip must not have caused any alerts */
  readonly undoneFlip?: number
  /** new assigned channels; if omitted, they stay the same */
  readonly channelIds?: readonly string[]
}

/** Called inside the transaction that has locked the check. If it throws a Refusal, nothing is written. */
export type DecideChange = (check: Check, channels: readonly Channel[]) => CheckChange

/** Called inside the transaction that has locked the check. @returns null to leave the check unchanged */
export type DecideEach = (before: CheckWithChannels, channels: readonly Channel[]) => CheckChange | null

export interface ChangedCheck {
  readonly before: CheckWithChannels
  readonly change: CheckChange
}

/** The account that may undo a change of several checks, and the token that allows it. */
export interface UndoKey {
  /** `tokenLookup` of the token */
  readonly lookup: string
  readonly accountId: string
  readonly projectId: string
}

/** Data that is stored about a change of several checks so that the change can be undone. */
export interface UndoKeeping {
  readonly key: UndoKey
  /** start of the complete change, which may take several calls */
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

/** A check to create, unless the project already has one with its slug. */
export interface Creation {
  readonly fresh: Check
  readonly decide: DecideChange
}

/** Data that is stored about the creation of several checks so that the creation can be undone. */
export interface CreationKeeping extends Omit<UndoKeeping, 'undoOf'> {
  readonly undoOf: (created: CheckWithChannels) => Undo
}

/** Result of undoing one step. */
export interface UndoneChecks {
  readonly undone: number
  /** number of these checks that were deleted because the change had created them */
  readonly deleted: number
  /** number of checks that were not undone because they have changed in the meantime or no longer exist */
  readonly kept: number
  /** number of checks left for the next steps */
  readonly left: number
}

export interface CheckFilter {
  readonly slug?: string
  /** tags, all of which a check must have; each must match a complete tag of the check */
  readonly tags?: readonly string[]
}

/** The project and the public id of a check, which are enough to find its page. */
export type CheckPlace = Pick<Check, 'projectId' | 'publicId'>
