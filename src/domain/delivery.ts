/** A delivery: one flip owed to one channel, until it is sent or given up. */
import type { Channel } from './channel.ts'
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

/** How an attempt ended. */
export type DeliveryResult =
  | { readonly state: 'sent' }
  | { readonly state: 'pending'; readonly error: string; readonly nextAttemptAt: Instant }
  | { readonly state: 'failed'; readonly error: string; readonly disablesChannel: boolean }
