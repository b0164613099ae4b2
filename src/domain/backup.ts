/** Backups on a schedule: their names, when the next one is due, and which are kept. */

import { type Instant, isBefore, Temporal } from '../lib/time.ts'
import { nextAfter } from './schedule/schedule.ts'

export interface BackupPlan {
  /** cron or OnCalendar; UTC unless it names a zone */
  readonly schedule: string
  /** how many of the newest backups are kept */
  readonly keep: number
}

/** One backup in the folder of backups. */
export interface KeptBackup {
  readonly name: string
  readonly bytes: number
}

const NAME = /^overdue-([0-9a-f]{8})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

/**
 * `overdue-5f0c71ab-20261121T030000Z.db`; the names of one database's backups sort by time.
 * @param mark tells its backups from those of others in the same folder; eight hexadecimal digits
 */
export function backupName(mark: string, at: Instant): string {
  return `overdue-${mark}-${fileStamp(at)}.db`
}

/** @returns the mark in the name of a backup; null for any other file */
export function backupMark(name: string): string | null {
  return NAME.exec(name)?.[1] ?? null
}

/** `20261121T030000Z`, for names of files. */
export function fileStamp(at: Instant): string {
  return at.toString({ smallestUnit: 'second', roundingMode: 'floor' }).replace(/[-:]/g, '')
}

/** @returns when the backup of that name was taken; null for any other file */
export function backupTime(name: string): Instant | null {
  const [, _mark, ...parts] = NAME.exec(name) ?? []
  const [year, month, day, hour, minute, second] = parts
  try {
    return parts.length === 0 ? null : Temporal.Instant.from(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  } catch {
    return null
  }
}

/** Newest first. Skips backups dated in the future: a wrong clock named them. */
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

/** @returns when the next backup is due: `now` without an earlier one; null when the schedule has ended */
export function backupDueAt({ schedule }: Pick<BackupPlan, 'schedule'>, newest: Instant | null, now: Instant) {
  return newest === null ? now : nextAfter(schedule, 'UTC', newest)
}
