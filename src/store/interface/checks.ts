/** Checks, and changes to them. */

import type { Undo } from '../../domain/bulk/bulk.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { Instant } from '../../lib/time.ts'

/** The result of changing a check's settings, or of pausing or resuming a check. */
export interface CheckChange {
  readonly check: Check
  readonly flip?: Flip
  /** number of the check's newest flip, if that flip is to be undone and deleted. It must not have caused any alerts */
  readonly undoneFlip?: number
  /** ids of the channels to assign; if omitted, the assigned channels do not change */
  readonly channelIds?: readonly string[]
}

/** Called inside a transaction that has locked the check. If it throws a Refusal, nothing is written. */
export type DecideChange = (check: Check, channels: readonly Channel[]) => CheckChange

/** Called inside a transaction that has locked the check. @returns null to leave the check unchanged */
export type DecideEach = (before: CheckWithChannels, channels: readonly Channel[]) => CheckChange | null

export interface ChangedCheck {
  readonly before: CheckWithChannels
  readonly change: CheckChange
}

/** The account that may undo a change to several checks, and the token that allows it. */
export interface UndoKey {
  /** the token's `tokenLookup` */
  readonly lookup: string
  readonly accountId: string
  readonly projectId: string
}

/** Data that is stored about a change to several checks so that the change can be undone. */
export interface UndoKeeping {
  readonly key: UndoKey
  /** start of the complete change, which may take several calls */
  readonly begunAt: Instant
  /** number of checks that earlier calls have changed */
  readonly stepsBefore: number
  readonly undoOf: (changed: ChangedCheck) => Undo
}

/** Called inside a transaction that has locked the check. @returns null to leave the check unchanged */
export type DecideUndo = (
  before: CheckWithChannels,
  undo: Undo,
  channels: readonly Channel[],
) => CheckChange | 'delete' | null

/** A check to create, unless the project already has a check with the same slug. */
export interface Creation {
  readonly fresh: Check
  readonly decide: DecideChange
}

/** Data that is stored about the creation of several checks so that the creation can be undone. */
export interface CreationKeeping extends Omit<UndoKeeping, 'undoOf'> {
  readonly undoOf: (created: CheckWithChannels) => Undo
}

/** The result of undoing one step. */
export interface UndoneChecks {
  readonly undone: number
  /** number of the step's checks that were deleted because the change had created them */
  readonly deleted: number
  /** number of checks that were left unchanged because they have changed in the meantime or no longer exist */
  readonly kept: number
  /** number of checks left for the next steps */
  readonly left: number
}

export interface CheckFilter {
  readonly slug?: string
  /** tags, all of which a check must have; each must match a complete tag of the check */
  readonly tags?: readonly string[]
}

/** A check's project and public id, which are enough to find its page. */
export type CheckPlace = Pick<Check, 'projectId' | 'publicId'>
