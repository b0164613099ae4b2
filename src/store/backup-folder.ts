/**
 * The folder in which a server keeps its backups. Each is made by a process of its own, since the engine blocks the
 * thread that copies, and pings are not to wait for that.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { backupMark, backupName, backupTime, type DatabaseIdentity, type KeptBackup } from '../domain/backup.ts'
import type { Instant } from '../domain/time.ts'
import { isSameFile, openFile } from './backup-file.ts'
import { removeAbandonedIn, removeCopy, unfinishedName } from './unfinished.ts'

/** Far more than any copy takes; what hangs for longer is ended. */
const LONGEST_MS = 3_600_000

export interface BackupFolderOptions {
  readonly directory: string
  /** the database, a file path */
  readonly database: string
  /** asked for when it is needed, since it lies in the database */
  readonly identify: () => Promise<DatabaseIdentity>
  /** how to run this program; followed by the words of the command that backs up */
  readonly program: readonly string[]
  /** what that program gets to see of our environment */
  readonly environment: Readonly<Record<string, string>>
}

export interface BackupFolder {
  /**
   * The backups of this database, never the database itself nor the backups of others; makes the folder where there is
   * none. @throws when it cannot be used
   */
  list(): Promise<KeptBackup[]>
  /**
   * @param at when it is begun, which its name tells
   * @returns null when it was cut off by {@link close}
   * @throws Error with the reason and what to do
   */
  take(at: Instant): Promise<KeptBackup | null>
  remove(name: string): Promise<void>
  /** Ends a backup that is under way, and takes no more. Never rejects. */
  close(): Promise<void>
}

export function createBackupFolder(options: BackupFolderOptions): BackupFolder {
  const { directory, database, identify, program, environment } = options
  let underWay: { readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>; readonly file: string } | null = null
  let isClosed = false
  const path = (name: string) => join(resolve(directory), name)

  /** Of our own process that has ended, so that nobody else's copy is touched. */
  const removeUnfinished = (file: string, pid: number) => leniently(() => removeCopy(unfinishedName(file, pid)))

  return {
    async list() {
      const identity = await identify()
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        // A database in this folder may be called like a backup, such as one that was copied back by hand.
        const isKept = (name: string) => isBackupOf(identity, path(name)) && !isSameFile(path(name), database)
        const names = (await readdir(directory)).filter(isKept)
        return await Promise.all(names.map(async (name) => ({ name, bytes: (await stat(path(name))).size })))
      } catch (error) {
        const hint = 'see that BACKUP_DIRECTORY names a folder that this user may read and write'
        throw new Error(`${error instanceof Error ? error.message : error}: ${hint}`, { cause: error })
      }
    },

    async take(at) {
      const identity = await identify()
      if (isClosed) return null
      leniently(() => removeAbandonedIn(directory, (name) => backupMark(name) === identity.mark, at))
      const name = backupName(identity, at)
      const file = path(name)
      const child = Bun.spawn([...program, 'backup', file], {
        env: { ...environment, DATABASE_URL: `sqlite:${resolve(database)}` },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
        timeout: LONGEST_MS,
      })
      underWay = { child, file }
      yieldTo(child.pid)
      const [told, code] = await Promise.all([child.stderr.text(), child.exited, child.stdout.text()])
      underWay = null
      if (code === 0) return { name, bytes: (await stat(file)).size }
      removeUnfinished(file, child.pid)
      if (isClosed) return null
      const reason = told.trim().replace(/\s*\n→ /, ': ')
      throw new Error(reason || `it was ended by ${child.signalCode ?? `exit status ${code}`}`)
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

/** What is in the way of that hides no other reason, and keeps no server from its end: it is done again before each backup. */
function leniently(remove: () => void): void {
  try {
    remove()
  } catch {}
}

function isBackupOf({ mark, oldestProjectId }: DatabaseIdentity, path: string): boolean {
  const name = basename(path)
  if (backupTime(name) === null) return false
  const found = backupMark(name)
  return found === null ? oldestProjectId !== null && readOldestProject(path) === oldestProjectId : found === mark
}

/** Tells whose a backup without a mark is: ids of projects are random. @returns null when there is none, or it is unreadable */
function readOldestProject(path: string): string | null {
  try {
    const backup = openFile(path, 'read')
    try {
      return (
        backup.query<{ id: string }, []>('SELECT id FROM projects ORDER BY created_at, id LIMIT 1').get()?.id ?? null
      )
    } finally {
      backup.close()
    }
  } catch {
    return null
  }
}

/** Whatever else the machine has to do goes before. */
function yieldTo(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or this system does not let us.
  }
}
