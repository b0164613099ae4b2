/** What somebody types into the form of each kind of integration, and what is stored then. */
import type { ChannelKind } from '../../src/domain/channel/channel-kind.ts'
import { ADDRESS, PHONE, SETTINGS } from '../security/secrets.ts'
import type { Fields } from './browser.ts'

interface FilledForm {
  readonly fields: Fields
  readonly settings: unknown
}

type Kind = Exclude<ChannelKind, 'group'>

/** For kinds whose settings are one text. */
const value = (kind: Kind): FilledForm => ({
  fields: { 'set-value': String(SETTINGS[kind]) },
  settings: SETTINGS[kind],
})
const phone: Fields = { 'set-value': PHONE, 'set-down': 'on', 'set-up': 'on' }
/** The texts of the members of settings. @param others that are no text */
const members = (kind: Kind, others: Fields = {}): FilledForm => {
  const texts = Object.entries(SETTINGS[kind] as object).filter(([, text]) => typeof text !== 'object')
  return {
    fields: { ...Object.fromEntries(texts.map(([name, text]) => [`set-${name}`, String(text)])), ...others },
    settings: SETTINGS[kind],
  }
}

const hook = SETTINGS.webhook as { url_down: string; url_up: string; secret: string; headers_down: object }

/** The type demands every kind. */
export const FILLED: Readonly<Record<Kind, FilledForm>> = {
  apprise: value('apprise'),
  call: members('call'),
  discord: value('discord'),
  email: {
    fields: {
      'set-value': ADDRESS,
      'set-down': 'on',
      'set-up': 'on',
      'set-report': 'weekly',
      'set-reminder': 'off',
      'set-tz': 'Europe/Riga',
    },
    settings: { value: ADDRESS, down: true, up: true, report: 'weekly', reminder: 'off', tz: 'Europe/Riga' },
  },
  github: {
    ...members('github', { 'set-labels': 'backup\nurgent' }),
    settings: { ...(SETTINGS.github as object), labels: ['backup', 'urgent'] },
  },
  googlechat: value('googlechat'),
  gotify: members('gotify'),
  matrix: value('matrix'),
  mattermost: value('mattermost'),
  msteamsw: value('msteamsw'),
  ntfy: members('ntfy'),
  opsgenie: members('opsgenie'),
  pagertree: value('pagertree'),
  pd: value('pd'),
  po: {
    fields: { 'set-user': String(SETTINGS.po).split('|')[0] ?? '', 'set-down': '2', 'set-up': '-3' },
    settings: `${String(SETTINGS.po).split('|')[0]}|2|-3`,
  },
  pushbullet: value('pushbullet'),
  rocketchat: value('rocketchat'),
  shell: members('shell'),
  signal: { fields: phone, settings: SETTINGS.signal },
  slack: value('slack'),
  sms: { fields: phone, settings: SETTINGS.sms },
  spike: value('spike'),
  telegram: {
    fields: { 'set-id': '-1001234567890', 'set-thread_id': '42' },
    settings: { id: -1001234567890, thread_id: 42 },
  },
  trello: members('trello'),
  victorops: value('victorops'),
  webhook: {
    fields: {
      'set-send_down': 'on',
      'set-method_down': 'PUT',
      'set-url_down': hook.url_down,
      'set-headers_down': `Content-Type: text/plain\nAuthorization: ${Object.values(hook.headers_down)[0]}`,
      'set-body_down': '$NAME is\n$STATUS',
      'set-send_up': 'on',
      'set-method_up': 'POST',
      'set-url_up': hook.url_up,
      'set-bare_up': 'on',
      'set-secret': hook.secret,
    },
    settings: {
      method_down: 'PUT',
      url_down: hook.url_down,
      headers_down: { 'Content-Type': 'text/plain', ...hook.headers_down },
      body_down: '$NAME is\n$STATUS',
      url_up: hook.url_up,
      body_up: '',
      secret: hook.secret,
    },
  },
  whatsapp: { fields: phone, settings: SETTINGS.whatsapp },
  zulip: members('zulip'),
}

export const KINDS = Object.keys(FILLED) as Kind[]

const badUrl: Fields = { 'set-value': 'ftp://example.org' }
const badPhone: Fields = { 'set-value': '+371' }
const twoWords: Fields = { 'set-value': 'two words' }
/** What is wrong in each field that can be, in the order of the form. */
export const MISTYPED: Readonly<Record<Kind, Fields>> = {
  apprise: { 'set-value': 'no URL' },
  call: badPhone,
  discord: badUrl,
  email: { 'set-value': 'jane', 'set-tz': 'Europe/Rige' },
  github: { 'set-token': 'two words', 'set-repo': 'owner', 'set-labels': 'x'.repeat(60) },
  googlechat: badUrl,
  gotify: { 'set-url': 'gotify', 'set-token': '' },
  matrix: { 'set-value': '#room' },
  mattermost: badUrl,
  msteamsw: badUrl,
  ntfy: {
    'set-topic': 'two words',
    'set-url': 'ntfy',
    'set-priority': '9',
    'set-priority_up': 'high',
    'set-token': 'two words',
  },
  opsgenie: { 'set-key': 'two words' },
  pagertree: badUrl,
  pd: twoWords,
  po: { 'set-user': 'two words' },
  pushbullet: twoWords,
  rocketchat: badUrl,
  shell: { 'set-cmd_down': 'echo "$NAME', 'set-cmd_up': 'echo `$NAME`' },
  signal: badPhone,
  slack: badUrl,
  sms: badPhone,
  spike: badUrl,
  telegram: { 'set-id': '', 'set-thread_id': 'x' },
  trello: { 'set-token': '', 'set-list_id': 'no list' },
  victorops: badUrl,
  webhook: {
    'set-url': 'example.org',
    'set-url_down': 'ftp://example.org',
    'set-headers_down': 'nonsense',
    'set-url_up': 'no URL',
    'set-headers_up': 'nonsense too',
    'set-secret': 'whsec_short',
  },
  whatsapp: badPhone,
  zulip: { 'set-site': 'zulip', 'set-bot_email': 'bot', 'set-api_key': 'two words', 'set-to': '' },
}
