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

const NAME = /^overdue-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

/** `overdue-20261121T030000Z.db`: the names are in the order of their times. */
export function backupName(at: Instant): string {
  return `overdue-${fileStamp(at)}.db`
}

/** `20261121T030000Z`, for names of files. */
export function fileStamp(at: Instant): string {
  return at.toString({ smallestUnit: 'second', roundingMode: 'floor' }).replace(/[-:]/g, '')
}

/** @returns when the backup of that name was taken; null for any other file */
export function backupTime(name: string): Instant | null {
  const [, ...parts] = NAME.exec(name) ?? []
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
