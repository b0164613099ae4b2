/** Settings that Healthchecks reads from its environment, not from its database. The operator has to set them again. */
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { ImportedProject } from '../../domain/import/import-source.ts'
import type { Note } from './notes.ts'

interface Setting {
  readonly name: string
  /** kinds of integrations that need the setting */
  readonly kinds: readonly ChannelKind[]
  readonly why: string
}

const SETTINGS: readonly Setting[] = [
  {
    name: 'EMAIL_HOST',
    kinds: ['email'],
    why: 'Emails are sent through the mail server of these settings (EMAIL_…), or of Administration › Mail.',
  },
  {
    name: 'TELEGRAM_TOKEN',
    kinds: ['telegram'],
    why: 'The chats accept messages only from the bot that they know, so use its token.',
  },
  {
    name: 'PUSHOVER_API_TOKEN',
    kinds: ['po'],
    why: 'User keys of a Pushover subscription belong to the application of the old server, so use its token.',
  },
  {
    name: 'TWILIO_ACCOUNT',
    kinds: ['sms', 'call', 'whatsapp'],
    why: 'Calls and messages use the account of these settings (TWILIO_…).',
  },
  {
    name: 'MATRIX_HOMESERVER',
    kinds: ['matrix'],
    why: 'Messages are sent by the user of these settings (MATRIX_…), who must be in the rooms.',
  },
  {
    name: 'TRELLO_APP_KEY',
    kinds: ['trello'],
    why: 'The tokens of the integrations belong to the application of the old server, so use its key.',
  },
  { name: 'SIGNAL_CLI_SOCKET', kinds: ['signal'], why: 'Messages are sent through signal-cli.' },
  { name: 'NTFY_SH_TOKEN', kinds: ['ntfy'], why: 'If the old server had one for topics on ntfy.sh, set it here too.' },
  {
    name: 'APPRISE_URL',
    kinds: ['apprise'],
    why: 'Messages are sent through an Apprise server that runs beside this one.',
  },
  { name: 'SHELL_ENABLED', kinds: ['shell'], why: 'Commands are off by default.' },
]

const ALWAYS: readonly Pick<Setting, 'name' | 'why'>[] = [
  { name: 'SITE_ROOT', why: 'Set it to the value of the old server, to keep the addresses of ping URLs and badges.' },
  {
    name: 'PING_EMAIL_DOMAIN',
    why: 'Set it to the value of the old server, to keep the addresses for pings by email.',
  },
  { name: 'PING_BODY_LIMIT', why: 'If the old server had a limit other than 10,000 bytes, set it here too.' },
]

export function noteSettings(projects: readonly ImportedProject[], note: Note): void {
  const used = new Set(projects.flatMap(({ channels }) => channels.map(({ kind }) => kind)))
  const needed = SETTINGS.filter(({ kinds }) => kinds.some((kind) => used.has(kind)))
  for (const { name, why } of [...ALWAYS, ...needed]) {
    const advice = 'Compare it with the environment of the old server.'
    note({ kind: 'to-do', subject: 'setting', name, reason: why, advice })
  }
}
