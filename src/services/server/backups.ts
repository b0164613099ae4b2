/**
 * Takes backups of the database one at a time, either on a schedule or when an administrator requests one. If there are too many
 * backups of a kind, the oldest are removed. The last success and the last failure are stored in the database.
 */
import { createHash } from 'node:crypto'
import { type Person, requireAdministrator } from '../../domain/actor.ts'
import {
  type BackupOrigin,
  type BackupPlan,
  backupDueAt,
  backupOrigin,
  backupsUntil,
  isBackupOld,
  type KeptBackup,
} from '../../domain/backup.ts'
import { Refusal } from '../../domain/errors.ts'
import { messageOf } from '../../lib/errors.ts'
import { addSeconds, type Instant, isBefore, isoSeconds } from '../../lib/time.ts'
import type { BackupRecord } from '../../store/store.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import type { BackupFigures } from '../common/ports/measurements.ts'
import { createTurns } from './backup-turn.ts'

/**
 * Seconds before a failed backup is retried. This gives the operator time to free disk space, and keeps a large database from being copied
 * over and over in vain.
 */
const RETRY_SECONDS = 900
/** Seconds until a scheduled backup rechecks whether the backup in progress has finished. */
const BUSY_SECONDS = 60

const IDENTITY = 'identity'
const MARK_LENGTH = 8

/**
 * Returns a mark that identifies a database. It is derived from a random string in the database and from the path. A copy of the database
 * at another path therefore has a different mark, so that neither server reuses the other's backup names or removes the other's backups. A
 * database that is restored to the same path keeps its mark.
 * @param path absolute path of the database file, with links resolved
 */
export async function databaseMark({ store, random }: Pick<Deps, 'store' | 'random'>, path: string): Promise<string> {
  const identity = await store.settings.getOrCreate(IDENTITY, Buffer.from(random.bytes(16)).toString('hex'))
  return createHash('sha256').update(`${identity} ${path}`).digest('hex').slice(0, MARK_LENGTH)
}

/** The directory where backups are stored. */
export interface BackupPlace {
  /** absolute path of the directory */
  readonly directory: string
  /** absolute path of the database file */
  readonly database: string
  /** Lists the backups of this database. @throws Error if the directory cannot be used */
  list(): Promise<readonly KeptBackup[]>
  /**
   * Returns the current size, in bytes, of a backup that is being written; null if there is none.
   * @throws Error if the directory cannot be used
   */
  bytesUnderWay(): Promise<number | null>
  /** Returns the name for a backup that starts at the given time. */
  nameOf(at: Instant, origin: BackupOrigin): Promise<string>
  /**
   * Takes a backup and verifies it.
   * @param at time at which the backup starts, which becomes part of its name
   * @returns null if the backup was cancelled because the server is stopping
   * @throws Error with the reason why the backup failed, and what to do about it
   */
  take(at: Instant, origin: BackupOrigin): Promise<KeptBackup | null>
  /** @param name name of a backup, from {@link list} */
  open(name: string): Blob
  remove(name: string): Promise<void>
  /** Cancels the current backup, and prevents further backups. Never rejects. */
  close(): Promise<void>
}

export interface SeenBackup extends KeptBackup {
  readonly at: Instant
  readonly origin: BackupOrigin
}

/** Information about the backups for administrators. */
export interface SeenBackups extends BackupRecord {
  readonly plan: BackupPlan
  readonly directory: string
  readonly database: string
  /** true if there has been no backup for a week */
  readonly isOld: boolean
  /** newest first */
  readonly kept: readonly SeenBackup[]
  /** why the directory cannot be read, and what to do about it; null if it can be read */
  readonly problem: string | null
  /** null if no backup is in progress */
  readonly underWay: { readonly bytes: number; readonly ofBytes: number } | null
}

export interface Backups {
  /**
   * Takes a backup if one is due, even if it became due while no server was running. A failure is logged and counted. If the backup
   * fails, older backups are kept.
   * @returns when to call this again; null if no backup is planned
   */
  runDue(): Promise<Instant | null>
  /** Starts a backup in the background. @returns false if another backup is in progress @throws Refusal `forbidden` */
  begin(by: Person): Promise<boolean>
  /** @throws Refusal `forbidden` */
  look(by: Person): Promise<SeenBackups>
  /** @throws Refusal `forbidden`, `not-found` */
  open(by: Person, name: string): Promise<Blob>
  close(): Promise<void>
}

type BackupDeps = Pick<Deps, 'store' | 'now' | 'random' | 'log' | 'stopwatch' | 'instance'>

export function createBackups(deps: BackupDeps, place: BackupPlace, plan: BackupPlan, figures: BackupFigures): Backups {
  const { store, now, log, stopwatch } = deps
  const turns = createTurns(deps)
  let byHand: Promise<void> | null = null
  let lastLookAt: Instant | null = null
  let nextLookAt: Instant | null = null

  const listed = async (at: Instant): Promise<SeenBackup[]> =>
    backupsUntil(await place.list(), at).map((backup) => ({ ...backup, origin: backupOrigin(backup.name) }))

  /** @returns false if the backup was cancelled */
  const take = async (at: Instant, origin: BackupOrigin): Promise<boolean> => {
    // If the database has been replaced with another file, a backup of that file must not displace the oldest good backup.
    await store.server.probe()
    const begun = stopwatch()
    const taken = await place.take(at, origin)
    if (taken === null) return false
    const { name, bytes } = taken
    const seconds = Math.round((stopwatch() - begun) * 10) / 10
    // The command has already recorded the backup, but with a timestamp from this machine's clock.
    await store.server.recordBackup({ at, bytes, seconds, file: `${place.directory}/${name}` })
    log('info', 'backup taken', { begunAt: isoSeconds(at), bytes, seconds: Math.round(seconds) })
    await prune(at, origin).catch((error) =>
      log('warning', 'old backups could not be removed', { reason: words(error) }),
    )
    return true
  }

  const prune = async (at: Instant, origin: BackupOrigin) => {
    const ofOrigin = (await listed(at)).filter((backup) => backup.origin === origin)
    for (const { name, at: begun } of ofOrigin.slice(plan.keep)) {
      await place.remove(name)
      log('debug', 'old backup removed', { begunAt: isoSeconds(begun) })
    }
  }

  const noteFailure = async (at: Instant, error: unknown, details = {}) => {
    figures.failures += 1
    const reason = words(error)
    log('error', 'backup failed; older backups are kept', { reason, ...details })
    await store.server
      .recordBackupFailure({ at, reason })
      .catch((unwritten) => log('warning', 'a failed backup could not be noted', { reason: words(unwritten) }))
  }

  const lookForDue = async (schedule: string, at: Instant): Promise<Instant | null> => {
    const dueAt = await nextDue(schedule, at)
    if (dueAt === null || isBefore(at, dueAt)) return dueAt
    const endTurn = await turns.take()
    if (endTurn === null) return addSeconds(at, BUSY_SECONDS)
    return takeDue(schedule, now()).finally(endTurn)
  }

  /** Rechecks whether the backup is due, because another instance may have taken it since the first check. */
  const takeDue = async (schedule: string, at: Instant): Promise<Instant | null> => {
    const dueAt = await nextDue(schedule, at)
    if (dueAt === null || isBefore(at, dueAt)) return dueAt
    return (await take(at, 'schedule')) ? backupDueAt(schedule, at, at) : null
  }

  const nextDue = async (schedule: string, at: Instant): Promise<Instant | null> => {
    const [newest] = await listed(at)
    if (newest) await noteFound(newest)
    return backupDueAt(schedule, newest?.at ?? null, at)
  }

  /** Records a backup file that an earlier version of Overdue created without recording it. */
  const noteFound = async ({ name, at, bytes }: SeenBackup) => {
    const { newest } = await store.server.findBackups()
    if (newest !== null && !isBefore(newest.at, at)) return
    await store.server.recordBackup({ at, bytes, seconds: null, file: `${place.directory}/${name}` })
  }

  return {
    async runDue() {
      const { schedule } = plan
      if (schedule === null) return null
      const at = now()
      // If the last check is in the future, the clock was set back, and the next check may be a long time away.
      const isAhead = lastLookAt !== null && isBefore(at, lastLookAt)
      if (!isAhead && nextLookAt !== null && isBefore(at, nextLookAt)) return nextLookAt
      lastLookAt = at
      try {
        nextLookAt = await lookForDue(schedule, at)
      } catch (error) {
        nextLookAt = addSeconds(at, RETRY_SECONDS)
        await noteFailure(at, error, { next_attempt: isoSeconds(nextLookAt) })
      }
      return nextLookAt
    },

    async begin(by) {
      requireAdministrator(by)
      const endTurn = await turns.take()
      if (endTurn === null) return false
      const at = now()
      try {
        await store.by(authorOf(deps, by)).backups.noteBegun(await place.nameOf(at, 'hand'))
      } catch (error) {
        await endTurn()
        throw error
      }
      byHand = take(at, 'hand')
        .then(() => {})
        .catch((error) => noteFailure(at, error))
        .finally(endTurn)
      return true
    },

    async look(by) {
      requireAdministrator(by)
      const at = now()
      const record = await store.server.findBackups()
      const { directory, database } = place
      const seen = { ...record, plan, directory, database, isOld: isOldIn(record, at) }
      try {
        const [kept, bytes] = [await listed(at), await place.bytesUnderWay()]
        const sizes = Object.values(await store.server.size())
        const underWay =
          bytes === null && !turns.isTaken()
            ? null
            : { bytes: bytes ?? 0, ofBytes: sizes.reduce((sum, size) => sum + size, 0) }
        return { ...seen, kept, problem: null, underWay }
      } catch (error) {
        return { ...seen, kept: [], problem: words(error), underWay: null }
      }
    },

    async open(by, name) {
      requireAdministrator(by)
      if (!(await place.list()).some((backup) => backup.name === name)) throw new Refusal('not-found', 'not found')
      await store.by(authorOf(deps, by)).backups.noteDownload(name)
      return place.open(name)
    },

    async close() {
      await place.close()
      await byHand
    },
  }
}

/** Returns true if the newest backup is older than a week, or if the database is older than a week and has no backup. */
export function isOldIn({ newest, usedSince }: BackupRecord, at: Instant): boolean {
  return isBackupOld(newest?.at ?? usedSince, at)
}

function words(error: unknown): string {
  return error instanceof Refusal ? error.reason : messageOf(error)
}
