/** `overdue import` from a Healthchecks, a project file and an Uptime Kuma */
import type { Command } from '../command.ts'
import { IMPORT_OPTIONS } from './options.ts'

const actions = () => import('./actions.ts')

const SECRET_OPTIONS = {
  'secret-key-file': { type: 'string', value: 'FILE' },
  'secret-key': { type: 'string', value: 'KEY', instead: 'secret-key-file' },
} as const

export const importCommands: readonly Command[] = [
  {
    words: 'import healthchecks',
    usage:
      '(--database FILE|URL [--secret-key-file FILE | --secret-key KEY] [--verify KEY|URL] | --url URL (--api-key-file FILE | --api-key KEY...)) [--project NAME]... [--apply]',
    summary: 'move projects from a Healthchecks here; without --apply, say what would happen',
    details: [
      'FILE is the file of SQLite, or a plain dump of pg_dump, also compressed by gzip; URL is postgres://user:password@host/name.',
      'Nothing is written there. Stop the alerts of that server first (manage.py sendalerts), so that none comes twice.',
      'The secret is SECRET_KEY of that server: with it, API keys and the addresses of badges go on working. --secret-key-file reads it from a',
      'file, or from standard input for -; other users of the machine can see what --secret-key says. --verify takes an API key or the',
      'address of a badge that the old server has given out, and refuses a wrong secret.',
      '--project takes a name or an id of a project there, and may be given several times; without it all projects come.',
      '--url reads from a server that runs, by its API, with a read-write key of each project: in a file, one a line, or as --api-key.',
      'The API does not give everything: the report lists what it leaves out. --project then names the projects, in the order of the keys.',
      'A project comes whole or not at all, beside a running server, and nothing is sent. An import that was interrupted, by Ctrl-C too, goes',
      'on where it was when the same command runs again. Repeated later, it adds newer pings to what nobody has changed here.',
    ].join('\n'),
    example: 'overdue import healthchecks --database /old/hc.sqlite --secret-key-file /old/secret --apply',
    options: {
      database: { type: 'string' },
      url: { type: 'string' },
      'api-key': { type: 'string', isList: true },
      'api-key-file': { type: 'string' },
      ...SECRET_OPTIONS,
      verify: { type: 'string' },
      project: { type: 'string', isList: true },
      ...IMPORT_OPTIONS,
    },
    run: async (context) => (await actions()).importHealthchecks(context),
  },
  {
    words: 'import project',
    takes: ['FILE'],
    summary: 'bring a project here from a file of `overdue project export`; without --apply, say what would happen',
    details: [
      'API keys need SECRET_KEY of the server that wrote the file, unless this server has the same: --secret-key-file reads it from a file, or',
      'from standard input for -. Other users of the machine can see what --secret-key says. Nothing is sent.',
      'Repeated later, it adds newer pings to what nobody has changed here.',
    ].join('\n'),
    example: 'overdue import project default.json --apply',
    options: { ...SECRET_OPTIONS, ...IMPORT_OPTIONS },
    run: async (context) => (await actions()).importProject(context),
  },
  {
    words: 'import uptime-kuma',
    summary: 'move the push monitors of an Uptime Kuma here; without --apply, say what would happen',
    details: [
      'FILE is data/kuma.db of Uptime Kuma 1 or 2; nothing is written there. Uptime Kuma on MariaDB is not read.',
      'The push monitors become the checks of one project, which is named Uptime Kuma unless --project names it, with their newest',
      'heartbeats as pings, and with the notifications that they use. What cannot be taken is listed with the reason.',
      'Jobs get new ping URLs, which are on the pages of their checks: /api/push/ is not answered here. Nothing is sent.',
    ].join('\n'),
    example: 'overdue import uptime-kuma --database kuma.db --apply',
    options: {
      database: { type: 'string', value: 'FILE', required: true },
      project: { type: 'string', value: 'NAME', default: 'Uptime Kuma' },
      ...IMPORT_OPTIONS,
    },
    run: async (context) => (await actions()).importUptimeKuma(context),
  },
]
