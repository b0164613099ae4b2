/** Describes the `overdue project` commands. */
import { ON_OFF } from '../choices.ts'
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')
const fileActions = () => import('./file-actions.ts')

export const projectCommands: readonly Command[] = [
  {
    words: 'project create',
    takes: ['NAME'],
    summary: 'create a project and its keys (shown once)',
    example: 'overdue project create Backups',
    createsDatabase: true,
    run: async (context) => (await actions()).create(context),
  },
  {
    words: 'project list',
    summary: 'list the projects',
    example: 'overdue project list',
    run: async (context) => (await actions()).list(context),
  },
  {
    words: 'project set',
    takes: ['PROJECT'],
    summary:
      'set how many pings are kept per check (1 to 1000), whether their bodies can be searched, and the time zone of alerts',
    details:
      '--tz is the time zone in alerts to chats and webhooks, such as Europe/Riga, or none for that of each check. Emails have their own zone.',
    example: 'overdue project set Default --ping-log-limit 500',
    options: {
      'ping-log-limit': { type: 'string', value: 'N' },
      search: { type: 'string', choices: ON_OFF },
      tz: { type: 'string', value: 'ZONE|none' },
    },
    run: async (context) => (await actions()).set(context),
  },
  {
    words: 'project delete',
    takes: ['PROJECT'],
    summary: 'delete a project with its checks, logs, channels and keys',
    details: 'On a terminal, it asks first unless --yes is given. If it is interrupted, run the command again.',
    example: 'overdue project delete Default --yes',
    options: { yes: { type: 'boolean' } },
    run: async (context) => (await actions()).remove(context),
  },
  {
    words: 'project export',
    takes: ['PROJECT'],
    summary: 'write a project as one JSON file, with its checks, channels, keys and members',
    details: [
      'The file holds secrets: tokens of channels, ping URLs and ping keys. FILE must not exist yet, and only this user can read it.',
      'Without --output, it is written to standard output. --with-log adds pings with their bodies, flips and alerts.',
    ].join('\n'),
    example: 'overdue project export Default --output default.json',
    options: { 'with-log': { type: 'boolean', default: false }, output: { type: 'string', value: 'FILE' } },
    run: async (context) => (await fileActions()).writeFile(context),
  },
]
