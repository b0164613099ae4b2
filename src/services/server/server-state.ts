/** Reads this server's state for the overview page: whether it monitors checks, its last outage, and the age of its backup. */
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import type { BackupRecord, Outage } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { isOldIn } from './backups.ts'

/** How long an outage is displayed, in seconds. The outage affects the spared checks for this long. */
const OUTAGE_TOLD_SECONDS = 86_400

export interface ServerState {
  /** true if overdue checks are currently detected without delay */
  readonly isWatching: boolean
  /** when this process last searched for overdue checks; null if it has not done so yet */
  readonly lastLookAt: Instant | null
  /** outage within the last day; null if there was none */
  readonly outage: Outage | null
  /** null if the database is not a file */
  readonly backup: BackupState | null
}

export interface BackupState {
  readonly newest: { readonly at: Instant; readonly bytes: number } | null
  /** time of the last failed attempt, if it is later than the newest backup; otherwise null */
  readonly failedAt: Instant | null
  /** true if there has been no backup for a week */
  readonly isOld: boolean
}

export async function readServerState(
  deps: Pick<Deps, 'store' | 'now' | 'stopwatch' | 'measurements'>,
): Promise<ServerState> {
  const { store, now, stopwatch, measurements } = deps
  const figures = measurements.loops.get('overdue')
  const at = stopwatch()
  const lastSuccess = figures?.lastSuccess ?? null
  const isWatching = figures !== undefined && at - (lastSuccess ?? figures.started) < figures.patienceSeconds
  const outage = await store.server.findOutage()
  const isRecent = outage !== null && !isBefore(outage.until, addSeconds(now(), -OUTAGE_TOLD_SECONDS))
  return {
    isWatching,
    lastLookAt: lastSuccess === null ? null : now().subtract({ milliseconds: Math.round((at - lastSuccess) * 1000) }),
    outage: isRecent ? outage : null,
    backup: await readBackupState({ store, now, measurements }),
  }
}

/** @returns null if the database is not a file */
export async function readBackupState({
  store,
  now,
  measurements,
}: Pick<Deps, 'store' | 'now' | 'measurements'>): Promise<BackupState | null> {
  if (measurements.backups === null) return null
  const record = await store.server.findBackups()
  return { newest: record.newest, failedAt: failedAtIn(record), isOld: isOldIn(record, now()) }
}

function failedAtIn({ newest, failure }: BackupRecord): Instant | null {
  return failure !== null && (newest === null || isBefore(newest.at, failure.at)) ? failure.at : null
}
