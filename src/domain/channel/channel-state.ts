/** Whether a channel can be sent to, and what keeps it from that. */
import type { Instant } from '../../lib/time.ts'
import { type Channel, UNSUBSCRIBED } from './channel.ts'

/** A delivery as a list of the newest ones draws it. `retrying`: at least one attempt has failed, and another one follows. */
export type DeliveryLook = 'sent' | 'failed' | 'retrying' | 'under way'

/** How busy a channel is, and how its newest deliveries went. */
export interface ChannelActivity {
  readonly channelId: string
  /** checks that it is assigned to; those that reach it through a group are not counted */
  readonly checks: number
  /** the newest deliveries, oldest first */
  readonly newest: readonly DeliveryLook[]
  /** when the newest of them was triggered; null if there is none */
  readonly lastAt: Instant | null
  /** pending deliveries, {@link MOST_WAITING} at most */
  readonly waiting: number
  /** the earliest next attempt of those that have failed before; null if there is none */
  readonly nextTryAt: Instant | null
}

/** So many of the newest deliveries are shown. */
export const NEWEST_DELIVERIES = 30

/** Of the newest deliveries that are not sent, so many are looked at. */
export const MOST_WAITING = 200

/** Why a stored channel cannot be sent to. */
export interface Obstacle {
  readonly reason: string
  /** the setting that this process lacks, and another one on the same database may have; null for other reasons */
  readonly setting: string | null
}

export type ChannelState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'retrying'; readonly error: string | null }
  /** the last message failed, and nothing waits */
  | { readonly kind: 'failing'; readonly error: string }
  /** `error`: why its owner could not be asked; null if that worked */
  | { readonly kind: 'unconfirmed'; readonly error: string | null }
  /** of a group: some of its members do not work; `isOff`: none of them does, and none will by itself */
  | { readonly kind: 'partly'; readonly working: number; readonly members: number; readonly isOff: boolean }
  | { readonly kind: 'unsubscribed' }
  | { readonly kind: 'disabled'; readonly reason: string }
  | ({ readonly kind: 'unusable' } & Obstacle)

/**
 * What lasts until somebody does something comes before what ends by itself.
 * @param obstacle of this process
 * @param unconfirmed what `lastError` says of an address whose owner was asked
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

/** The state of a group that can be sent to. @param members the states of all of its members, at least one */
export function groupState(members: readonly ChannelState[]): ChannelState {
  const working = members.filter(({ kind }) => kind === 'ready').length
  if (working === members.length) return { kind: 'ready' }
  return { kind: 'partly', working, members: members.length, isOff: members.every(({ kind }) => OFF.includes(kind)) }
}
