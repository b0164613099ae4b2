/** Backups: their names, when the next one is due, which are kept, and the record of the last one. */

import { addSeconds, fromMicroseconds, type Instant, isBefore, Temporal, toMicroseconds } from '../lib/time.ts'
import { nextAfter } from './schedule/schedule.ts'

export interface BackupPlan {
  /** cron or OnCalendar; UTC unless it names a zone; null: only by hand */
  readonly schedule: string | null
  /** number of newest backups kept, counted separately for backups by schedule and by hand */
  readonly keep: number
}

/** `hand`: a person pressed the button. Each origin has its own limit, so that neither displaces the other's backups. */
export type BackupOrigin = 'schedule' | 'hand'

/** A backup in the folder of backups. */
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
 * @param mark distinguishes the backups of one database from those of others in the same folder; eight hexadecimal digits
 */
export function backupName(mark: string, at: Instant, origin: BackupOrigin): string {
  return `overdue-${mark}-${fileStamp(at)}${origin === 'hand' ? BY_HAND : ''}.db`
}

/** @param name of a backup */
export function backupOrigin(name: string): BackupOrigin {
  return name.endsWith(`${BY_HAND}.db`) ? 'hand' : 'schedule'
}

/** @returns the mark in the name of a backup; null for any other file */
export function backupMark(name: string): string | null {
  return NAME.exec(name)?.[1] ?? null
}

/** Formats a time for names of files: `20261121T030000Z`. */
export function fileStamp(at: Instant): string {
  return at.toString({ smallestUnit: 'second', roundingMode: 'floor' }).replace(/[-:]/g, '')
}

/** @returns the time at which the backup of that name was taken; null for any other file */
export function backupTime(name: string): Instant | null {
  const [, _mark, ...parts] = NAME.exec(name) ?? []
  const [year, month, day, hour, minute, second] = parts
  try {
    return parts.length === 0 ? null : Temporal.Instant.from(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  } catch {
    return null
  }
}

/** Returns backups, newest first. Skips those dated in the future: a wrong clock named them. */
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

/** @returns the time at which the next backup is due: `now` without an earlier one; null if the schedule has ended */
export function backupDueAt(schedule: string, newest: Instant | null, now: Instant): Instant | null {
  return newest === null ? now : nextAfter(schedule, 'UTC', newest)
}

/** The last successful backup, taken by the server or by the command. */
export interface BackupSuccess {
  /** start of the backup */
  readonly at: Instant
  readonly bytes: number
  /** duration; null: unknown */
  readonly seconds: number | null
  /** absolute path */
  readonly file: string
}

/** The last failed backup of a server. */
export interface BackupFailure {
  readonly at: Instant
  /** the cause and the remedy */
  readonly reason: string
}

/** The name of the setting under which the database keeps its last {@link BackupSuccess}. */
export const BACKUP_SETTING = 'backup'

export function backupText({ at, bytes, seconds, file }: BackupSuccess): string {
  return JSON.stringify({ at: toMicroseconds(at), bytes, seconds, file })
}

/** @param text made by {@link backupText} */
export function readBackupText(text: string): BackupSuccess {
  const { at, bytes, seconds, file } = JSON.parse(text)
  return { at: fromMicroseconds(at), bytes, seconds, file }
}

const OLD_AFTER_SECONDS = 7 * 86_400

/** @param from start of the newest backup, or first use of a database without one; null: never used */
export function isBackupOld(from: Instant | null, now: Instant): boolean {
  return from !== null && isBefore(addSeconds(from, OLD_AFTER_SECONDS), now)
}
