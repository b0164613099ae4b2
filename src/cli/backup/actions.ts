/** Implements `overdue backup` and `overdue restore`. */
import { resolve } from 'node:path'
import { databaseFiles } from '../../app/engine.ts'
import type { BackupSuccess } from '../../domain/backup.ts'
import type { DatabaseAddress } from '../../domain/database-address.ts'
import { count } from '../../domain/duration.ts'
import { messageOf } from '../../lib/errors.ts'
import { megabytes } from '../../lib/text/text.ts'
import { isoSeconds } from '../../lib/time.ts'
import { NO_PROGRESS } from '../../lib/work/long-work.ts'
import type { Context } from '../command.ts'
import { timeOrNull } from '../times.ts'
import { optionError } from '../usage.ts'

/** @throws Refusal `option-invalid` for `-`, which other programs use for standard input and output */
function pathOf(file: string): string {
  if (file !== '-') return resolve(file)
  const hint = 'use the name of a file, such as /backups/overdue.db, or ./- for a file with the name -'
  throw optionError('a backup must be a file, not standard input or output', hint)
}

/** Runs `overdue backup`. */
export async function backUp(context: Context): Promise<undefined> {
  const { readConfig, argument: file, values, now, showProgress, print } = context
  const { database } = await readConfig()
  const path = pathOf(file)
  const at = now()
  const begun = performance.now()
  const backup = await showProgress((onWork) => databaseFiles(database, onWork).backUp(path, values.force === true))
  const seconds = Math.round(performance.now() - begun) / 1000
  noteSuccess(context, database, { at, bytes: backup.bytes, seconds, file: backup.file })
  const { bytes, version, projects, checks, pings } = backup
  print(
    { file: backup.file, bytes, seconds, version, projects, checks, pings },
    `${backup.file} contains ${counts(backup)} (${megabytes(bytes)}, ${seconds.toFixed(1)} s)`,
  )
}

/**
 * Records the backup in the database. The server shows the time of the last backup, and warns if it is more than a week old. If recording
 * fails, the backup itself is still good.
 */
function noteSuccess({ note }: Context, database: DatabaseAddress, success: BackupSuccess): void {
  try {
    databaseFiles(database, NO_PROGRESS).note(success)
  } catch (error) {
    note(`The backup is complete, but it could not be recorded in the database: ${messageOf(error)}`)
  }
}

/** Runs `overdue restore`. */
export async function restore(context: Context): Promise<undefined> {
  const { readConfig, argument: file, values, now, showProgress, print } = context
  const config = await readConfig()
  const path = pathOf(file)
  const restored = await showProgress((onWork) =>
    databaseFiles(config.database, onWork).restore(path, values.force === true, now()),
  )
  const { database, kept, keptLog, version, projects, checks, pings, lastWrittenAt, keepsItsSecret } = restored
  const facts = [
    `Restored ${database} from ${restored.file}: ${counts(restored)}`,
    ...(lastWrittenAt
      ? [`A server last wrote to this database at ${isoSeconds(lastWrittenAt)}. Later pings are not in it.`]
      : []),
    ...(kept ? [`The previous database is kept as ${kept}.`] : []),
    ...(keptLog ? [`The log of the previous database, which contains its newest pings, is kept as ${keptLog}.`] : []),
    ...(keepsItsSecret ? [] : ['Set SECRET_KEY to the value that was used when the backup was created.']),
    'All sessions and one-time links have ended.',
    'Start the server. Checks whose deadline has passed get one extra grace period, at most 15 minutes.',
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
  return `${count(projects, 'project')}, ${count(checks, 'check')} and ${count(pings, 'ping')}`
}
