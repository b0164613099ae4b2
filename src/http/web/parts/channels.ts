/** Names of integrations. */
import type { Channel } from '../../../domain/channel/channel.ts'
import type { ChannelKind } from '../../../domain/channel/channel-kind.ts'
import type { Html } from '../html.ts'
import { bdi } from './words/text.ts'

/** As their makers spell them; also in the middle of a sentence. */
const KINDS: Readonly<Record<ChannelKind, string>> = {
  apprise: 'Apprise',
  call: 'Phone call',
  discord: 'Discord',
  email: 'Email',
  github: 'GitHub',
  googlechat: 'Google Chat',
  gotify: 'Gotify',
  group: 'Group',
  matrix: 'Matrix',
  mattermost: 'Mattermost',
  msteamsw: 'Microsoft Teams',
  ntfy: 'ntfy',
  opsgenie: 'Opsgenie',
  pagertree: 'PagerTree',
  pd: 'PagerDuty',
  po: 'Pushover',
  pushbullet: 'Pushbullet',
  rocketchat: 'Rocket.Chat',
  shell: 'Command',
  signal: 'Signal',
  slack: 'Slack',
  sms: 'Text message',
  spike: 'Spike',
  telegram: 'Telegram',
  trello: 'Trello',
  victorops: 'Splunk On-Call',
  webhook: 'Webhook',
  whatsapp: 'WhatsApp',
  zulip: 'Zulip',
}

export function channelKind(kind: ChannelKind): string {
  return KINDS[kind]
}

/** The name that people gave it, or its kind. */
export function channelName({ name, kind }: Pick<Channel, 'name' | 'kind'>): Html | string {
  return name === '' ? channelKind(kind) : bdi(name)
}
