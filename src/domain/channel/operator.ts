/** Settings of single kinds of channel: applications and servers of the operator, and switches. */
import type { ChannelKind } from './channel-kind.ts'

/** The settings that are texts. */
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

/** Turn a kind on. */
export const OPERATOR_SWITCHES = ['SHELL_ENABLED'] as const

/** Turn a kind off. */
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

/** Examples of values, by the name of the setting; `…` stands for what only the operator knows. */
export const EXAMPLES: Readonly<Partial<Record<string, string>>> = {
  APPRISE_URL: 'https://apprise.example.org/notify',
  EMAIL_HOST: 'mail.example.org',
  MATRIX_HOMESERVER: 'https://matrix.example.org',
  MATRIX_ACCESS_TOKEN: 'syt_…',
  PUSHOVER_API_TOKEN: 'a…',
  SHELL_ENABLED: 'True',
  SIGNAL_CLI_SOCKET: '/run/signal-cli/socket',
  TELEGRAM_TOKEN: '123456:ABC…',
  TRELLO_APP_KEY: '0a1b…',
  TWILIO_ACCOUNT: 'AC…',
  TWILIO_AUTH: '0a1b…',
  TWILIO_FROM: '+15550100',
  TWILIO_MESSAGING_SERVICE_SID: 'MG…',
  WHATSAPP_DOWN_CONTENT_SID: 'HX…',
  WHATSAPP_UP_CONTENT_SID: 'HX…',
}

/** The names of all of these. */
export const KIND_SETTINGS: ReadonlySet<string> = new Set([
  ...OPERATOR_SETTINGS,
  ...OPERATOR_SWITCHES,
  ...Object.values(KIND_SWITCHES),
])

/** @returns the switch that turns this kind off; null while it is on */
export function switchedOff(kind: ChannelKind, operator: Readonly<Record<string, string>>): string | null {
  const switches: Partial<Record<ChannelKind, string>> = KIND_SWITCHES
  const name = switches[kind]
  return name !== undefined && operator[name] === 'False' ? name : null
}

/** The error of a delivery to a kind that is off. */
export function switchedOffWords(kind: ChannelKind): string {
  return `${kind} notifications are not enabled on this server`
}

/** Here, `EMAIL_HOST` is only the name of the host. */
export type OperatorSettingName = (typeof OPERATOR_SETTINGS)[number] | (typeof OPERATOR_SWITCHES)[number] | 'EMAIL_HOST'

/**
 * Without these, nothing can be sent to a channel of the kind. Of each list one setting is enough; the first is the usual one.
 */
const REQUIRED: Readonly<Partial<Record<ChannelKind, readonly (readonly OperatorSettingName[])[]>>> = {
  apprise: [['APPRISE_URL']],
  call: [['TWILIO_ACCOUNT'], ['TWILIO_AUTH'], ['TWILIO_FROM']],
  email: [['EMAIL_HOST']],
  matrix: [['MATRIX_HOMESERVER'], ['MATRIX_ACCESS_TOKEN']],
  po: [['PUSHOVER_API_TOKEN']],
  shell: [['SHELL_ENABLED']],
  signal: [['SIGNAL_CLI_SOCKET']],
  sms: [['TWILIO_ACCOUNT'], ['TWILIO_AUTH'], ['TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID']],
  telegram: [['TELEGRAM_TOKEN']],
  trello: [['TRELLO_APP_KEY']],
  whatsapp: [
    ['TWILIO_ACCOUNT'],
    ['TWILIO_AUTH'],
    ['TWILIO_FROM'],
    ['TWILIO_MESSAGING_SERVICE_SID'],
    ['WHATSAPP_DOWN_CONTENT_SID'],
    ['WHATSAPP_UP_CONTENT_SID'],
  ],
}

/** @returns what the operator must set before channels of this kind can be sent to; empty when all is set */
export function missingSettings(
  kind: ChannelKind,
  operator: Readonly<Record<string, string>>,
): readonly OperatorSettingName[] {
  return (REQUIRED[kind] ?? []).flatMap((names) => (names.some((name) => operator[name]) ? [] : names.slice(0, 1)))
}
