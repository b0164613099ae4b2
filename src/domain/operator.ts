/** Settings of the operator for kinds of channel that need an application registered, or a server named, or are switched. */
import type { ChannelKind } from './channel.ts'

export const OPERATOR_SETTINGS = [
  'APPRISE_URL',
  'MATRIX_HOMESERVER',
  'MATRIX_ACCESS_TOKEN',
  'NTFY_SH_TOKEN',
  'PUSHOVER_API_TOKEN',
  'PUSHOVER_EMERGENCY_RETRY_DELAY',
  'PUSHOVER_EMERGENCY_EXPIRATION',
  'SIGNAL_CLI_SOCKET',
  'TELEGRAM_TOKEN',
  'TRELLO_APP_KEY',
  'TWILIO_ACCOUNT',
  'TWILIO_AUTH',
  'TWILIO_FROM',
  'TWILIO_MESSAGING_SERVICE_SID',
  'WHATSAPP_DOWN_CONTENT_SID',
  'WHATSAPP_UP_CONTENT_SID',
] as const

/** Kinds that are off until the operator says True; set only then. */
export const OPERATOR_SWITCHES = ['SHELL_ENABLED'] as const

/** Kinds that are on until the operator says False; set only then. */
export const KIND_SWITCHES = {
  mattermost: 'MATTERMOST_ENABLED',
  msteamsw: 'MSTEAMS_ENABLED',
  opsgenie: 'OPSGENIE_ENABLED',
  pagertree: 'PAGERTREE_ENABLED',
  pd: 'PD_ENABLED',
  rocketchat: 'ROCKETCHAT_ENABLED',
  slack: 'SLACK_ENABLED',
  spike: 'SPIKE_ENABLED',
  victorops: 'VICTOROPS_ENABLED',
  webhook: 'WEBHOOKS_ENABLED',
  zulip: 'ZULIP_ENABLED',
} as const satisfies Partial<Record<ChannelKind, string>>

/** @returns the switch by which the operator has turned this kind off; null while it may be used */
export function switchedOff(kind: ChannelKind, operator: Readonly<Record<string, string>>): string | null {
  const switches: Partial<Record<ChannelKind, string>> = KIND_SWITCHES
  const name = switches[kind]
  return name !== undefined && operator[name] === 'False' ? name : null
}

/** What a delivery to such a channel fails with. */
export function switchedOffWords(kind: ChannelKind): string {
  return `${kind} notifications are not enabled on this server`
}

/** `EMAIL_HOST` is read with the rest of the mail server, and is only its host's name here. */
export type OperatorSettingName = (typeof OPERATOR_SETTINGS)[number] | (typeof OPERATOR_SWITCHES)[number] | 'EMAIL_HOST'
