/** Deliveries: alerts to send. */

import type { Recipient } from '../../domain/alert/concurrency-limit.ts'
import type { Delivery, DeliveryEntry, DeliveryOrder, DeliveryState } from '../../domain/alert/delivery.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { Instant } from '../../lib/time.ts'

/** Decides which deliveries are claimed; called inside the transaction. */
export interface ClaimRules {
  /** @param due channels, longest due first @returns ids of channels; the longest due delivery of each is claimed */
  choose(due: readonly Recipient[]): readonly string[]
  /** called before each claim, and again if the transaction is run again; false leaves the delivery unchanged */
  admits(channel: Channel): boolean
  /** whether one message to the channel can report several alerts */
  joins(channel: Channel): boolean
}

/** A message to send. */
export interface ClaimedOrder extends DeliveryOrder {
  /** deliveries that the same message reports after this one; all have the same result */
  readonly joined: readonly Delivery[]
}

/** The receiver accepted a delivery, but reported later that it failed. */
export interface LateFailure {
  readonly error: string
  readonly disablesChannel: boolean
  /** a delivery sent earlier stays `sent` */
  readonly sentSince: Instant
  /** a delivery to a channel of another kind stays `sent` */
  readonly kinds: ReadonlySet<ChannelKind>
}

/** The exclusive right to send a delivery, until `endsAt`. */
export interface Lease {
  readonly delivery: Pick<Delivery, 'id' | 'attempts'>
  readonly endsAt: Instant
}

/** The pending deliveries. */
export interface Outbox {
  /** number of pending deliveries */
  readonly pending: number
  /** when the oldest of them was written, or its quiet hours end; null if there is none */
  readonly oldestAt: Instant | null
}

/** A flip whose deliveries are read. */
export interface NamedFlip {
  readonly checkId: string
  /** null: the newest of the check */
  readonly n: number | null
}

/** The deliveries of a channel to read. */
export interface DeliveryFilter {
  readonly state: DeliveryState
  /** null: all checks */
  readonly checkId: string | null
  /** triggered since this time; null: all */
  readonly since: Instant | null
}

/** A place in a list: the deliveries after it are older, or as old with a lesser id. */
export interface DeliveryPlace {
  readonly id: string
  readonly createdAt: Instant
}

export interface DeliveryPage {
  /** newest first; without those of checks that are deleted or in another project */
  readonly entries: readonly DeliveryEntry[]
  /** the last delivery that was read; null if there are no more */
  readonly last: DeliveryPlace | null
}
