/** Alert deliveries. */

import type { Recipient } from '../../domain/alert/concurrency-limit.ts'
import type { Delivery, DeliveryEntry, DeliveryOrder, DeliveryState } from '../../domain/alert/delivery.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { Instant } from '../../lib/time.ts'

/** Decides which deliveries are claimed. Called inside the transaction. */
export interface ClaimRules {
  /** @param due channels, longest overdue first @returns ids of channels; the longest overdue delivery of each channel is claimed */
  choose(due: readonly Recipient[]): readonly string[]
  /** called before each claim, and again if the transaction is retried; returns false to leave the delivery unchanged */
  admits(channel: Channel): boolean
  /** whether one message to the channel can report several alerts */
  joins(channel: Channel): boolean
}

/** A message to send. */
export interface ClaimedOrder extends DeliveryOrder {
  /** other deliveries that the same message reports; they all get the same result */
  readonly joined: readonly Delivery[]
}

/** A delivery that the receiver accepted but later reported as failed. */
export interface LateFailure {
  readonly error: string
  readonly disablesChannel: boolean
  /** deliveries that were sent before this time stay `sent` */
  readonly sentSince: Instant
  /** deliveries to channels of other kinds stay `sent` */
  readonly kinds: ReadonlySet<ChannelKind>
}

/** The exclusive right to send a delivery until `endsAt`. */
export interface Lease {
  readonly delivery: Pick<Delivery, 'id' | 'attempts'>
  readonly endsAt: Instant
}

/** Figures about pending deliveries. */
export interface Outbox {
  /** number of pending deliveries */
  readonly pending: number
  /** when the oldest pending delivery was created or, if it is held, when the quiet hours end; null if there is none */
  readonly oldestAt: Instant | null
}

/** The flip whose deliveries to read. */
export interface NamedFlip {
  readonly checkId: string
  /** number of the flip; null for the check's newest flip */
  readonly n: number | null
}

/** Selects which of a channel's deliveries to read. */
export interface DeliveryFilter {
  readonly state: DeliveryState
  /** null for all checks */
  readonly checkId: string | null
  /** only deliveries triggered at this time or later; null for no limit */
  readonly since: Instant | null
}

/** Position in a list of deliveries. The deliveries after it are older, or equally old with a smaller id. */
export interface DeliveryPlace {
  readonly id: string
  readonly createdAt: Instant
}

export interface DeliveryPage {
  /** newest first, without deliveries of checks that were deleted or are in another project */
  readonly entries: readonly DeliveryEntry[]
  /** last delivery that was read; null if no deliveries follow */
  readonly last: DeliveryPlace | null
}
