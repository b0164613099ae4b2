/** `overdue import healthchecks` */
import { readFileSync, statSync } from 'node:fs'
import { OPERATOR } from '../../domain/actor.ts'
import { type SecretProof, verifySecret } from '../../domain/import/healthchecks/keys.ts'
import type { ImportSource } from '../../domain/import/import-source.ts'
import { type HealthchecksLocation, healthchecksLocation, openHealthchecks } from '../../import-sources.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Deps } from '../../services/deps.ts'
import { applyImport } from '../../services/import/apply.ts'
import { planImport } from '../../services/import/plan.ts'
import { reportImport } from '../../services/import/report.ts'
import type { Command, Context } from '../command.ts'
import { stopSignal } from '../stop-signal.ts'
import { optionError } from '../usage.ts'
import { importJson, importWords } from './import-words.ts'

/** Of all commands that import. */
export const IMPORT_OPTIONS = { apply: { type: 'boolean', default: false } } as const

export const importCommands: readonly Command[] = [
  {
    words: 'import healthchecks',
    usage:
      '--database FILE|URL [--secret-key-file FILE | --secret-key KEY] [--verify KEY|URL] [--project NAME]... [--apply]',
    summary: 'move projects from the database of a Healthchecks here; without --apply, say what would happen',
    details: [
      'FILE is the file of SQLite, or a plain dump of pg_dump, also compressed by gzip; URL is postgres://user:password@host/name.',
      'Nothing is written there. Stop the alerts of that server first (manage.py sendalerts), so that none comes twice.',
      'The secret is SECRET_KEY of that server: with it, API keys and the addresses of badges go on working. --secret-key-file reads it from a',
      'file, or from standard input for -; other users of the machine can see what --secret-key says. --verify takes an API key or the',
      'address of a badge that the old server has given out, and refuses a wrong secret.',
      '--project takes a name or an id of a project there, and may be given several times; without it all projects come.',
      'A project comes whole or not at all, beside a running server, and nothing is sent. An import that was interrupted, by Ctrl-C too, goes',
      'on where it was when the same command runs again. Repeated later, it adds newer pings to what nobody has changed here.',
    ].join('\n'),
    example: 'overdue import healthchecks --database /old/hc.sqlite --secret-key-file /old/secret --apply',
    options: {
      database: { type: 'string', required: true },
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
  const { values, lists, openDeps } = context
  const location = healthchecksLocation(String(values.database))
  warnOfReaders(context, location)
  const secret = readSecret(context)
  const deps = await openDeps()
  const names = lists.project ?? []
  const source = await openHealthchecks(location, {
    secret,
    projects: names.length > 0 ? names : null,
    now: deps.now(),
    random: deps.random,
    transports: deps.transports,
  })
  try {
    if (values.verify !== undefined) requireRightSecret(source, secret, String(values.verify))
    await runImport(context, deps, source)
  } finally {
    await source.close()
  }
}

/** Plans, carries the plan out with `--apply`, and prints the report. */
export async function runImport(context: Context, deps: Deps, source: ImportSource): Promise<void> {
  const { values, showProgress, print } = context
  const begun = performance.now()
  const signal = stopSignal()
  const plan = await planImport(deps, OPERATOR, source)
  const applied = values.apply
    ? await showProgress((onWork) => applyImport(deps, OPERATOR, source, plan, { signal, onWork }))
    : null
  const report = await reportImport(source, plan, applied)
  const seconds = Math.round(performance.now() - begun) / 1000
  print(importJson(report, seconds), importWords(report, seconds))
}

/** @returns null when none was given @throws Refusal `option-invalid` */
function readSecret({ values }: Pick<Context, 'values'>): string | null {
  const { 'secret-key': given, 'secret-key-file': file } = values
  if (given !== undefined && file !== undefined) {
    throw optionError('--secret-key and --secret-key-file cannot be given together', 'give the file only')
  }
  const secret = file === undefined ? given : readSecretFile(String(file))
  if (secret === undefined) return null
  if (secret === '') throw optionError('the secret is empty', 'without a secret, leave the option out')
  return String(secret)
}

/** An editor adds the end of the line. */
function readSecretFile(path: string): string {
  try {
    return readFileSync(path === '-' ? process.stdin.fd : path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw optionError(
      `--secret-key-file: cannot read ${path}: ${reasonOf(error)}`,
      'check the path and who may read it',
    )
  }
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

const OTHERS_READ = 0o004

function warnOfReaders({ note }: Context, location: HealthchecksLocation): void {
  if ('postgres' in location) return
  const path = 'sqlite' in location ? location.sqlite : location.dump
  const { mode } = statSync(path)
  if ((mode & OTHERS_READ) === 0) return
  note(`warning: every user of this machine can read ${path}, which holds keys and tokens: run chmod 600 on it`)
}
