/** Channels. */

import type { Channel } from '../../domain/channel/channel.ts'
import type { ChannelActivity } from '../../domain/channel/channel-state.ts'
import type { WantedMailings } from '../../domain/mail/mailing.ts'
import type { Instant } from '../../lib/time.ts'

/** The result of an edit, a test, or a link in an email. */
export interface ChannelChange {
  readonly channel: Channel
  /** if omitted, all dates stay */
  readonly mailings?: WantedMailings
}

export interface ChannelStore {
  findChannel(id: string): Promise<Channel | null>
  /**
   * Replaces the stored channel by what `change` returns, except its id, project, kind and `createdAt`. For what the server
   * itself finds out about a channel; people's changes go through {@link ChannelWrites.changeChannel}.
   * @param change called inside the transaction; may throw a Refusal, and then nothing is written
   * @returns the channel as it is stored now; null if it does not exist
   */
  changeChannel(id: string, change: (channel: Channel) => ChannelChange): Promise<Channel | null>
  /** In the order of the ids; null where there is none. Give few ids at a time. */
  findChannels(ids: readonly string[]): Promise<(Channel | null)[]>
  /** In order of creation. */
  listChannels(projectId: string): Promise<Channel[]>
  /** In the order of the ids; zeros for a channel that does not exist. Give few ids at a time. */
  listChannelActivities(ids: readonly string[]): Promise<ChannelActivity[]>
  /**
   * When the oldest alert was owed that failed, or is retried, since the last one that was sent, by id; without channels that have none. What
   * somebody gave up does not count.
   */
  listFailingSince(ids: readonly string[]): Promise<ReadonlyMap<string, Instant>>
}

/** Changes that have an author: see `AuthoredWrites`. */
export interface ChannelWrites {
  /** Channels are ordered by `createdAt`: if it is not later than that of the project's newest channel, it is moved past that. */
  createChannel(channel: Channel, mailings?: WantedMailings): Promise<void>
  /** As `changeChannel` of the store. */
  changeChannel(id: string, change: (channel: Channel) => ChannelChange): Promise<Channel | null>
  /** Also deletes its assignments, deliveries and mailings. @returns false if it does not exist */
  deleteChannel(id: string): Promise<boolean>
}
