/**
 * Backups that the server takes, by schedule and by hand: one at a time. It removes the oldest of each when there are more than
 * wanted, and the database remembers the last success and the last failure.
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

/** Long enough to free a disk, and not to copy a large database over and over in vain. */
const RETRY_SECONDS = 900
/** Until a scheduled backup looks again whether another one has ended. */
const BUSY_SECONDS = 60

const IDENTITY = 'identity'
const MARK_LENGTH = 8

/**
 * The mark depends on a random text in the database and on the path. So a copy that runs elsewhere has another mark: neither
 * uses the other's names or removes its backups. A database that is restored to the same path keeps its mark.
 * @param path of the database file, absolute and without links
 */
export async function databaseMark({ store, random }: Pick<Deps, 'store' | 'random'>, path: string): Promise<string> {
  const identity = await store.settings.getOrCreate(IDENTITY, Buffer.from(random.bytes(16)).toString('hex'))
  return createHash('sha256').update(`${identity} ${path}`).digest('hex').slice(0, MARK_LENGTH)
}

/** Where backups are kept. */
export interface BackupPlace {
  /** absolute */
  readonly directory: string
  /** absolute path of the database */
  readonly database: string
  /** The backups of this database. @throws Error when the place cannot be used */
  list(): Promise<readonly KeptBackup[]>
  /** Bytes of a copy that some process is writing; null if none is. @throws Error when the place cannot be used */
  bytesUnderWay(): Promise<number | null>
  /** The name of a backup that starts then. */
  nameOf(at: Instant, origin: BackupOrigin): Promise<string>
  /**
   * Takes a backup and checks that it is whole.
   * @param at when it starts; its name says so
   * @returns null when it was cancelled because the server stops
   * @throws Error with the reason and what to do
   */
  take(at: Instant, origin: BackupOrigin): Promise<KeptBackup | null>
  /** @param name of a backup that {@link list} has named */
  open(name: string): Blob
  remove(name: string): Promise<void>
  /** Ends a backup that is under way, and starts no other. Never rejects. */
  close(): Promise<void>
}

export interface SeenBackup extends KeptBackup {
  readonly at: Instant
  readonly origin: BackupOrigin
}

/** What administrators see of backups. */
export interface SeenBackups extends BackupRecord {
  readonly plan: BackupPlan
  readonly directory: string
  readonly database: string
  /** true: there was none for a week */
  readonly isOld: boolean
  /** newest first */
  readonly kept: readonly SeenBackup[]
  /** why the folder cannot be read, and what to do; null: it can */
  readonly problem: string | null
  /** null: none is */
  readonly underWay: { readonly bytes: number; readonly ofBytes: number } | null
}

export interface Backups {
  /**
   * Takes a backup when one is due, also one that was missed while no server ran. A failure is logged and counted; older backups
   * stay. @returns when to call it again; null when none is planned
   */
  runDue(): Promise<Instant | null>
  /** Begins a backup, which goes on after the call. @returns false: another one is under way @throws Refusal `forbidden` */
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

  /** @returns false when it was cancelled */
  const take = async (at: Instant, origin: BackupOrigin): Promise<boolean> => {
    // If another file has replaced the database, its backup must not push out the oldest good one.
    await store.server.probe()
    const begun = stopwatch()
    const taken = await place.take(at, origin)
    if (taken === null) return false
    const { name, bytes } = taken
    const seconds = Math.round((stopwatch() - begun) * 10) / 10
    // The command has noted it too, but by the clock of this machine.
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

  /** Looks again in its turn: another instance may have taken the backup since the first look. */
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

  /** A version that noted nothing may have taken it. */
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
      // The last look is in the future: the clock was set back, so the next one may be far off.
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

/** Whether the newest backup is older than a week, or a database that is older than that has none. */
export function isOldIn({ newest, usedSince }: BackupRecord, at: Instant): boolean {
  return isBackupOld(newest?.at ?? usedSince, at)
}

function words(error: unknown): string {
  return error instanceof Refusal ? error.reason : messageOf(error)
}
