/** Deliveries: alerts on their way. */

import type { Attempt, AttemptTrace } from '../../domain/alert/attempt.ts'
import type { Recipient } from '../../domain/alert/concurrency-limit.ts'
import type {
  Delivery,
  DeliveryAction,
  DeliveryCounts,
  DeliveryEntry,
  DeliveryKey,
  DeliveryOrder,
  DeliveryResult,
  DeliveryState,
} from '../../domain/alert/delivery.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { Instant } from '../../lib/time.ts'

/** Decides which deliveries are claimed; called inside the transaction. */
export interface ClaimRules {
  /** @param due channels, longest due first @returns ids of channels; the longest due delivery of each is claimed */
  choose(due: readonly Recipient[]): readonly string[]
  /** called before each claim, and again if the transaction is run again; false leaves the delivery as it is */
  admits(channel: Channel): boolean
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
  /** their number */
  readonly pending: number
  /** when the oldest of them was written; null if there is none */
  readonly oldestAt: Instant | null
}

/** Which deliveries of a channel are read. */
export interface DeliveryFilter {
  readonly state: DeliveryState
  /** null: of all checks */
  readonly checkId: string | null
  /** owed since then; null: all */
  readonly since: Instant | null
}

/** The deliveries after this one are older, or as old with a lesser id. */
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

export interface DeliveryStore {
  /**
   * Claims due deliveries. Nobody else can claim them until `leaseEndsAt`; then they are due again, so that a crash loses
   * none. The flips of a check reach a channel in order.
   */
  claimDeliveries(now: Instant, leaseEndsAt: Instant, rules: ClaimRules): Promise<DeliveryOrder[]>
  /** Extends leases, except those that were claimed again and those whose attempt has ended. */
  renewLeases(leases: readonly Lease[], endsAt: Instant): Promise<void>
  /**
   * Ends an attempt, and keeps it with the newest of its delivery: all of its answer until some others have followed, only its status if it
   * succeeded. Does nothing if the delivery was claimed again or ended since, or
   * its check was deleted.
   */
  recordDelivery(delivery: Delivery, result: DeliveryResult, trace: AttemptTrace, now: Instant): Promise<void>
  /**
   * Turns a sent delivery into a failed one, and sets the last error of its channel.
   * @returns false if no sent delivery matches
   */
  failSentDelivery(id: string, failure: LateFailure): Promise<boolean>
  /** Deliveries whose ids begin with `idStart`, in order of id; none of deleted checks. */
  findDeliveries(idStart: string, limit: number): Promise<Delivery[]>
  /** The attempts that are kept, newest first. */
  listAttempts(deliveryId: string): Promise<Attempt[]>
  /** Newest first. @param state null for all states */
  listDeliveries(projectId: string, state: DeliveryState | null, limit: number): Promise<DeliveryEntry[]>
  /**
   * The deliveries of some flips of a project's checks, in the order of `flips`, and of the channels of each. Without those to
   * channels of another project, from which the check was transferred. Give few flips at a time.
   */
  listDeliveriesOfFlips(projectId: string, flips: readonly Pick<Flip, 'checkId' | 'n'>[]): Promise<DeliveryEntry[]>
  /** @returns null if the project has no such check or channel, or they no such delivery */
  findDeliveryOf(projectId: string, key: DeliveryKey): Promise<DeliveryEntry | null>
  /** How many pending deliveries of its check to its channel wait for it. */
  countBehind(delivery: Delivery): Promise<number>
  /** Whether a later alert of the same check has reached the channel. */
  hasLaterSent(delivery: Delivery): Promise<boolean>
  /**
   * The newest delivery of each channel, in the order of the ids; null if it has none.
   * @param before null: of all @param channelIds few at a time
   */
  findNewestDeliveries(
    channelIds: readonly string[],
    filter: DeliveryFilter,
    before: DeliveryPlace | null,
  ): Promise<(DeliveryPlace | null)[]>
  /** The deliveries of one channel. */
  readDeliveries(
    channelId: string,
    filter: DeliveryFilter,
    before: DeliveryPlace | null,
    limit: number,
  ): Promise<DeliveryPage>
  /** @param limit counts of each channel are at most so high @param since null: of all times */
  countDeliveries(channelIds: readonly string[], since: Instant | null, limit: number): Promise<DeliveryCounts>
  /** Numbers of pending deliveries, each at most `limit`, in the order of `projectIds`. */
  countWaiting(projectIds: readonly string[], limit: number): Promise<number[]>
  /** Ids of the channel's pending deliveries whose next attempt is after `now`, soonest first. */
  listWaiting(channelId: string, now: Instant, limit: number): Promise<string[]>
  /** Deletes the oldest deliveries to a channel that have ended, before the channel is deleted. @returns how many */
  deleteEndedDeliveries(channelId: string, limit: number): Promise<number>
  /** When the next pending delivery is due; null if none is pending. */
  nextDeliveryAt(): Promise<Instant | null>
  readOutbox(): Promise<Outbox>
}

/** Changes that have an author: see `AuthoredWrites`. */
export interface DeliveryWrites {
  /**
   * Retries, hurries or cancels a delivery at the time of the author. A cancelled one releases the one behind it. An attempt that may be under
   * way is not begun a second time, and its result counts.
   * @returns false if it stays as it is: it is in another state, unknown or of a deleted check, its attempt may be under way, or a later one
   * of the check to the channel is pending, so this one cannot be retried
   */
  changeDelivery(id: string, action: DeliveryAction): Promise<boolean>
}
