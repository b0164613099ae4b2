/**
 * The folder in which a server keeps its backups. A separate process makes each one, because SQLite blocks its thread while
 * it copies, and pings must not wait for that.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { backupMark, backupName, backupTime, type KeptBackup } from '../../../../domain/backup.ts'
import { messageOf } from '../../../../lib/errors.ts'
import type { Instant } from '../../../../lib/time.ts'
import { lowerPriority } from '../../../../lib/work/lower-priority.ts'
import { removeAbandonedIn, removeCopy, unfinishedName } from '../file/unfinished.ts'
import { isSameFile } from './backup-file.ts'

/** A backup that takes longer hangs, and is killed. */
const LONGEST_MS = 3_600_000

interface BackupFolderOptions {
  readonly directory: string
  /** the database, a file path */
  readonly database: string
  /** gives the mark in the names of its backups; called when needed, because it reads the database */
  readonly mark: () => Promise<string>
  /** how to run this program; the words of the backup command follow */
  readonly program: readonly string[]
  /** the environment of that program */
  readonly environment: Readonly<Record<string, string>>
}

export interface BackupFolder {
  /**
   * Lists the backups of this database, but not the database itself or the backups of others. Creates a missing folder.
   * @throws Error with what to do, if the folder cannot be used
   */
  list(): Promise<KeptBackup[]>
  /**
   * @param at the start time, which becomes part of its name
   * @returns null if {@link close} ended it
   * @throws Error with the reason and what to do
   */
  take(at: Instant): Promise<KeptBackup | null>
  remove(name: string): Promise<void>
  /** Ends a backup that is under way, and starts no other. Never rejects. */
  close(): Promise<void>
}

export function createBackupFolder(options: BackupFolderOptions): BackupFolder {
  const { directory, database, mark: markOf, program, environment } = options
  let underWay: { readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>; readonly file: string } | null = null
  let isClosed = false
  const path = (name: string) => join(resolve(directory), name)

  /** Removes only what our own backup process has left. */
  const removeUnfinished = (file: string, pid: number) => ignoringErrors(() => removeCopy(unfinishedName(file, pid)))

  return {
    async list() {
      const mark = await markOf()
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        // The database may be in this folder under the name of a backup, for example one that was copied back by hand.
        const isKept = (name: string) =>
          backupMark(name) === mark && backupTime(name) !== null && !isSameFile(path(name), database)
        const names = (await readdir(directory)).filter(isKept)
        return await Promise.all(names.map(async (name) => ({ name, bytes: (await stat(path(name))).size })))
      } catch (error) {
        const hint = 'check that BACKUP_DIRECTORY points to a folder that this user can read and write'
        throw new Error(`${messageOf(error)}: ${hint}`, { cause: error })
      }
    },

    async take(at) {
      const mark = await markOf()
      if (isClosed) return null
      ignoringErrors(() => removeAbandonedIn(directory, (name) => backupMark(name) === mark, at))
      const name = backupName(mark, at)
      const file = path(name)
      const child = Bun.spawn([...program, 'backup', file], {
        env: { ...environment, DATABASE_URL: `sqlite:${resolve(database)}` },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
        timeout: LONGEST_MS,
      })
      underWay = { child, file }
      lowerPriority(child.pid)
      const [stderr, code] = await Promise.all([child.stderr.text(), child.exited, child.stdout.text()])
      underWay = null
      if (code === 0) return { name, bytes: (await stat(file)).size }
      removeUnfinished(file, child.pid)
      if (isClosed) return null
      const reason = stderr.trim().replace(/\s*\n→ /, ': ')
      throw new Error(reason || `the backup command ended with ${child.signalCode ?? `exit status ${code}`}`)
    },

    remove: (name) => rm(path(name), { force: true }),

    async close() {
      isClosed = true
      if (underWay === null) return
      const { child, file } = underWay
      child.kill()
      await child.exited
      removeUnfinished(file, child.pid)
    },
  }
}

/** An error must not hide another one or keep the server from stopping: the next backup tries again. */
function ignoringErrors(remove: () => void): void {
  try {
    remove()
  } catch {}
}
