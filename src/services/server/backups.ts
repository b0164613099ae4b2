/** Scheduled backups: takes one when it is due, and removes the oldest when there are more than wanted. */
import { createHash } from 'node:crypto'
import { type BackupPlan, backupDueAt, backupsUntil, type KeptBackup } from '../../domain/backup.ts'
import { Refusal } from '../../domain/errors.ts'
import { messageOf } from '../../lib/errors.ts'
import { addSeconds, type Instant, isBefore, isoSeconds } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import type { BackupFigures } from '../common/ports/measurements.ts'

/** Long enough to free a disk, and not to copy a large database over and over in vain. */
const RETRY_SECONDS = 900

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
  /** The backups of this database. @throws Error when the place cannot be used */
  list(): Promise<readonly KeptBackup[]>
  /**
   * Takes a backup and checks that it is whole.
   * @param at when it starts; its name says so
   * @returns null when it was cancelled because the server stops
   * @throws Error with the reason and what to do
   */
  take(at: Instant): Promise<KeptBackup | null>
  remove(name: string): Promise<void>
}

/**
 * @returns the job of the loop. It takes a backup when one is due, also one that was missed while no server ran. A failure
 * is logged and counted; older backups stay. It returns when to call it again; null when no backup is planned.
 */
export function createBackups(
  { store, now, log, stopwatch }: Pick<Deps, 'store' | 'now' | 'log' | 'stopwatch'>,
  place: BackupPlace,
  plan: BackupPlan,
  figures: BackupFigures,
): () => Promise<Instant | null> {
  let lastLookAt: Instant | null = null
  let nextLookAt: Instant | null = null

  const look = async (at: Instant): Promise<Instant | null> => {
    const [newest] = backupsUntil(await place.list(), at)
    if (newest) figures.succeeded(newest.at, newest.bytes)
    const dueAt = backupDueAt(plan, newest?.at ?? null, at)
    if (dueAt === null || isBefore(at, dueAt)) return dueAt
    // If another file has replaced the database, its backup must not push out the oldest good one.
    await store.server.probe()
    const begun = stopwatch()
    const taken = await place.take(at)
    if (taken === null) return null
    figures.succeeded(at, taken.bytes)
    log('info', 'backup taken', {
      begunAt: isoSeconds(at),
      bytes: taken.bytes,
      seconds: Math.round(stopwatch() - begun),
    })
    await prune(at).catch((error) => log('warning', 'old backups could not be removed', { reason: words(error) }))
    return backupDueAt(plan, at, at)
  }

  const prune = async (at: Instant) => {
    const [, ...older] = backupsUntil(await place.list(), at)
    for (const { name, at: begun } of older.slice(plan.keep - 1)) {
      await place.remove(name)
      log('debug', 'old backup removed', { begunAt: isoSeconds(begun) })
    }
  }

  return async () => {
    const at = now()
    // The last look is in the future: the clock was set back, so the next one may be far off.
    const isAhead = lastLookAt !== null && isBefore(at, lastLookAt)
    if (!isAhead && nextLookAt !== null && isBefore(at, nextLookAt)) return nextLookAt
    lastLookAt = at
    try {
      nextLookAt = await look(at)
    } catch (error) {
      nextLookAt = addSeconds(at, RETRY_SECONDS)
      figures.failed(at)
      log('error', 'backup failed; older backups are kept', {
        reason: words(error),
        next_attempt: isoSeconds(nextLookAt),
      })
    }
    return nextLookAt
  }
}

function words(error: unknown): string {
  return error instanceof Refusal ? error.reason : messageOf(error)
}
