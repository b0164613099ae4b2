/** Names of integrations. */
import type { Channel, ChannelKind } from '../../../domain/alert/channel.ts'
import type { Html } from '../html.ts'
import { bdi } from './text.ts'

/** Where the word differs from the API's. */
const KINDS: Readonly<Partial<Record<ChannelKind, string>>> = {
  apprise: 'Apprise',
  call: 'phone call',
  discord: 'Discord',
  github: 'GitHub',
  googlechat: 'Google Chat',
  gotify: 'Gotify',
  matrix: 'Matrix',
  mattermost: 'Mattermost',
  msteamsw: 'Microsoft Teams',
  opsgenie: 'Opsgenie',
  pagertree: 'PagerTree',
  pd: 'PagerDuty',
  po: 'Pushover',
  pushbullet: 'Pushbullet',
  rocketchat: 'Rocket.Chat',
  shell: 'command',
  signal: 'Signal',
  slack: 'Slack',
  sms: 'text message',
  spike: 'Spike',
  telegram: 'Telegram',
  trello: 'Trello',
  victorops: 'Splunk On-Call',
  whatsapp: 'WhatsApp',
  zulip: 'Zulip',
}

export function channelKind(kind: ChannelKind): string {
  return KINDS[kind] ?? kind
}

/** The name that people gave it, or its kind. */
export function channelName({ name, kind }: Pick<Channel, 'name' | 'kind'>): Html | string {
  return name === '' ? channelKind(kind) : bdi(name)
}
