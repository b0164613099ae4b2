/** Converts Uptime Kuma notifications to integration settings. The transport of the integration validates them. */
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { KumaCell } from './tables.ts'
import { textOf } from './values.ts'

interface MappedSettings {
  readonly kind: ChannelKind
  readonly settings: unknown
  /** text to add to the name if the notification becomes several integrations; otherwise '' */
  readonly detail: string
}

interface MappedNotification {
  /** integrations; empty if the notification cannot be imported, see `reason` */
  readonly channels: readonly MappedSettings[]
  readonly reason: string
  /** a sentence about what works differently in Overdue; null if nothing does */
  readonly changed: string | null
  /** server setting that the operator must add; null if none is needed */
  readonly setting: string | null
}

type Config = Readonly<Record<string, unknown>>

interface Mapping {
  readonly kind: ChannelKind
  readonly settings: (config: Config) => unknown
  readonly changed?: (config: Config) => string | null
  readonly setting?: string
}

const url = (kind: ChannelKind, field: string): Mapping => ({ kind, settings: (config) => words(config, field) })

/** Conversions by notification type. {@link SEVERAL} handles types with several receivers. */
const MAPPINGS: Readonly<Partial<Record<string, Mapping>>> = {
  discord: {
    kind: 'discord',
    settings: (config) => words(config, 'discordWebhookUrl').replace('//discordapp.com/', '//discord.com/'),
  },
  slack: url('slack', 'slackwebhookURL'),
  mattermost: url('mattermost', 'mattermostWebhookUrl'),
  'rocket.chat': url('rocketchat', 'rocketwebhookURL'),
  teams: url('msteamsw', 'webhookUrl'),
  GoogleChat: url('googlechat', 'googleChatWebhookURL'),
  PagerTree: url('pagertree', 'pagertreeIntegrationUrl'),
  Splunk: { kind: 'victorops', settings: splunkUrl },
  telegram: {
    kind: 'telegram',
    settings: (config) => {
      const thread = words(config, 'telegramMessageThreadID')
      return { id: words(config, 'telegramChatID'), ...(thread === '' ? {} : { thread_id: Number(thread) }) }
    },
    setting: 'TELEGRAM_TOKEN',
  },
  gotify: {
    kind: 'gotify',
    settings: (config) => {
      const priority = nearest([2, 5, 9], numberIn(config, 'gotifyPriority', 8))
      const [server, token] = [words(config, 'gotifyserverurl'), words(config, 'gotifyapplicationToken')]
      return { url: server, token, priority, priority_up: priority }
    },
  },
  ntfy: {
    kind: 'ntfy',
    settings: (config) => {
      const up = nearest([1, 2, 3, 4, 5], numberIn(config, 'ntfyPriority', 5))
      const down = nearest([1, 2, 3, 4, 5], numberIn(config, 'ntfyPriorityDown', up))
      const token = words(config, 'ntfyaccesstoken')
      const [server, topic] = [words(config, 'ntfyserverurl'), words(config, 'ntfytopic')]
      return { url: server, topic, priority: down, priority_up: up, ...(token === '' ? {} : { token }) }
    },
    changed: (config) =>
      words(config, 'ntfyusername') === '' || words(config, 'ntfyaccesstoken') !== ''
        ? null
        : 'Overdue does not support a user name and password for ntfy: enter an access token.',
  },
  pushover: {
    kind: 'po',
    settings: (config) => {
      const priority = nearest([-2, -1, 0, 1, 2], numberIn(config, 'pushoverpriority', 0))
      return `${words(config, 'pushoveruserkey')}|${priority}|${priority}`
    },
    setting: 'PUSHOVER_API_TOKEN',
  },
  pushbullet: url('pushbullet', 'pushbulletAccessToken'),
  Opsgenie: {
    kind: 'opsgenie',
    settings: (config) => ({
      key: words(config, 'opsgenieApiKey'),
      region: words(config, 'opsgenieRegion').toLowerCase() === 'eu' ? 'eu' : 'us',
    }),
  },
  matrix: { kind: 'matrix', settings: (config) => words(config, 'internalRoomId'), setting: 'MATRIX_HOMESERVER' },
  webhook: {
    kind: 'webhook',
    settings: webhookSettings,
    changed: () => 'Its body is that of Overdue, whose words differ from those of Uptime Kuma.',
  },
  apprise: { ...url('apprise', 'appriseURL'), setting: 'APPRISE_URL' },
  twilio: {
    kind: 'sms',
    settings: (config) => ({ value: words(config, 'twilioToNumber'), down: true, up: true }),
    setting: 'TWILIO_ACCOUNT',
  },
}

interface SeveralMapping {
  readonly kind: ChannelKind
  /** comma-separated names */
  readonly fields: readonly string[]
  readonly settings: (receiver: string) => unknown
  readonly setting: string
}

const SEVERAL: Readonly<Partial<Record<string, SeveralMapping>>> = {
  smtp: {
    kind: 'email',
    fields: ['smtpTo', 'smtpCC', 'smtpBCC'],
    settings: (receiver) => ({ value: /<([^<>]+)>$/.exec(receiver)?.[1] ?? receiver, down: true, up: true }),
    setting: 'EMAIL_HOST',
  },
  signal: {
    kind: 'signal',
    fields: ['signalRecipients'],
    settings: (receiver) => ({ value: receiver, down: true, up: true }),
    setting: 'SIGNAL_CLI_SOCKET',
  },
}

/** Specific reasons why some types are not imported. All other types share one general reason. */
const NOT_TAKEN: ReadonlyMap<string, string> = new Map([
  ['PagerDuty', 'Its key is for the Events API v2, but PagerDuty needs a key for the Events API v1 here.'],
])

/** @param config the stored `config` column of the notification */
export function mapNotification(config: KumaCell): MappedNotification {
  const parsed = parse(textOf(config))
  const type = words(parsed, 'type')
  const none = { channels: [], changed: null, setting: null }
  const several = Object.hasOwn(SEVERAL, type) ? SEVERAL[type] : undefined
  if (several !== undefined) {
    const receivers = several.fields.flatMap((field) => words(parsed, field).split(','))
    const distinct = [...new Set(receivers.map((receiver) => receiver.trim()).filter((receiver) => receiver !== ''))]
    const channels = distinct.map((receiver, index) => {
      const detail = distinct.length > 1 ? ` ${index + 1}` : ''
      return { kind: several.kind, settings: several.settings(receiver), detail }
    })
    return { ...none, channels, reason: 'It has no receiver.', setting: several.setting }
  }
  const mapping = Object.hasOwn(MAPPINGS, type) ? MAPPINGS[type] : undefined
  if (mapping === undefined) {
    const reason = NOT_TAKEN.get(type) ?? `Overdue has no integrations of type ${type.slice(0, 30) || 'unnamed'}.`
    return { ...none, reason }
  }
  const channels = [{ kind: mapping.kind, settings: mapping.settings(parsed), detail: '' }]
  return { channels, reason: '', changed: mapping.changed?.(parsed) ?? null, setting: mapping.setting ?? null }
}

function parse(text: string): Config {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Config) : {}
  } catch {
    return {}
  }
}

/** @returns '' if the value is neither text nor a number */
function words(config: Config, field: string): string {
  const value = Object.hasOwn(config, field) ? config[field] : ''
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

function numberIn(config: Config, field: string, otherwise: number): number {
  const text = words(config, field)
  return text === '' || !Number.isFinite(Number(text)) ? otherwise : Number(text)
}

function nearest(values: readonly number[], number: number): number {
  return values.reduce((best, value) => (Math.abs(value - number) < Math.abs(best - number) ? value : best))
}

function splunkUrl(config: Config): string {
  const [rest, key] = [words(config, 'splunkRestURL'), words(config, 'pagerdutyIntegrationKey')]
  return key === '' || rest.includes(key) ? rest : `${rest.replace(/\/+$/, '')}/${key}`
}

function webhookSettings(config: Config): unknown {
  const [address, headers] = [words(config, 'webhookURL'), parse(words(config, 'webhookAdditionalHeaders'))]
  const method = words(config, 'httpMethod').toUpperCase() || 'POST'
  const sent = Object.keys(headers).length === 0 ? {} : { headers_down: headers, headers_up: headers }
  return { url_down: address, url_up: address, method_down: method, method_up: method, ...sent }
}
