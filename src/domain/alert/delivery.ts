/**
 * A delivery: one event to report to one channel. It is pending until it is sent or has failed.
 *
 * `domain/incident/` decides which channels get an event, and when. The delivery is created at that time. `retry.ts` retries it for a day,
 * counted from `createdAt` or from the end of the quiet hours that held it.
 */

import { storable } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import type { Author } from '../author.ts'
import type { Channel, Move } from '../channel/channel.ts'
import type { ChannelKind } from '../channel/channel-kind.ts'
import type { FlipContext } from './flip-context.ts'

/** Events that are reported to channels: a check went down, it recovered, or a person acknowledged its incident. */
export type News = 'down' | 'up' | 'acknowledged'

export type DeliveryState = 'pending' | 'sent' | 'failed'

export interface Delivery {
  /** lower-case UUID; the same for every retry */
  readonly id: string
  readonly checkId: string
  readonly eventN: number
  readonly channelId: string
  readonly state: DeliveryState
  /** number of attempts that were started, including the current one */
  readonly attempts: number
  readonly createdAt: Instant
  /** end of the quiet hours that hold or once held the delivery; null: no quiet hours have held it */
  readonly heldUntil: Instant | null
}

/** The data from which a message is rendered. The check is the current one, except that its status is the one after the flip. */
export interface DeliveryOrder extends FlipContext {
  readonly delivery: Delivery
  readonly channel: Channel
  readonly channelIds: readonly string[]
}

/** A delivery, as lists show it. */
export interface DeliveryEntry {
  readonly delivery: Delivery
  /** status of the check after the flip; `acknowledged` if the delivery is not about a flip */
  readonly status: News
  /** true: the check has been down since then */
  readonly isOpen: boolean
  readonly checkName: string
  readonly checkPublicId: string
  readonly channelName: string
  readonly channelKind: ChannelKind
  /** time of the next attempt; null if the delivery has ended, or while it waits for an earlier delivery */
  readonly nextAttemptAt: Instant | null
  readonly endedAt: Instant | null
  /** error of the last attempt */
  readonly error: string | null
}

/** Identifies a delivery. Unlike the delivery's id, it does not allow anyone to report a result. */
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

/** The error of a delivery to a private address, in Healthchecks' words. */
export const PRIVATE_ADDRESS_REFUSED = 'Connections to private IP addresses are not allowed'

export const DELIVERY_STATES: readonly DeliveryState[] = ['pending', 'sent', 'failed']

const ERROR_LIMIT = 200

/**
 * Actions of a person on a delivery. `retry`: sends a failed delivery again, at once. `send-now`: sends a pending delivery at once. `cancel`:
 * makes a pending delivery fail.
 */
export type DeliveryAction = 'retry' | 'send-now' | 'cancel'

/** Maximum number of seconds that an attempt without a result may still be under way: its lease, and the time to write the result. */
export const UNDER_WAY_SECONDS = 30

/** Beginning of the error of a delivery that a person cancelled. */
export const CANCELLED = 'Cancelled by '

/** Returns the error of a delivery that a person cancelled. */
export function cancelledBy({ kind, name }: Pick<Author, 'kind' | 'name'>): string {
  return keptError(CANCELLED + (kind === 'command' ? 'a command' : name))
}

/** Whether an error comes from {@link cancelledBy}. */
export function isCancelled(error: string | null): boolean {
  return error?.startsWith(CANCELLED) === true
}

/** Returns an error as it is stored and listed: at most 200 whole characters, without characters that cannot be stored. */
export function keptError(error: string): string {
  return storable([...error].slice(0, ERROR_LIMIT).join(''))
}

/** Returns the end of the quiet hours that hold a delivery; null if none hold it now. */
export function quietEnd({
  delivery,
  nextAttemptAt,
}: Pick<DeliveryEntry, 'delivery' | 'nextAttemptAt'>): Instant | null {
  const { heldUntil } = delivery
  // An attempt or a retry changes `nextAttemptAt`.
  return heldUntil !== null && nextAttemptAt !== null && heldUntil.equals(nextAttemptAt) ? heldUntil : null
}

/** The outcome of an attempt. */
export type DeliveryResult =
  | { readonly state: 'sent' }
  | {
      readonly state: 'pending'
      readonly error: string
      /** time of the retry; null: at once, sending each delivery of a combined message separately */
      readonly nextAttemptAt: Instant | null
      readonly move?: Move
    }
  | { readonly state: 'failed'; readonly error: string; readonly disablesChannel: boolean }
