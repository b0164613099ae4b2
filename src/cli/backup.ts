/** `overdue backup` and `overdue restore`: the database as one file. */
import { resolve } from 'node:path'
import { databaseFiles } from '../app.ts'
import { megabytes } from '../domain/text.ts'
import { isoSeconds } from '../domain/time.ts'
import { type Command, type Context, timeOrNull } from './command.ts'

export const backupCommands: readonly Command[] = [
  {
    words: 'backup',
    usage: 'FILE [--force]',
    summary: 'copy the database, also of a running server, into one file',
    details: 'The copy is checked before it gets its name. --force replaces a FILE that exists.',
    options: { force: { type: 'boolean', default: false } },
    positionals: 1,
    run: backUp,
  },
  {
    words: 'restore',
    usage: 'FILE [--force]',
    summary: 'put a backup in the place of the database, while no server runs',
    details: '--force also where there is a database already, which is kept beside under another name.',
    options: { force: { type: 'boolean', default: false } },
    positionals: 1,
    run: restore,
  },
]

async function backUp({ config, positionals: [file = ''], values, showProgress, print }: Context): Promise<undefined> {
  const begun = performance.now()
  const backup = await showProgress((onWork) =>
    databaseFiles(config, onWork).backUp(resolve(file), values.force === true),
  )
  const seconds = Math.round(performance.now() - begun) / 1000
  const { bytes, version, projects, checks, pings } = backup
  print(
    { file: backup.file, bytes, seconds, version, projects, checks, pings },
    `${backup.file} holds ${counts(backup)} (${megabytes(bytes)}, ${seconds.toFixed(1)} s)`,
  )
}

async function restore({
  config,
  positionals: [file = ''],
  values,
  now,
  showProgress,
  print,
}: Context): Promise<undefined> {
  const restored = await showProgress((onWork) =>
    databaseFiles(config, onWork).restore(resolve(file), values.force === true, now()),
  )
  const { database, kept, keptLog, version, projects, checks, pings, lastWrittenAt, keepsItsSecret } = restored
  const facts = [
    `${database} is a copy of ${restored.file} now: ${counts(restored)}`,
    ...(lastWrittenAt
      ? [`A server last wrote into it at ${isoSeconds(lastWrittenAt)}; later pings are not in it.`]
      : []),
    ...(kept ? [`What was there before is kept as ${kept}.`] : []),
    ...(keptLog ? [`The log of the former database, which holds its newest pings, is kept as ${keptLog}.`] : []),
    ...(keepsItsSecret ? [] : ['It was made with SECRET_KEY set: give the server the same one.']),
    'Start the server: checks whose deadline has passed meanwhile get one grace time more, at most 15 minutes.',
  ]
  print(
    {
      database,
      file: restored.file,
      kept,
      kept_log: keptLog,
      last_written_at: timeOrNull(lastWrittenAt),
      needs_secret_key: !keepsItsSecret,
      version,
      projects,
      checks,
      pings,
    },
    facts.join('\n'),
  )
}

function counts({ projects, checks, pings }: { projects: number; checks: number; pings: number }): string {
  return `${many(projects, 'project')}, ${many(checks, 'check')} and ${many(pings, 'ping')}`
}

function many(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
