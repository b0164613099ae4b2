/** Records the database's last successful backup and its last failed backup. */
import {
  BACKUP_SETTING,
  type BackupFailure,
  type BackupSuccess,
  backupText,
  readBackupText,
} from '../../domain/backup.ts'
import { fromMicroseconds, toMicroseconds } from '../../lib/time.ts'
import type { BackupRecord } from '../interface/upkeep.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'
import { findSetting, writeSetting } from './settings.ts'

const FAILURE = 'backup-failure'
const FIRST_USE = 'SELECT MIN(created_at) AS at FROM projects'

export async function findBackups(sql: Sql): Promise<BackupRecord> {
  const success = await findSetting(sql, BACKUP_SETTING)
  const failure = await findSetting(sql, FAILURE)
  const first = success === null ? await sql.get<{ at: number | null }>(FIRST_USE, []) : null
  return {
    newest: success === null ? null : readBackupText(success),
    failure: failure === null ? null : readFailure(failure),
    usedSince: instantOrNull(first?.at ?? null),
  }
}

export async function recordBackup(sql: Sql, success: BackupSuccess): Promise<void> {
  await writeSetting(sql, BACKUP_SETTING, backupText(success))
}

export async function recordBackupFailure(sql: Sql, { at, reason }: BackupFailure): Promise<void> {
  await writeSetting(sql, FAILURE, JSON.stringify({ at: toMicroseconds(at), reason }))
}

function readFailure(text: string): BackupFailure {
  const { at, reason } = JSON.parse(text)
  return { at: fromMicroseconds(at), reason }
}
