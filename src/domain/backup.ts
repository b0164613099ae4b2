/** Backups taken on a schedule: how they are called, when the next one is due, and which are kept. */
import { nextAfter } from './schedule.ts'
import { type Instant, isBefore, Temporal } from './time.ts'

export interface BackupPlan {
  /** cron or OnCalendar, in UTC where it names no zone */
  readonly schedule: string
  /** backups; the newest are kept */
  readonly keep: number
}

/** One backup in the folder of backups. */
export interface KeptBackup {
  readonly name: string
  readonly bytes: number
}

/** By what the backups of one database are told from those of others in the same folder. */
export interface DatabaseIdentity {
  /** eight hexadecimal digits, part of the names */
  readonly mark: string
  /** id of the oldest project; null where there is none */
  readonly oldestProjectId: string | null
}

/** The first versions wrote no mark. */
const NAME = /^overdue-(?:([0-9a-f]{8})-)?(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

/** `overdue-5f0c71ab-20261121T030000Z.db`: the names of one database's backups are in the order of their times. */
export function backupName({ mark }: Pick<DatabaseIdentity, 'mark'>, at: Instant): string {
  return `overdue-${mark}-${fileStamp(at)}.db`
}

/** @returns the mark in the name of a backup; null when it has none, or is no backup */
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

/** Newest first. What bears a time that is yet to come was named by a clock that went wrong, and is left alone. */
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

/** @returns when the next backup is due: now where there is none yet; null when the schedule has come to its end */
export function backupDueAt({ schedule }: Pick<BackupPlan, 'schedule'>, newest: Instant | null, now: Instant) {
  return newest === null ? now : nextAfter(schedule, 'UTC', newest)
}
