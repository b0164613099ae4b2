/**
 * Backups that the server takes, by schedule and by hand: one at a time. It removes the oldest of each if there are too many, and the
 * database stores the last success and the last failure.
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

/** Seconds before a failed backup is tried again: long enough to free a disk, and not to copy a large database repeatedly in vain. */
const RETRY_SECONDS = 900
/** Seconds before a scheduled backup checks again whether another one has ended. */
const BUSY_SECONDS = 60

const IDENTITY = 'identity'
const MARK_LENGTH = 8

/**
 * Returns the mark of a database, which depends on a random text in it and on the path. So a copy that runs elsewhere has another mark:
 * neither uses the other's names or removes its backups. A database that is restored to the same path keeps its mark.
 * @param path absolute path of the database file, without links
 */
export async function databaseMark({ store, random }: Pick<Deps, 'store' | 'random'>, path: string): Promise<string> {
  const identity = await store.settings.getOrCreate(IDENTITY, Buffer.from(random.bytes(16)).toString('hex'))
  return createHash('sha256').update(`${identity} ${path}`).digest('hex').slice(0, MARK_LENGTH)
}

/** The folder of backups. */
export interface BackupPlace {
  /** absolute path */
  readonly directory: string
  /** absolute path of the database */
  readonly database: string
  /** Lists the backups of this database. @throws Error if the folder cannot be used */
  list(): Promise<readonly KeptBackup[]>
  /** Bytes of a copy that any process is writing; null if none is. @throws Error if the folder cannot be used */
  bytesUnderWay(): Promise<number | null>
  /** Returns the name of a backup that starts then. */
  nameOf(at: Instant, origin: BackupOrigin): Promise<string>
  /**
   * Takes a backup and verifies it.
   * @param at start of the backup, which is part of its name
   * @returns null if it was cancelled because the server stops
   * @throws Error with the reason and what to do
   */
  take(at: Instant, origin: BackupOrigin): Promise<KeptBackup | null>
  /** @param name the name of a backup from {@link list} */
  open(name: string): Blob
  remove(name: string): Promise<void>
  /** Cancels a backup in progress, and starts no other. Never rejects. */
  close(): Promise<void>
}

export interface SeenBackup extends KeptBackup {
  readonly at: Instant
  readonly origin: BackupOrigin
}

/** Backups as administrators see them. */
export interface SeenBackups extends BackupRecord {
  readonly plan: BackupPlan
  readonly directory: string
  readonly database: string
  /** true: there was no backup for a week */
  readonly isOld: boolean
  /** newest first */
  readonly kept: readonly SeenBackup[]
  /** why the folder cannot be read, and what to do; null: it can */
  readonly problem: string | null
  /** null: no backup is in progress */
  readonly underWay: { readonly bytes: number; readonly ofBytes: number } | null
}

export interface Backups {
  /**
   * Takes a backup if one is due, also one that was missed while no server ran. A failure is logged and counted; older backups are kept.
   * @returns when to call it again; null if none is planned
   */
  runDue(): Promise<Instant | null>
  /** Begins a backup, which continues after the call. @returns false: another one is in progress @throws Refusal `forbidden` */
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

  /** @returns false if it was cancelled */
  const take = async (at: Instant, origin: BackupOrigin): Promise<boolean> => {
    // If another file has replaced the database, its backup must not evict the oldest good one.
    await store.server.probe()
    const begun = stopwatch()
    const taken = await place.take(at, origin)
    if (taken === null) return false
    const { name, bytes } = taken
    const seconds = Math.round((stopwatch() - begun) * 10) / 10
    // The command has recorded it too, but by the clock of this machine.
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

  /** Checks again in its turn: another instance may have taken the backup since the first check. */
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

  /** Records a backup that a version without records may have taken. */
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
      // The last check is in the future: the clock was set back, so the next one may be far off.
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

/** Whether the newest backup is older than a week, or a database older than that has none. */
export function isOldIn({ newest, usedSince }: BackupRecord, at: Instant): boolean {
  return isBackupOld(newest?.at ?? usedSince, at)
}

function words(error: unknown): string {
  return error instanceof Refusal ? error.reason : messageOf(error)
}
