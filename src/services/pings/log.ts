/** Reads a check's log in pages. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { certainRuns } from '../../domain/log/runs.ts'
import type { LogLine } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { LOOK_BACK } from './pings.ts'

export interface TimedLine extends Omit<LogLine, 'bodyStart'> {
  /** duration of the run that this ping ended, in microseconds; null if it did not end a run */
  readonly duration: number | null
}

/**
 * Number of bytes to read of each body. None are read here, because a log may contain many long bodies. `last-lines.ts` reads the parts
 * that lists show.
 */
const NO_BODIES = 0

/** A page of a log. */
interface LogPage {
  /** newest first */
  readonly entries: readonly TimedLine[]
  /** `before` value for the page with older entries; null if there are no older entries */
  readonly older: number | null
}

/**
 * Reads a page of the log, within the project's limit.
 * @param before ping number; only earlier entries are read; if omitted, the newest entries are read
 */
export async function readLog(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  check: Check,
  { before = null, limit }: { readonly before?: number | null; readonly limit: number },
): Promise<LogPage> {
  requireRight(actor, 'read', check)
  const read = await store.pings.readLog(check.id, before, limit + LOOK_BACK, NO_BODIES)
  const durations = certainRuns(read.toReversed(), check.graceSeconds)
  const newest = Math.max(check.nPings, read[0]?.n ?? 0)
  const kept = read.filter(({ n }) => n > newest - actor.project.pingLogLimit)
  const entries = kept
    .slice(0, limit)
    .map(({ bodyStart: _, ...entry }) => ({ ...entry, duration: durations.get(entry.n) ?? null }))
  return { entries, older: kept.length > limit ? (entries.at(-1)?.n ?? null) : null }
}
