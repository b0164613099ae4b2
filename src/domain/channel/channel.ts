/** A channel: a destination for a project's alerts. Also finds the channels that a request refers to. */

import type { Instant } from '../../lib/time.ts'
import { Refusal } from '../errors.ts'
import { Text, Type } from '../schema.ts'
import type { ChannelKind } from './channel-kind.ts'
import type { QuietHours } from './quiet-hours.ts'

export const CHANNEL_NAME_LIMIT = 100

/** The channel fields that users can set, apart from the settings. */
export const ChannelSpec = Type.Object({ name: Text({ maxLength: CHANNEL_NAME_LIMIT }) })

export interface Channel {
  /** lowercase UUID */
  readonly id: string
  readonly projectId: string
  /** name of the channel; may be empty */
  readonly name: string
  readonly kind: ChannelKind
  /** settings that match the schema of the channel kind's transport */
  readonly settings: unknown
  readonly createdAt: Instant
  /** reason why the channel is disabled; null: it is enabled */
  readonly disabledReason: string | null
  /** error from the last delivery; null if it succeeded */
  readonly lastError: string | null
  /** host that messages are sent to, such as `hooks.example.org:8443`. Rate limits apply per host */
  readonly host: string
  /** true: the owner of the email address has not confirmed the channel yet, so nothing is sent to it */
  readonly awaitsConfirmation: boolean
  /** hours during which alerts are held back; null: none */
  readonly quietHours: QuietHours | null
}

/** `disabledReason` of a channel whose receiver used the unsubscribe link. To enable the channel again, its address must be changed. */
export const UNSUBSCRIBED = 'unsubscribed by the receiver'

/** The settings that a message was sent with, and the fields to change because the receiver has moved. */
export interface Move {
  readonly sentWith: unknown
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * Returns the channel with its settings updated to the receiver's new location. The channel is unchanged if a user has edited it since the
 * message was sent.
 */
export function followMove(channel: Channel, { sentWith, fields }: Move): Channel {
  if (JSON.stringify(channel.settings) !== JSON.stringify(sentWith)) return channel
  return { ...channel, settings: Object.assign({}, channel.settings, fields) }
}

/**
 * Returns the ids of a group's members. The settings of a `group` channel are comma-separated UUIDs. Each member gets its own delivery, and
 * the group itself gets none. Groups within groups are ignored.
 */
export function groupMembers(group: Pick<Channel, 'settings'>): string[] {
  return typeof group.settings === 'string' ? group.settings.split(',').map((id) => id.trim()) : []
}

/** Replaces each group with its members. Each channel appears only once. */
export function expandGroups(channels: readonly Channel[], ofProject: readonly Channel[]): Channel[] {
  const expanded = channels.flatMap((channel) => {
    if (channel.kind !== 'group') return [channel]
    const members = new Set(groupMembers(channel))
    return ofProject.filter(({ id, kind }) => members.has(id) && kind !== 'group')
  })
  return [...new Map(expanded.map((channel) => [channel.id, channel])).values()]
}

/**
 * Returns the number of channels that an alert reaches. A member of several groups counts once. Channels that are off or unconfirmed don't
 * count.
 * @param ids the selected channels
 */
export function countHearing(ids: readonly string[], ofProject: readonly Channel[]): number {
  const chosen = ofProject.filter(({ id, disabledReason }) => ids.includes(id) && disabledReason === null)
  return expandGroups(chosen, ofProject).filter((each) => each.disabledReason === null && !each.awaitsConfirmation)
    .length
}

/**
 * Returns the ids of the channels that a request's `channels` field selects: `*` selects all channels, '' none. Any other value is a list
 * of UUIDs or exact names, separated by commas. Spaces are not trimmed.
 * @param project the project's name
 * @throws Refusal `channel-list-invalid`, worded as in Healthchecks, for the first item that does not match exactly one channel; `problems`
 * then contains the ids of the matching channels
 */
export function selectChannels(
  text: string,
  available: readonly Pick<Channel, 'id' | 'name' | 'kind'>[],
  project: string,
): string[] {
  if (text === '*') return available.map((channel) => channel.id)
  if (text === '') return []
  const named = new Map<string, Set<string>>()
  for (const { id, name } of available) {
    for (const identifier of [id, name]) named.set(identifier, (named.get(identifier) ?? new Set()).add(id))
  }
  const invalid = (what: string, name: string, problems: readonly string[] = []) =>
    new Refusal('channel-list-invalid', `${what}${name}`, {
      name,
      project,
      ...(problems.length > 0 ? { problems } : {}),
    })
  const selected = new Set<string>()
  for (const item of new Set(text.split(','))) {
    if (item === '') throw invalid('empty channel identifier', item)
    const ids = named.get(item) ?? new Set()
    const [match] = ids
    if (match === undefined) throw invalid('invalid channel identifier: ', item)
    if (ids.size > 1) {
      const namesakes = available.filter(({ id }) => ids.has(id)).map(({ id, kind }) => `${id}  ${kind}`)
      throw invalid('non-unique channel identifier: ', item, namesakes)
    }
    selected.add(match)
  }
  return [...selected]
}
