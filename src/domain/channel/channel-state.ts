/** The state of a channel: able to receive messages, or the reason why not. */
import type { Instant } from '../../lib/time.ts'
import { type Channel, UNSUBSCRIBED } from './channel.ts'

/** A delivery as drawn in a list of the newest ones. `retrying`: at least one attempt has failed, and another one follows. */
export type DeliveryLook = 'sent' | 'failed' | 'retrying' | 'under way'

/** The load of a channel, and the results of its newest deliveries. */
export interface ChannelActivity {
  readonly channelId: string
  /** number of checks that the channel is assigned to, without checks that reach it through a group */
  readonly checks: number
  /** the newest deliveries, oldest first */
  readonly newest: readonly DeliveryLook[]
  /** time at which the newest of them was triggered; null if there is none */
  readonly lastAt: Instant | null
  /** pending deliveries, at most {@link MOST_WAITING} */
  readonly waiting: number
  /** the earliest next attempt of deliveries that have failed before; null if there are none */
  readonly nextTryAt: Instant | null
}

/** Number of newest deliveries that are shown. */
export const NEWEST_DELIVERIES = 30

/** Number of newest unsent deliveries that are read. */
export const MOST_WAITING = 200

/** The reason why a stored channel cannot be sent to. */
export interface Obstacle {
  readonly reason: string
  /** the setting that this process lacks, though another process on the same database may have it; null for other reasons */
  readonly setting: string | null
}

export type ChannelState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'retrying'; readonly error: string | null }
  /** the last message failed, and none is pending */
  | { readonly kind: 'failing'; readonly error: string }
  /** `error`: the reason why the request to confirm could not be sent to the owner; null if it was sent */
  | { readonly kind: 'unconfirmed'; readonly error: string | null }
  /** some members of a group do not work; `isOff`: none of them works, and none will without a person's action */
  | { readonly kind: 'partly'; readonly working: number; readonly members: number; readonly isOff: boolean }
  | { readonly kind: 'unsubscribed' }
  | { readonly kind: 'disabled'; readonly reason: string }
  | ({ readonly kind: 'unusable' } & Obstacle)

/**
 * Returns the state of a channel. Problems that last until a person acts take precedence over those that end by themselves.
 * @param obstacle the obstacle in this process; null: none
 * @param unconfirmed text of `lastError` for an address whose owner was asked to confirm it
 */
export function channelState(
  channel: Pick<Channel, 'disabledReason' | 'awaitsConfirmation' | 'lastError'>,
  { nextTryAt }: Pick<ChannelActivity, 'nextTryAt'>,
  obstacle: Obstacle | null,
  unconfirmed: string,
): ChannelState {
  const { disabledReason, awaitsConfirmation, lastError } = channel
  if (disabledReason === UNSUBSCRIBED) return { kind: 'unsubscribed' }
  if (disabledReason !== null) return { kind: 'disabled', reason: disabledReason }
  if (awaitsConfirmation) return { kind: 'unconfirmed', error: lastError === unconfirmed ? null : lastError }
  if (obstacle !== null) return { kind: 'unusable', ...obstacle }
  if (nextTryAt !== null) return { kind: 'retrying', error: lastError }
  return lastError === null ? { kind: 'ready' } : { kind: 'failing', error: lastError }
}

const OFF: readonly ChannelState['kind'][] = ['unsubscribed', 'disabled', 'unusable']

/** Returns the state of a group that can be sent to. @param members the states of all of its members, at least one */
export function groupState(members: readonly ChannelState[]): ChannelState {
  const working = members.filter(({ kind }) => kind === 'ready').length
  if (working === members.length) return { kind: 'ready' }
  return { kind: 'partly', working, members: members.length, isOff: members.every(({ kind }) => OFF.includes(kind)) }
}
