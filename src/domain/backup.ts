/** Backups: their file names, when the next one is due, which ones are kept, and the stored result of the last one. */

import { addSeconds, fromMicroseconds, type Instant, isBefore, Temporal, toMicroseconds } from '../lib/time.ts'
import { nextAfter } from './schedule/schedule.ts'

export interface BackupPlan {
  /** cron or OnCalendar expression, in UTC unless it names a zone; null: there are only manual backups */
  readonly schedule: string | null
  /** maximum number of backups to keep; scheduled and manual backups are counted separately */
  readonly keep: number
}

/**
 * Why a backup was taken. `hand`: a user pressed the button. Each origin has its own limit, so that backups of one kind don't displace
 * those of the other.
 */
export type BackupOrigin = 'schedule' | 'hand'

/** A backup file in the backup directory. */
export interface KeptBackup {
  readonly name: string
  readonly bytes: number
}

const BY_HAND = '-by-hand'
const NAME = new RegExp(
  `^overdue-([0-9a-f]{8})-(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d)(\\d\\d)Z(?:${BY_HAND})?\\.db$`,
)

/**
 * Returns a file name such as `overdue-5f0c71ab-20261121T030000Z.db` or `overdue-5f0c71ab-20261121T141500Z-by-hand.db`.
 * @param mark eight hexadecimal digits that distinguish this database's backups from others in the same directory
 */
export function backupName(mark: string, at: Instant, origin: BackupOrigin): string {
  return `overdue-${mark}-${fileStamp(at)}${origin === 'hand' ? BY_HAND : ''}.db`
}

/** @param name a backup's file name */
export function backupOrigin(name: string): BackupOrigin {
  return name.endsWith(`${BY_HAND}.db`) ? 'hand' : 'schedule'
}

/** @returns the mark in a backup's file name; null if the file is not a backup */
export function backupMark(name: string): string | null {
  return NAME.exec(name)?.[1] ?? null
}

/** Formats a time for use in a file name, such as `20261121T030000Z`. */
export function fileStamp(at: Instant): string {
  return at.toString({ smallestUnit: 'second', roundingMode: 'floor' }).replace(/[-:]/g, '')
}

/** @returns the time in a backup's file name; null if the file is not a backup */
export function backupTime(name: string): Instant | null {
  const [, _mark, ...parts] = NAME.exec(name) ?? []
  const [year, month, day, hour, minute, second] = parts
  try {
    return parts.length === 0 ? null : Temporal.Instant.from(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  } catch {
    return null
  }
}

/** Returns backups, newest first. Skips backups dated in the future, because the clock was wrong when they were taken. */
export function backupsUntil<Backup extends Pick<KeptBackup, 'name'>>(
  files: readonly Backup[],
  now: Instant,
): (Backup & { readonly at: Instant })[] {
  return files
    .flatMap((file) => {
      const at = backupTime(file.name)
      return at === null || isBefore(now, at) ? [] : [{ ...file, at }]
    })
    .sort((a, b) => Temporal.Instant.compare(b.at, a.at))
}

/** @returns when the next backup is due: now if there is no backup yet; null if the schedule has ended */
export function backupDueAt(schedule: string, newest: Instant | null, now: Instant): Instant | null {
  return newest === null ? now : nextAfter(schedule, 'UTC', newest)
}

/** The last successful backup, taken by the server or by the command. */
export interface BackupSuccess {
  /** when the backup started */
  readonly at: Instant
  readonly bytes: number
  /** duration of the backup; null: unknown */
  readonly seconds: number | null
  /** absolute path of the backup file */
  readonly file: string
}

/** A server's last failed backup. */
export interface BackupFailure {
  readonly at: Instant
  /** what failed, and how to fix it */
  readonly reason: string
}

/** Name of the database setting that stores the last {@link BackupSuccess}. */
export const BACKUP_SETTING = 'backup'

export function backupText({ at, bytes, seconds, file }: BackupSuccess): string {
  return JSON.stringify({ at: toMicroseconds(at), bytes, seconds, file })
}

/** @param text from {@link backupText} */
export function readBackupText(text: string): BackupSuccess {
  const { at, bytes, seconds, file } = JSON.parse(text)
  return { at: fromMicroseconds(at), bytes, seconds, file }
}

const OLD_AFTER_SECONDS = 7 * 86_400

/**
 * @param from start of the newest backup, or the time at which the database was first used if there is no backup; null: it was never used
 */
export function isBackupOld(from: Instant | null, now: Instant): boolean {
  return from !== null && isBefore(addSeconds(from, OLD_AFTER_SECONDS), now)
}
