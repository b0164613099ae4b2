/** Recognisable secrets, and channels of every kind that hold them. */
import type { ChannelKind } from '../../src/domain/channel/channel-kind.ts'
import { webhook } from '../support/store-builders.ts'

const token = (name: string) => `${name}0Secret1Token2Of3${name}4Channel`
const hook = (name: string) => `https://${name}.example.org/services/${token(name)}?key=${token(`${name}query`)}`

/** Addresses of a person. */
export const ADDRESS = 'jane.doe@people.example.org'
export const PHONE = '+15005550006'

/** Secrets of the operator. */
export const ENVIRONMENT = {
  SECRET_KEY: token('secretkey'),
  METRICS_KEY: token('metrics'),
  EMAIL_HOST: '127.0.0.1',
  EMAIL_HOST_USER: 'operator@login.example.org',
  EMAIL_HOST_PASSWORD: token('password'),
  EMAIL_USE_TLS: 'False',
  MATRIX_HOMESERVER: 'https://matrix.example.org/',
  MATRIX_ACCESS_TOKEN: token('matrix'),
  APPRISE_URL: `https://user:${token('appriseurl')}@apprise.example.org/notify`,
  PUSHOVER_API_TOKEN: token('pushoverapp'),
  SIGNAL_CLI_SOCKET: '127.0.0.1:9',
  TELEGRAM_TOKEN: `123456789:${token('telegram')}`,
  TRELLO_APP_KEY: token('trelloapp'),
  TWILIO_ACCOUNT: token('twilioaccount'),
  TWILIO_AUTH: token('twilioauth'),
  TWILIO_FROM: '+15005550001',
  TWILIO_MESSAGING_SERVICE_SID: token('twilioservice'),
  WHATSAPP_DOWN_CONTENT_SID: token('contentdown'),
  WHATSAPP_UP_CONTENT_SID: token('contentup'),
  SHELL_ENABLED: 'True',
} as const

/** Settings by kind. The type demands every kind, so that a new one is not forgotten. */
export const SETTINGS: Readonly<Record<Exclude<ChannelKind, 'group'>, unknown>> = {
  apprise: `discord://${token('apprise')}/x`,
  call: { value: PHONE },
  discord: hook('discord'),
  email: { value: ADDRESS, up: true, down: true },
  github: { token: token('github'), repo: 'owner/name', labels: [] },
  googlechat: hook('googlechat'),
  gotify: { url: 'https://gotify.example.org', token: token('gotify'), priority: 5, priority_up: 5 },
  matrix: '!room:example.org',
  mattermost: hook('mattermost'),
  msteamsw: hook('msteams'),
  ntfy: {
    topic: token('ntfytopic'),
    url: 'https://ntfy.example.org',
    priority: 3,
    priority_up: 3,
    token: token('ntfy'),
  },
  opsgenie: { key: token('opsgenie'), region: 'eu' },
  pagertree: hook('pagertree'),
  pd: token('pd'),
  po: `${token('pushover')}|0`,
  pushbullet: token('pushbullet'),
  rocketchat: hook('rocketchat'),
  shell: { cmd_down: `exit 3 # ${token('shell')}`, cmd_up: '' },
  signal: { value: PHONE, up: true, down: true },
  slack: hook('slack'),
  sms: { value: PHONE, up: true, down: true },
  spike: hook('spike'),
  telegram: { id: -1001234567890 },
  trello: { token: token('trello'), list_id: 'abc123' },
  victorops: hook('victorops'),
  webhook: {
    ...webhook(hook('webhook'), hook('webhook')),
    headers_down: { Authorization: `Bearer ${token('header')}` },
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
  whatsapp: { value: PHONE, up: true, down: true },
  zulip: {
    bot_email: 'bot@zulip.example.org',
    api_key: token('zulip'),
    site: 'https://zulip.example.org',
    mtype: 'private',
    to: ADDRESS,
  },
}

/** The parts of the values above that nobody may read. */
const HELD = [JSON.stringify(ENVIRONMENT), JSON.stringify(SETTINGS)]
  .flatMap((text) => [...text.matchAll(/\w+0Secret1Token2Of3\w+|whsec_\w+|[\w.]+@[\w.]+example\.org|\+\d{11}/g)])
  .map(([secret]) => secret)
  // A user and host in a URL look like an address.
  .filter((secret) => !secret.endsWith('@apprise.example.org'))

/** The secrets in a text, plain, percent-encoded or in base64. @param more secrets that this test created */
export function secretsIn(text: string, more: readonly string[] = []): string[] {
  const plain = text.toLowerCase()
  const decoded = [...text.matchAll(/[\w+/-]{16,}={0,2}/g)].map(([word]) => Buffer.from(word, 'base64').toString())
  return [...new Set([...HELD, ...more])].filter((secret) => {
    const forms = [secret, encodeURIComponent(secret)].map((form) => form.toLowerCase())
    return forms.some((form) => plain.includes(form)) || decoded.some((words) => words.includes(secret))
  })
}
