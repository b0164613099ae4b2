/**
 * A delivery: one event to report to one channel, until it is sent or has failed.
 *
 * Who is told of an event, and when, is the matter of `domain/incident/`: it is owed from then on, and `retry.ts` counts its day from
 * `createdAt`.
 */

import { storable } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import type { Author } from '../author.ts'
import type { Channel, Move } from '../channel/channel.ts'
import type { ChannelKind } from '../channel/channel-kind.ts'
import type { FlipContext } from './flip-context.ts'

/** The events that are told: a check went down or recovered, or somebody has taken its incident. */
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
}

/** Everything a message may be rendered from. The check is as it is now, but with the status that the flip gave it. */
export interface DeliveryOrder extends FlipContext {
  readonly delivery: Delivery
  readonly channel: Channel
  readonly channelIds: readonly string[]
}

/** A delivery as lists show it. */
export interface DeliveryEntry {
  readonly delivery: Delivery
  /** the check's status after the flip, if it is about a flip */
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
  /** of the last attempt */
  readonly error: string | null
}

/** Names a delivery, and gives nobody the right to report about it, which its id does. */
export interface DeliveryKey {
  readonly checkPublicId: string
  readonly eventN: number
  readonly channelId: string
}

/** How many deliveries of a list are in each state. */
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
 * What somebody does to a delivery. `retry`: a failed one is pending again, due at once. `hurry`: a pending one is due at once. `cancel`: a
 * pending one fails.
 */
export type DeliveryAction = 'retry' | 'hurry' | 'cancel'

/** An attempt that is due until then, and whose result is missing, may be under way: its lease is that long, with what a write may wait. */
export const UNDER_WAY_SECONDS = 30

/** How the error of a delivery begins that somebody cancelled. */
export const CANCELLED = 'Cancelled by '

/** The error of a delivery that somebody cancelled. */
export function cancelledBy({ kind, name }: Pick<Author, 'kind' | 'name'>): string {
  return keptError(CANCELLED + (kind === 'command' ? 'a command' : name))
}

/** Whether the error is one of {@link cancelledBy}. */
export function isCancelled(error: string | null): boolean {
  return error?.startsWith(CANCELLED) === true
}

/** As much of an error as is stored and listed: whole characters, at most 200, without those that cannot be stored. */
export function keptError(error: string): string {
  return storable([...error].slice(0, ERROR_LIMIT).join(''))
}

/** How an attempt ended. */
export type DeliveryResult =
  | { readonly state: 'sent' }
  | {
      readonly state: 'pending'
      readonly error: string
      readonly nextAttemptAt: Instant
      readonly move?: Move
    }
  | { readonly state: 'failed'; readonly error: string; readonly disablesChannel: boolean }
