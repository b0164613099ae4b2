/** Whether a channel can receive messages, and if not, why. */
import type { Instant } from '../../lib/time.ts'
import { type Channel, UNSUBSCRIBED } from './channel.ts'

/** How a delivery looks in the row of newest deliveries. `retrying`: at least one attempt has failed, and there will be another. */
export type DeliveryLook = 'sent' | 'failed' | 'retrying' | 'under way'

/** How busy a channel is, and the results of its newest deliveries. */
export interface ChannelActivity {
  readonly channelId: string
  /** number of checks that the channel is assigned to, not counting checks that use it through a group */
  readonly checks: number
  /** the newest deliveries, oldest first */
  readonly newest: readonly DeliveryLook[]
  /** time at which the newest delivery was triggered; null if there is none */
  readonly lastAt: Instant | null
  /** number of pending deliveries, at most {@link MOST_WAITING} */
  readonly waiting: number
  /** time of the earliest retry of a failed delivery; null if no retry is pending */
  readonly nextTryAt: Instant | null
}

/** Number of newest deliveries that are shown per channel. */
export const NEWEST_DELIVERIES = 30

/** Maximum number of unsent deliveries that are read per channel, the newest ones. */
export const MOST_WAITING = 200

/** Why a stored channel cannot be sent to. */
export interface Obstacle {
  readonly reason: string
  /** setting that this process lacks, although another process on the same database may have it; null if the reason is another */
  readonly setting: string | null
}

export type ChannelState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'retrying'; readonly error: string | null }
  /** the last message failed, and no other is pending */
  | { readonly kind: 'failing'; readonly error: string }
  /** `error`: why the confirmation email could not be sent; null if it was sent */
  | { readonly kind: 'unconfirmed'; readonly error: string | null }
  /** some members of a group don't work. `isOff`: none of them works, and a person must act before one does */
  | { readonly kind: 'partly'; readonly working: number; readonly members: number; readonly isOff: boolean }
  | { readonly kind: 'unsubscribed' }
  | { readonly kind: 'disabled'; readonly reason: string }
  | ({ readonly kind: 'unusable' } & Obstacle)

/**
 * Returns the state of a channel. Problems that a person must solve take precedence over temporary ones.
 * @param obstacle why this process cannot send to the channel; null if it can
 * @param unconfirmed the text of `lastError` while the owner of an address has not confirmed it
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

/** Returns the state of a group. @param members states of all its members, at least one */
export function groupState(members: readonly ChannelState[]): ChannelState {
  const working = members.filter(({ kind }) => kind === 'ready').length
  if (working === members.length) return { kind: 'ready' }
  return { kind: 'partly', working, members: members.length, isOff: members.every(({ kind }) => OFF.includes(kind)) }
}
