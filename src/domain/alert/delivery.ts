/**
 * A delivery: one event to report to one channel, until it is sent or has failed.
 *
 * `domain/incident/` decides which channels get an event, and when. The delivery is created then, and `retry.ts` counts its day from
 * `createdAt`, or from the end of the quiet hours for which it waited.
 */

import { storable } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import type { Author } from '../author.ts'
import type { Channel, Move } from '../channel/channel.ts'
import type { ChannelKind } from '../channel/channel-kind.ts'
import type { FlipContext } from './flip-context.ts'

/** Events that are reported: a check went down or recovered, or a person acknowledged its incident. */
export type News = 'down' | 'up' | 'acknowledged'

export type DeliveryState = 'pending' | 'sent' | 'failed'

export interface Delivery {
  /** lower-case UUID; stays the same over retries */
  readonly id: string
  readonly checkId: string
  readonly eventN: number
  readonly channelId: string
  readonly state: DeliveryState
  /** attempts begun, including the current one */
  readonly attempts: number
  readonly createdAt: Instant
  /** end of the channel's quiet hours for which the delivery waits or has waited; null: it never waited for any */
  readonly heldUntil: Instant | null
}

/** Everything from which a message may be rendered. The check is the current one, but with the status that the flip gave it. */
export interface DeliveryOrder extends FlipContext {
  readonly delivery: Delivery
  readonly channel: Channel
  readonly channelIds: readonly string[]
}

/** A delivery as lists show it. */
export interface DeliveryEntry {
  readonly delivery: Delivery
  /** the check's status after the flip, if the delivery is about a flip */
  readonly status: News
  /** true: the check has been down ever since */
  readonly isOpen: boolean
  readonly checkName: string
  readonly checkPublicId: string
  readonly channelName: string
  readonly channelKind: ChannelKind
  /** null once the delivery has ended, and while it waits for an earlier one */
  readonly nextAttemptAt: Instant | null
  readonly endedAt: Instant | null
  /** error of the last attempt */
  readonly error: string | null
}

/** Identifies a delivery. Unlike its id, this gives nobody the right to report about it. */
export interface DeliveryKey {
  readonly checkPublicId: string
  readonly eventN: number
  readonly channelId: string
}

/** Number of a list's deliveries in each state. */
export interface DeliveryCounts {
  readonly pending: number
  readonly failed: number
  readonly sent: number
}

/** The error of a delivery to a private address; Healthchecks' wording. */
export const PRIVATE_ADDRESS_REFUSED = 'Connections to private IP addresses are not allowed'

export const DELIVERY_STATES: readonly DeliveryState[] = ['pending', 'sent', 'failed']

const ERROR_LIMIT = 200

/**
 * A person's action on a delivery. `retry`: a failed one is pending again, due at once. `hurry`: a pending one is due at once. `cancel`: a
 * pending one fails.
 */
export type DeliveryAction = 'retry' | 'hurry' | 'cancel'

/** Seconds during which an attempt without a result may still be under way: its lease, and the wait for a write. */
export const UNDER_WAY_SECONDS = 30

/** Start of the error of a delivery that a person cancelled. */
export const CANCELLED = 'Cancelled by '

/** Returns the error of a delivery that a person cancelled. */
export function cancelledBy({ kind, name }: Pick<Author, 'kind' | 'name'>): string {
  return keptError(CANCELLED + (kind === 'command' ? 'a command' : name))
}

/** Whether {@link cancelledBy} made the error. */
export function isCancelled(error: string | null): boolean {
  return error?.startsWith(CANCELLED) === true
}

/** Returns the part of an error that is stored and listed: whole characters, at most 200, without those that cannot be stored. */
export function keptError(error: string): string {
  return storable([...error].slice(0, ERROR_LIMIT).join(''))
}

/** Returns the end of the quiet hours for which a delivery waits; null if it waits for none, or no longer waits. */
export function quietEnd({
  delivery,
  nextAttemptAt,
}: Pick<DeliveryEntry, 'delivery' | 'nextAttemptAt'>): Instant | null {
  const { heldUntil } = delivery
  // An attempt, or a retry, sets another `nextAttemptAt`.
  return heldUntil !== null && nextAttemptAt !== null && heldUntil.equals(nextAttemptAt) ? heldUntil : null
}

/** The result of an attempt. */
export type DeliveryResult =
  | { readonly state: 'sent' }
  | {
      readonly state: 'pending'
      readonly error: string
      /** null: at once, and each delivery of the message alone */
      readonly nextAttemptAt: Instant | null
      readonly move?: Move
    }
  | { readonly state: 'failed'; readonly error: string; readonly disablesChannel: boolean }
