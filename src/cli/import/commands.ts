/** `overdue import healthchecks` */
import type { Command } from '../command.ts'
import { IMPORT_OPTIONS } from './options.ts'

const actions = () => import('./actions.ts')

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
      'secret-key': { type: 'string' },
      'secret-key-file': { type: 'string' },
      verify: { type: 'string' },
      project: { type: 'string', isList: true },
      ...IMPORT_OPTIONS,
    },
    run: async (context) => (await actions()).importHealthchecks(context),
  },
]
