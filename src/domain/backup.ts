/** Backups: their file names, when the next one is due, which ones are kept, and what the database records about the last one. */

import { addSeconds, fromMicroseconds, type Instant, isBefore, Temporal, toMicroseconds } from '../lib/time.ts'
import { nextAfter } from './schedule/schedule.ts'

export interface BackupPlan {
  /** cron or OnCalendar expression, in UTC unless it names a zone; null: only when a person asks for one */
  readonly schedule: string | null
  /** maximum number of backups to keep, counted separately for scheduled backups and those taken by hand */
  readonly keep: number
}

/**
 * Why a backup was taken. `hand`: a person pressed the button. Each origin has its own limit, so that one kind does not push out the other.
 */
export type BackupOrigin = 'schedule' | 'hand'

/** A backup file in the backup folder. */
export interface KeptBackup {
  readonly name: string
  readonly bytes: number
}

const BY_HAND = '-by-hand'
const NAME = new RegExp(
  `^overdue-([0-9a-f]{8})-(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d)(\\d\\d)Z(?:${BY_HAND})?\\.db$`,
)

/**
 * Returns `overdue-5f0c71ab-20261121T030000Z.db`, or `overdue-5f0c71ab-20261121T141500Z-by-hand.db`.
 * @param mark eight hexadecimal digits that distinguish the backups of this database from others in the same folder
 */
export function backupName(mark: string, at: Instant, origin: BackupOrigin): string {
  return `overdue-${mark}-${fileStamp(at)}${origin === 'hand' ? BY_HAND : ''}.db`
}

/** @param name file name of a backup */
export function backupOrigin(name: string): BackupOrigin {
  return name.endsWith(`${BY_HAND}.db`) ? 'hand' : 'schedule'
}

/** @returns the mark in the file name of a backup; null if the file is not a backup */
export function backupMark(name: string): string | null {
  return NAME.exec(name)?.[1] ?? null
}

/** Formats a time for a file name: `20261121T030000Z`. */
export function fileStamp(at: Instant): string {
  return at.toString({ smallestUnit: 'second', roundingMode: 'floor' }).replace(/[-:]/g, '')
}

/** @returns when the backup of that name was taken; null if the file is not a backup */
export function backupTime(name: string): Instant | null {
  const [, _mark, ...parts] = NAME.exec(name) ?? []
  const [year, month, day, hour, minute, second] = parts
  try {
    return parts.length === 0 ? null : Temporal.Instant.from(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  } catch {
    return null
  }
}

/** Returns backups, newest first. Skips backups with a date in the future, which come from a wrong clock. */
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

/** @returns when the next backup is due: at once if there is none yet; null if the schedule has ended */
export function backupDueAt(schedule: string, newest: Instant | null, now: Instant): Instant | null {
  return newest === null ? now : nextAfter(schedule, 'UTC', newest)
}

/** The last successful backup, whether the server or the command took it. */
export interface BackupSuccess {
  /** time at which the backup started */
  readonly at: Instant
  readonly bytes: number
  /** how long the backup took; null: unknown */
  readonly seconds: number | null
  /** absolute path of the backup file */
  readonly file: string
}

/** The last failed backup of a server. */
export interface BackupFailure {
  readonly at: Instant
  /** what failed and what to do about it */
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

/** @param from start of the newest backup; if there is none, the time at which the database was first used; null: never used */
export function isBackupOld(from: Instant | null, now: Instant): boolean {
  return from !== null && isBefore(addSeconds(from, OLD_AFTER_SECONDS), now)
}
