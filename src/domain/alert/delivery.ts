/**
 * A delivery: one event to report to one channel. It is pending until it is sent or has failed.
 * `domain/incident/` decides when an event is reported and to which channels, and creates the delivery at that time. `retry.ts` retries it
 * for a day, counted from `createdAt` or from the end of the quiet hours that held it back.
 */

import { storable } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import type { Author } from '../author.ts'
import type { Channel, Move } from '../channel/channel.ts'
import type { ChannelKind } from '../channel/channel-kind.ts'
import type { FlipContext } from './flip-context.ts'

/** Events reported to channels: a check went down, it recovered, or a user acknowledged its incident. */
export type News = 'down' | 'up' | 'acknowledged'

export type DeliveryState = 'pending' | 'sent' | 'failed'

export interface Delivery {
  /** lowercase UUID, the same for every attempt */
  readonly id: string
  readonly checkId: string
  readonly eventN: number
  readonly channelId: string
  readonly state: DeliveryState
  /** number of attempts started, including the current one */
  readonly attempts: number
  readonly createdAt: Instant
  /** end of the quiet hours that are holding or held back the delivery; null: it was never held back */
  readonly heldUntil: Instant | null
}

/** The data needed to render a message. The check is in its current state, except that its status is the one after the flip. */
export interface DeliveryOrder extends FlipContext {
  readonly delivery: Delivery
  readonly channel: Channel
  readonly channelIds: readonly string[]
}

/** A delivery, as shown in lists. */
export interface DeliveryEntry {
  readonly delivery: Delivery
  /** check's status after the flip; `acknowledged` if the delivery is not about a flip */
  readonly status: News
  /** true: the check has been down since the flip */
  readonly isOpen: boolean
  readonly checkName: string
  readonly checkPublicId: string
  readonly channelName: string
  readonly channelKind: ChannelKind
  /** time of the next attempt; null if the delivery has ended or is waiting for an earlier one */
  readonly nextAttemptAt: Instant | null
  readonly endedAt: Instant | null
  /** error from the last attempt */
  readonly error: string | null
}

/** Identifies a delivery. Unlike the delivery's id, it can't be used to report a result. */
export interface DeliveryKey {
  readonly checkPublicId: string
  readonly eventN: number
  readonly channelId: string
}

/** Number of deliveries in each state. */
export interface DeliveryCounts {
  readonly pending: number
  readonly failed: number
  readonly sent: number
}

/** The error for a delivery to a private address, worded as in Healthchecks. */
export const PRIVATE_ADDRESS_REFUSED = 'Connections to private IP addresses are not allowed'

export const DELIVERY_STATES: readonly DeliveryState[] = ['pending', 'sent', 'failed']

const ERROR_LIMIT = 200

/**
 * Actions that a user can take on a delivery. `retry`: sends a failed delivery again immediately. `send-now`: sends a pending delivery
 * immediately. `cancel`: makes a pending delivery fail.
 */
export type DeliveryAction = 'retry' | 'send-now' | 'cancel'

/**
 * Number of seconds after which an attempt without a result is no longer considered in progress: its lease, plus the time needed to write
 * the result.
 */
export const UNDER_WAY_SECONDS = 30

/** Prefix of the error for a delivery that a user cancelled. */
export const CANCELLED = 'Cancelled by '

/** Returns the error for a delivery that a user cancelled. */
export function cancelledBy({ kind, name }: Pick<Author, 'kind' | 'name'>): string {
  return keptError(CANCELLED + (kind === 'command' ? 'a command' : name))
}

/** Whether the error is from {@link cancelledBy}. */
export function isCancelled(error: string | null): boolean {
  return error?.startsWith(CANCELLED) === true
}

/** Truncates an error to 200 characters for storage and lists, and removes characters that can't be stored. */
export function keptError(error: string): string {
  return storable([...error].slice(0, ERROR_LIMIT).join(''))
}

/** Returns the end of the quiet hours that are currently holding a delivery back; null if it is not held back. */
export function quietEnd({
  delivery,
  nextAttemptAt,
}: Pick<DeliveryEntry, 'delivery' | 'nextAttemptAt'>): Instant | null {
  const { heldUntil } = delivery
  // An attempt or a retry changes `nextAttemptAt`, so it differs from `heldUntil` afterwards.
  return heldUntil !== null && nextAttemptAt !== null && heldUntil.equals(nextAttemptAt) ? heldUntil : null
}

/** An attempt's outcome. */
export type DeliveryResult =
  | { readonly state: 'sent' }
  | {
      readonly state: 'pending'
      readonly error: string
      /** time of the retry; null: retry immediately, and send each delivery in a combined message separately */
      readonly nextAttemptAt: Instant | null
      readonly move?: Move
    }
  | { readonly state: 'failed'; readonly error: string; readonly disablesChannel: boolean }
