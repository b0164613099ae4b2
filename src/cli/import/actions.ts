/** Implements the `overdue import` commands for Healthchecks, project files and Uptime Kuma. */
import { healthchecksLocation, openHealthchecks, openProject, openUptimeKuma } from '../../app/import-sources.ts'
import type { ImportSource } from '../../domain/import/import-source.ts'
import { type SecretProof, verifySecret } from '../../import/from-healthchecks/keys.ts'
import type { Context } from '../command.ts'
import { optionError } from '../usage.ts'
import { importFrom, readSecret, warnOfReaders } from './run.ts'
import { importServer } from './server.ts'

export async function importHealthchecks(context: Context): Promise<undefined> {
  const { database, url } = context.values
  if ((database === undefined) === (url === undefined)) {
    throw optionError(
      'an import needs --database or --url',
      'give one of them: the database of Healthchecks, or the address of its server',
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
  const secret = await readSecret(context)
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
    throw optionError('the secret is not that of the old server', 'copy SECRET_KEY from its environment exactly')
  }
  throw optionError(
    '--verify: no project to import has this key or badge',
    'use an API key that begins with hcw_ or hcr_, or the badge address of a tag or of a whole project',
  )
}

export async function importProject(context: Context): Promise<undefined> {
  const { argument: path } = context
  const secret = await readSecret(context)
  warnOfReaders(context, path)
  return importFrom(context, (deps) => openProject(path, deps, secret))
}

export function importUptimeKuma(context: Context): Promise<undefined> {
  const { project } = context.values
  const database = String(context.values.database)
  warnOfReaders(context, database)
  return importFrom(context, ({ pingLogLimit, now, transports }) =>
    openUptimeKuma(database, { project: String(project), pingLogLimit, now: now(), transports }),
  )
}
