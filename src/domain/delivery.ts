/** A delivery: one flip owed to one channel, until it is sent or given up. */
import type { Channel, ChannelKind, Move } from './channel.ts'
import type { StoredStatus } from './check.ts'
import type { FlipStory } from './notification.ts'
import type { Instant } from './time.ts'

export type DeliveryState = 'pending' | 'sent' | 'failed'

export interface Delivery {
  /** lower-case UUID; stays the same over retries */
  readonly id: string
  readonly checkId: string
  readonly flipN: number
  readonly channelId: string
  readonly state: DeliveryState
  /** attempts begun, the present one included */
  readonly attempts: number
  readonly createdAt: Instant
}

/** Everything that a message may be made from; the check is as it is now, with the status that the flip gave it. */
export interface DeliveryOrder extends FlipStory {
  readonly delivery: Delivery
  readonly channel: Channel
  readonly channelIds: readonly string[]
}

/** A delivery as people look at it. */
export interface DeliveryEntry {
  readonly delivery: Delivery
  /** what the check became */
  readonly status: StoredStatus
  readonly checkName: string
  readonly channelName: string
  readonly channelKind: ChannelKind
  /** null once it has ended, and while it waits behind an earlier one */
  readonly nextAttemptAt: Instant | null
  readonly endedAt: Instant | null
  /** of the last attempt */
  readonly error: string | null
}

/** The error of an attempt whose receiver has an address that channels may not reach; Healthchecks has the same words. */
export const PRIVATE_ADDRESS_REFUSED = 'Connections to private IP addresses are not allowed'

export const DELIVERY_STATES: readonly DeliveryState[] = ['pending', 'sent', 'failed']

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
