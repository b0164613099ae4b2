/** Settings of the backups that the server creates on a schedule (if a directory is set) and on request. */
import type { BackupPlan } from '../domain/backup.ts'
import { type DatabaseAddress, POSTGRES_BACKUPS } from '../domain/database-address.ts'
import { ScheduleError } from '../domain/schedule/schedule-text.ts'
import { readTypedSchedule } from '../domain/schedule/typed/typed-schedule.ts'
import { filePath, wholeNumber } from './parsers.ts'
import type { Settings } from './settings.ts'

export interface BackupSettings extends BackupPlan {
  /** null to store backups on request in the directory `backups` next to the database */
  readonly directory: string | null
}

const DAILY = '0 3 * * *'

export function readBackups(settings: Settings, database: DatabaseAddress): BackupSettings {
  const directory = settings.get('BACKUP_DIRECTORY', null, filePath)
  const schedule = settings.get('BACKUP_SCHEDULE', DAILY, parseable)
  const keep = settings.get('BACKUP_KEEP', '7', wholeNumber(1, 10_000))
  if (directory !== null) {
    const problem = problemWith(database)
    if (problem !== null) settings.problems.push(`BACKUP_DIRECTORY: ${problem}`)
  }
  return { directory, schedule: directory === null ? null : schedule, keep }
}

function problemWith(database: DatabaseAddress): string | null {
  if (database.engine === 'postgres') return `is for SQLite; unset it, and ${POSTGRES_BACKUPS}`
  return database.path === ':memory:' ? 'a database in memory cannot be backed up; set DATABASE_URL to a file' : null
}

function parseable(given: string): string {
  // Skips the parser for the default value, because loading the calendar takes longer than the rest of a command's start-up.
  if (given === DAILY) return given
  try {
    return readTypedSchedule(given)
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    throw new Error(`"${given}" is not a schedule: ${error.message} Use one like 0 3 * * * or *-*-* 03:00:00`)
  }
}
