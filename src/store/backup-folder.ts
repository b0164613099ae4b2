/**
 * The folder in which a server keeps its backups. Each is made by a process of its own, since the engine blocks the
 * thread that copies, and pings are not to wait for that.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { backupTime, type KeptBackup } from '../domain/backup.ts'
import { isSameFile } from './backup-file.ts'
import { isUnfinished } from './unfinished.ts'

/** Far more than any copy takes; what hangs for longer is ended. */
const LONGEST_MS = 3_600_000

export interface BackupFolderOptions {
  readonly directory: string
  /** the database, a file path */
  readonly database: string
  /** how to run this program; followed by the words of the command that backs up */
  readonly program: readonly string[]
  /** what that program gets to see of our environment */
  readonly environment: Readonly<Record<string, string>>
}

export interface BackupFolder {
  /** Its backups, never the database itself; makes the folder where there is none. @throws when it cannot be used */
  list(): Promise<KeptBackup[]>
  /**
   * @returns null when it was cut off by {@link close}
   * @throws Error with the reason and what to do
   */
  take(name: string): Promise<KeptBackup | null>
  remove(name: string): Promise<void>
  /** Ends a backup that is under way, and takes no more. Never rejects. */
  close(): Promise<void>
}

export function createBackupFolder({ directory, database, program, environment }: BackupFolderOptions): BackupFolder {
  let child: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | null = null
  let isClosed = false
  const path = (name: string) => join(resolve(directory), name)

  /** What is in the way of that hides no other reason, and keeps no server from its end: it is done again before each backup. */
  const removeUnfinished = async () => {
    try {
      const left = (await readdir(directory)).filter((name) => isUnfinished(name, isBackup))
      for (const name of left) await rm(path(name), { force: true })
    } catch {}
  }

  return {
    async list() {
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        // A database in this folder may be called like a backup, such as one that was copied back by hand.
        const isKept = (name: string) => isBackup(name) && !isSameFile(path(name), database)
        const names = (await readdir(directory)).filter(isKept)
        return await Promise.all(names.map(async (name) => ({ name, bytes: (await stat(path(name))).size })))
      } catch (error) {
        const hint = 'see that BACKUP_DIRECTORY names a folder that this user may read and write'
        throw new Error(`${error instanceof Error ? error.message : error}: ${hint}`, { cause: error })
      }
    },

    async take(name) {
      if (isClosed) return null
      await removeUnfinished()
      if (isClosed) return null
      child = Bun.spawn([...program, 'backup', path(name), '--json'], {
        env: { ...environment, DATABASE_URL: `sqlite:${resolve(database)}` },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
        timeout: LONGEST_MS,
      })
      yieldTo(child.pid)
      const [told, code] = await Promise.all([child.stderr.text(), child.exited, child.stdout.text()])
      const { signalCode } = child
      child = null
      if (code === 0) return { name, bytes: (await stat(path(name))).size }
      await removeUnfinished()
      if (isClosed) return null
      const reason = told.trim().replace(/\s*\n→ /, ': ')
      throw new Error(reason || `it was ended by ${signalCode ?? `exit status ${code}`}`)
    },

    remove: (name) => rm(path(name), { force: true }),

    async close() {
      isClosed = true
      if (child === null) return
      child.kill()
      await child.exited
      await removeUnfinished()
    },
  }
}

function isBackup(name: string): boolean {
  return backupTime(name) !== null
}

/** Whatever else the machine has to do goes before. */
function yieldTo(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or this system does not let us.
  }
}
