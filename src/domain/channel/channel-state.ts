/** Whether a channel can receive messages, and the reason if it can't. */
import type { Instant } from '../../lib/time.ts'
import { type Channel, UNSUBSCRIBED } from './channel.ts'

/** The symbol for a delivery in the row of newest deliveries. `retrying`: at least one attempt failed, and another will follow. */
export type DeliveryLook = 'sent' | 'failed' | 'retrying' | 'under way'

/** A channel's workload, and the results of its newest deliveries. */
export interface ChannelActivity {
  readonly channelId: string
  /** number of checks that the channel is assigned to, excluding checks that use it through a group */
  readonly checks: number
  /** the newest deliveries, oldest first */
  readonly newest: readonly DeliveryLook[]
  /** time of the event that the newest delivery reports; null if there is no delivery */
  readonly lastAt: Instant | null
  /** number of pending deliveries, at most {@link MOST_WAITING} */
  readonly waiting: number
  /** time of the earliest retry of a failed delivery; null if no retry is pending */
  readonly nextTryAt: Instant | null
}

/** Number of deliveries shown per channel, starting with the newest. */
export const NEWEST_DELIVERIES = 30

/** Maximum number of unsent deliveries to read per channel, starting with the newest. */
export const MOST_WAITING = 200

/** The reason why a stored channel can't be used. */
export interface Obstacle {
  readonly reason: string
  /**
   * setting that is missing in this process, although another process that uses the same database may have it; null if there is a different
   * reason
   */
  readonly setting: string | null
}

export type ChannelState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'retrying'; readonly error: string | null }
  /** the last message failed, and no other message is pending */
  | { readonly kind: 'failing'; readonly error: string }
  /** `error`: the reason why the confirmation email could not be sent; null if it was sent */
  | { readonly kind: 'unconfirmed'; readonly error: string | null }
  /** some of a group's members don't work. `isOff`: no member works, and none will until a user does something */
  | { readonly kind: 'partly'; readonly working: number; readonly members: number; readonly isOff: boolean }
  | { readonly kind: 'unsubscribed' }
  | { readonly kind: 'disabled'; readonly reason: string }
  | ({ readonly kind: 'unusable' } & Obstacle)

/**
 * Returns a channel's state. Problems that a user must solve take precedence over temporary ones.
 * @param obstacle reason why this process can't send to the channel; null if it can
 * @param unconfirmed the value of `lastError` while an address has not been confirmed by its owner
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

/**
 * Returns a group's state.
 * @param members states of all the group's members, at least one
 */
export function groupState(members: readonly ChannelState[]): ChannelState {
  const working = members.filter(({ kind }) => kind === 'ready').length
  if (working === members.length) return { kind: 'ready' }
  return { kind: 'partly', working, members: members.length, isOff: members.every(({ kind }) => OFF.includes(kind)) }
}
