/** A channel: where the news of a project's checks goes, and how a client names channels in a request. */
import { Refusal } from './errors.ts'
import type { Instant } from './time.ts'

/** Every kind that the API may list (behaviour of the peer, 1.15), whether or not this version can send to it yet. */
export const CHANNEL_KINDS = [
  'apprise',
  'call',
  'discord',
  'email',
  'github',
  'googlechat',
  'gotify',
  'group',
  'matrix',
  'mattermost',
  'msteamsw',
  'ntfy',
  'opsgenie',
  'pagertree',
  'pd',
  'po',
  'pushbullet',
  'rocketchat',
  'shell',
  'signal',
  'slack',
  'sms',
  'spike',
  'telegram',
  'trello',
  'victorops',
  'webhook',
  'whatsapp',
  'zulip',
] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

export const CHANNEL_NAME_LIMIT = 100

export interface Channel {
  /** lower-case UUID */
  readonly id: string
  readonly projectId: string
  /** may be empty */
  readonly name: string
  readonly kind: ChannelKind
  /** what the kind's transport needs; its shape is the transport's settings schema */
  readonly settings: unknown
  readonly createdAt: Instant
  /** why nothing is sent any more; null while the channel works */
  readonly disabledReason: string | null
  /** what the last delivery failed with; null after a success */
  readonly lastError: string | null
  /** where its messages go, such as `hooks.example.org:8443`: what goes to one host is held back together */
  readonly host: string
  /** true for a mail address whose owner has not agreed yet; nothing is sent to it */
  readonly awaitsConfirmation: boolean
}

/** The reason of a channel whose alerts were ended by the link in one of them. It outlasts all but another address. */
export const UNSUBSCRIBED = 'unsubscribed by the receiver'

/** What a receiver that has moved asks for: these fields of the settings that the message was sent with are others now. */
export interface Move {
  readonly sentWith: unknown
  readonly fields: Readonly<Record<string, unknown>>
}

/** The channel after its receiver has moved; as it is when it has got other settings since the message was sent. */
export function followMove(channel: Channel, { sentWith, fields }: Move): Channel {
  if (JSON.stringify(channel.settings) !== JSON.stringify(sentWith)) return channel
  return { ...channel, settings: Object.assign({}, channel.settings, fields) }
}

/**
 * The channels that a `group` stands for: its settings are their UUIDs between commas. What is owed to a group is owed to
 * each of them, so a group has no deliveries of its own. Groups in groups are passed over.
 */
export function groupMembers(group: Pick<Channel, 'settings'>): string[] {
  return typeof group.settings === 'string' ? group.settings.split(',').map((id) => id.trim()) : []
}

/** The channels themselves, with the members in place of groups; each once. */
export function expandGroups(channels: readonly Channel[], ofProject: readonly Channel[]): Channel[] {
  const expanded = channels.flatMap((channel) => {
    if (channel.kind !== 'group') return [channel]
    const members = new Set(groupMembers(channel))
    return ofProject.filter(({ id, kind }) => members.has(id) && kind !== 'group')
  })
  return [...new Map(expanded.map((channel) => [channel.id, channel])).values()]
}

export function isChannelKind(text: string): text is ChannelKind {
  return (CHANNEL_KINDS as readonly string[]).includes(text)
}

/**
 * The channels that the `channels` field of a request means: `*` for all, '' for none, else UUIDs or exact names between
 * commas, nothing trimmed. The first item that is not understood decides.
 * @throws Refusal `invalid` with the peer's words
 */
export function selectChannels(text: string, available: readonly Pick<Channel, 'id' | 'name'>[]): string[] {
  if (text === '*') return available.map((channel) => channel.id)
  if (text === '') return []
  const named = new Map<string, Set<string>>()
  for (const { id, name } of available) {
    for (const identifier of [id, name]) named.set(identifier, (named.get(identifier) ?? new Set()).add(id))
  }
  const selected = new Set<string>()
  for (const item of new Set(text.split(','))) {
    if (item === '') throw new Refusal('invalid', 'empty channel identifier')
    const [match, ...others] = named.get(item) ?? []
    if (match === undefined) throw new Refusal('invalid', `invalid channel identifier: ${item}`)
    if (others.length > 0) throw new Refusal('invalid', `non-unique channel identifier: ${item}`)
    selected.add(match)
  }
  return [...selected]
}
