/** `overdue import healthchecks` */
import { type SecretProof, verifySecret } from '../../domain/import/healthchecks/keys.ts'
import type { ImportSource } from '../../domain/import/import-source.ts'
import { healthchecksLocation, openHealthchecks } from '../../import-sources.ts'
import type { Command, Context } from '../command.ts'
import { optionError } from '../usage.ts'
import { IMPORT_OPTIONS, importFrom, readSecret, warnOfReaders } from './import-run.ts'
import { importServer } from './import-server.ts'

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
    run: importHealthchecks,
  },
]

async function importHealthchecks(context: Context): Promise<undefined> {
  const { database, url } = context.values
  if ((database === undefined) === (url === undefined)) {
    throw optionError(
      'an import needs --database or --url',
      'give one of them: where that Healthchecks keeps its data, or its address',
    )
  }
  return url === undefined ? importDatabase(context, String(database)) : importServer(context, String(url))
}

async function importDatabase(context: Context, database: string): Promise<undefined> {
  const { values, lists } = context
  const other = (['api-key', 'api-key-file'] as const).find((name) => values[name] !== undefined)
  if (other !== undefined) throw optionError(`--${other} is used with --url`, `leave --${other} out`)
  const location = healthchecksLocation(database)
  if (!('postgres' in location)) warnOfReaders(context, 'sqlite' in location ? location.sqlite : location.dump)
  const secret = readSecret(context)
  const names = lists.project ?? []
  const projects = names.length > 0 ? names : null
  const isSecretVerified = values.verify !== undefined
  const check = (source: ImportSource) => {
    if (isSecretVerified) requireRightSecret(source, secret, String(values.verify))
  }
  return importFrom(
    context,
    ({ now, random, transports }) =>
      openHealthchecks(location, { secret, isSecretVerified, projects, now: now(), random, transports }),
    { check },
  )
}

/** @throws Refusal `option-invalid` */
function requireRightSecret(source: ImportSource, secret: string | null, given: string): void {
  if (secret === null) throw optionError('--verify needs the secret', 'give --secret-key-file, too')
  const proof: SecretProof = given.includes('/') ? { badgeUrl: given } : { apiKey: given }
  const verdict = verifySecret(secret, proof, source.projects)
  if (verdict === 'right') return
  if (verdict === 'wrong') {
    throw optionError(
      'the secret is not the one of that server',
      'use SECRET_KEY of its environment, exactly as it is there',
    )
  }
  throw optionError(
    '--verify: no project that would be imported has given that out',
    'use an API key that begins with hcw_ or hcr_, or the address of a badge of a tag or of a whole project',
  )
}
