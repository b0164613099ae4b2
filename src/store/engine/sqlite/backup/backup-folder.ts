/**
 * The directory in which a server keeps its backups. A separate process creates each backup, because SQLite blocks its thread while it
 * copies, and pings must not wait for that.
 */
import { lstat, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type BackupOrigin, backupMark, backupName, backupTime, type KeptBackup } from '../../../../domain/backup.ts'
import { codeOf, messageOf } from '../../../../lib/errors.ts'
import type { Instant } from '../../../../lib/time.ts'
import { lowerPriority } from '../../../../lib/work/lower-priority.ts'
import { removeAbandonedIn, removeCopy, unfinishedIn, unfinishedName } from '../file/unfinished.ts'
import { isSameFile } from './backup-file.ts'

/** Number of milliseconds after which a backup counts as hung and is killed. */
const LONGEST_MS = 3_600_000

interface BackupFolderOptions {
  readonly directory: string
  /** path of the server's database file */
  readonly database: string
  /** returns the mark that the names of this database's backups contain. Called only when needed, because it reads the database */
  readonly mark: () => Promise<string>
  /** command line that runs this program; the backup command's arguments are appended to it */
  readonly program: readonly string[]
  /** environment variables for that command */
  readonly environment: Readonly<Record<string, string>>
}

export interface BackupFolder {
  /** absolute path of the directory */
  readonly directory: string
  /** absolute path of the database */
  readonly database: string
  /**
   * Lists this database's backups, excluding the database itself and other databases' backups. The list is empty if the directory does not
   * exist.
   * @throws Error that says what to do if the directory cannot be used
   */
  list(): Promise<KeptBackup[]>
  /** Returns the size in bytes of a copy of this database that is being written; null if there is none. @throws Error like {@link list} */
  bytesUnderWay(): Promise<number | null>
  /** Returns the name of a backup that starts at this time. */
  nameOf(at: Instant, origin: BackupOrigin): Promise<string>
  /**
   * Creates a backup. Creates the directory if it does not exist.
   * @param at the start time, which becomes part of the name
   * @returns null if {@link close} stopped the backup
   * @throws Error with the reason and what to do
   */
  take(at: Instant, origin: BackupOrigin): Promise<KeptBackup | null>
  /** @param name a backup's name from {@link list} */
  open(name: string): Blob
  remove(name: string): Promise<void>
  /** Stops a backup in progress, and starts no further backups. Never rejects. */
  close(): Promise<void>
}

export function createBackupFolder(options: BackupFolderOptions): BackupFolder {
  const { mark: markOf, program, environment } = options
  const directory = resolve(options.directory)
  const database = resolve(options.database)
  let underWay: { readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>; readonly file: string } | null = null
  let isClosed = false
  const path = (name: string) => join(directory, name)

  /** Removes only the unfinished copies that this server's own backup process wrote. */
  const removeUnfinished = (file: string, pid: number) => ignoringErrors(() => removeCopy(unfinishedName(file, pid)))

  return {
    directory,
    database,

    async list() {
      const mark = await markOf()
      // The database may be in this directory under the name of a backup, for example if a backup was copied back by hand.
      const isKept = (name: string) =>
        backupMark(name) === mark && backupTime(name) !== null && !isSameFile(path(name), database)
      return usable(async () => {
        const found = await Promise.all(
          (await namesIn(directory)).filter(isKept).map((name) => keptFile(path(name), name)),
        )
        return found.filter((kept) => kept !== null)
      })
    },

    async bytesUnderWay() {
      const mark = await markOf()
      const copies = usable(async () => unfinishedIn(directory, (name) => backupMark(name) === mark))
      return (await copies)[0]?.bytes ?? null
    },

    nameOf: async (at, origin) => backupName(await markOf(), at, origin),

    async take(at, origin) {
      const mark = await markOf()
      await usable(() => mkdir(directory, { recursive: true, mode: 0o700 }))
      if (isClosed) return null
      ignoringErrors(() => removeAbandonedIn(directory, (name) => backupMark(name) === mark, at))
      const name = backupName(mark, at, origin)
      const file = path(name)
      const child = Bun.spawn([...program, 'backup', file], {
        env: { ...environment, DATABASE_URL: `sqlite:${database}` },
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

    open: (name) => Bun.file(path(name)),

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

/** @throws Error that says what to do */
async function usable<Result>(use: () => Promise<Result>): Promise<Result> {
  try {
    return await use()
  } catch (error) {
    const hint = 'check that BACKUP_DIRECTORY points to a folder that this user can read and write'
    throw new Error(`${messageOf(error)}: ${hint}`, { cause: error })
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** @returns null if it is not a regular file or no longer exists */
async function keptFile(path: string, name: string): Promise<KeptBackup | null> {
  const found = await lstat(path).catch(() => null)
  return found?.isFile() ? { name, bytes: found.size } : null
}

/** Ignores errors, because they must not hide another error or keep the server from stopping. The next backup retries the removal. */
function ignoringErrors(remove: () => void): void {
  try {
    remove()
  } catch {}
}
