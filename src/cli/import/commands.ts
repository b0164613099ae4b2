/** Describes the `overdue import` commands for Healthchecks, project files and Uptime Kuma. */
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
    summary: 'import projects from Healthchecks; without --apply, report what would happen',
    details: [
      'FILE is the SQLite file, or a plain-text dump from pg_dump, which may be gzipped; URL is postgres://user:password@host/name.',
      'The source is not changed. First stop the old server from sending alerts (manage.py sendalerts), so that nobody gets them twice.',
      'The secret is SECRET_KEY of the old server. With it, API keys and badge URLs keep working. --secret-key-file reads it from a',
      'file, or from standard input for -; other users of the machine can see the value of --secret-key. --verify takes an API key or a',
      'badge URL of the old server, and rejects a wrong secret.',
      '--project is the name or id of a project on the old server. It may be repeated. Without it, all projects are imported.',
      '--url imports from a running server over its API. It needs a read-write key for each project: in a file, one per line, or as --api-key.',
      'The report lists what the API does not provide. Here --project gives each new project a name, in the order of the keys.',
      'A project is imported completely or not at all. No alerts are sent. The server may be running. An import that was interrupted, for example by Ctrl-C,',
      'resumes if you run the same command again. If you repeat a finished import, it adds newer pings to checks that are unchanged here.',
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
    summary: 'import a project from a file of `overdue project export`; without --apply, report what would happen',
    details: [
      'API keys need SECRET_KEY of the server that wrote the file, unless this server has the same. --secret-key-file reads it from a file, or',
      'from standard input for -. Other users of the machine can see the value of --secret-key. No alerts are sent.',
      'If you repeat the import, it adds newer pings to checks that are unchanged here.',
    ].join('\n'),
    example: 'overdue import project default.json --apply',
    options: { ...SECRET_OPTIONS, ...IMPORT_OPTIONS },
    run: async (context) => (await actions()).importProject(context),
  },
  {
    words: 'import uptime-kuma',
    summary: 'import push monitors from Uptime Kuma; without --apply, report what would happen',
    details: [
      'FILE is data/kuma.db of Uptime Kuma 1 or 2. The file is not changed. Uptime Kuma on MariaDB is not supported.',
      'The push monitors become checks of one project, which is called Uptime Kuma by default. Their newest heartbeats become',
      'pings, and their notifications become channels. The report lists what cannot be imported, and why.',
      'Jobs need the new ping URLs from the pages of their checks, because Overdue does not answer /api/push/. No alerts are sent.',
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
