/** Opens this server's backups: in the directory that the settings name, or else in the directory `backups` next to the database. */
import { dirname, join } from 'node:path'
import type { Config } from '../config/config.ts'
import { isInFile } from '../domain/database-address.ts'
import type { Deps } from '../services/common/deps.ts'
import { type Backups, createBackups, databaseMark } from '../services/server/backups.ts'
import { createBackupFolder } from '../store/engine/sqlite/backup/backup-folder.ts'
import { databaseFile } from './engine.ts'
import { ownProgram } from './own-process.ts'

const BESIDE_DATABASE = 'backups'

/** @returns null if the database is not a file */
export function openBackups({ database, backups: plan, commandEnvironment }: Config, deps: Deps): Backups | null {
  const { backups: figures } = deps.measurements
  if (!isInFile(database) || figures === null) return null
  const file = databaseFile(database)
  const folder = createBackupFolder({
    directory: plan.directory ?? join(dirname(file), BESIDE_DATABASE),
    database: file,
    mark: () => databaseMark(deps, file),
    program: ownProgram(),
    environment: commandEnvironment,
  })
  return createBackups(deps, folder, plan, figures)
}
