/** Backups by the server itself: one whenever the schedule says so, and no more kept than are wanted. */
import { createHash } from 'node:crypto'
import { type BackupPlan, backupDueAt, backupsUntil, type DatabaseIdentity, type KeptBackup } from '../domain/backup.ts'
import { Refusal } from '../domain/errors.ts'
import { addSeconds, type Instant, isBefore, isoSeconds } from '../domain/time.ts'
import type { Deps } from './deps.ts'
import type { BackupFigures } from './measurements.ts'

/** Long enough for somebody to free a disk, and not to copy a large database over and over in vain. */
const RETRY_SECONDS = 900

const IDENTITY = 'identity'
const MARK_LENGTH = 8

/**
 * A random text that is made once and stays in the database, together with its place: a copy that runs elsewhere has
 * another mark, and so neither uses the other's names nor removes its backups. One that is restored to the old place goes on.
 * @param path of the database file, absolute and without links
 */
export async function identifyDatabase(
  { store, random }: Pick<Deps, 'store' | 'random'>,
  path: string,
): Promise<DatabaseIdentity> {
  const identity = await store.settleSetting(IDENTITY, Buffer.from(random.bytes(16)).toString('hex'))
  const mark = createHash('sha256').update(`${identity} ${path}`).digest('hex').slice(0, MARK_LENGTH)
  const [oldest] = await store.listProjects()
  return { mark, oldestProjectId: oldest?.id ?? null }
}

/** Where backups are kept. */
export interface BackupPlace {
  /** Those of this database. @throws when it cannot be used */
  list(): Promise<readonly KeptBackup[]>
  /**
   * Makes one, whole and checked.
   * @param at when it is begun, which its name tells
   * @returns null when it was cut off since the server ends
   * @throws Error with the reason and what to do
   */
  take(at: Instant): Promise<KeptBackup | null>
  remove(name: string): Promise<void>
}

/**
 * @returns the work of the loop: takes a backup when one is due, also one that was missed while no server ran. A failure
 * is logged and counted, and leaves what there is alone. It gives the time of the next look; null when none is to come.
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
    // Another file that lies where the database was must not take the place of its oldest backup.
    await store.ping()
    const begun = stopwatch()
    const taken = await place.take(at)
    if (taken === null) return null
    figures.succeeded(at, taken.bytes)
    log('info', 'backup taken', {
      begunAt: isoSeconds(at),
      bytes: taken.bytes,
      seconds: Math.round(stopwatch() - begun),
    })
    await prune(at).catch((error) => log('warning', 'old backups cannot be removed', { reason: words(error) }))
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
    // A last look that lies ahead: the clock was put back, and so the next one may be far off.
    const isAhead = lastLookAt !== null && isBefore(at, lastLookAt)
    if (!isAhead && nextLookAt !== null && isBefore(at, nextLookAt)) return nextLookAt
    lastLookAt = at
    try {
      nextLookAt = await look(at)
    } catch (error) {
      nextLookAt = addSeconds(at, RETRY_SECONDS)
      figures.failed(at)
      log('error', 'the backup failed, older ones are kept', {
        reason: words(error),
        next_attempt: isoSeconds(nextLookAt),
      })
    }
    return nextLookAt
  }
}

function words(error: unknown): string {
  if (error instanceof Refusal) return error.reason
  return error instanceof Error ? error.message : String(error)
}
