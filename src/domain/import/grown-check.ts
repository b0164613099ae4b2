/** Updates checks from an earlier import after they have changed in the source. */
import { type Instant, isBefore, Temporal } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import type { PastEvent } from '../log/past-runs.ts'
import type { Ping } from '../ping/ping.ts'
import type { GrownCheck } from './import-plan.ts'
import { runsAfter, sparedCheck } from './imported-check.ts'

/**
 * Returns the stored check with its current state in the source.
 * @param events events in the source's log that this server did not have yet, oldest first
 */
export function grownCheck(
  stored: Check,
  { source, keptEvents, newFlips }: Pick<GrownCheck, 'source' | 'keptEvents' | 'newFlips'>,
  events: readonly PastEvent[],
  now: Instant,
): Check {
  const { status, nPings, lastPingAt, lastSuccessAt, lastStartAt, lastStartOccurredAt, lastStartRid, lastDuration } =
    source
  const started = { lastStartAt, lastStartOccurredAt, lastStartRid }
  const state = { status, nPings, lastPingAt, lastSuccessAt, ...started, lastDuration }
  const nEvents = newFlips.at(-1)?.n ?? keptEvents
  return sparedCheck({ ...stored, ...state, nEvents, sparedUntil: null, runs: runsAfter(stored, events) }, now)
}

interface SharedFlips {
  /** number of the newest event on this server that precedes the flips that the source lacks */
  readonly keptEvents: number
  /** difference between the number of a new flip on this server and its number in the source */
  readonly flipShift: number
}

interface KnownFlips {
  /** the newest flips of the check on this server, in any order; older ones may have been deleted after their retention period */
  readonly here: readonly Flip[]
  /** number of the newest event that the check has ever had on this server */
  readonly nEvents: number
  /** all flips in the source, sorted by number; other events may have the numbers in between */
  readonly there: readonly Flip[]
  /** this server deletes flips from before this time */
  readonly keptSince: Instant
}

/**
 * Finds the point at which the flips of a check on this server and in the source diverge. Numbers alone are not enough, because both may
 * have deleted old flips.
 * @returns null if a person or a ping has changed the check on this server since the import
 */
export function findSharedFlips({ here, nEvents, there, keptSince }: KnownFlips): SharedFlips | null {
  const known = new Map(there.map((flip) => [markOf(flip), flip.n]))
  const newestFirst = here.toSorted((a, b) => b.n - a.n)
  const shared = newestFirst.find((flip) => known.has(markOf(flip)))
  const later = newestFirst.filter(({ n }) => n > (shared?.n ?? 0))
  if (later.some(({ reason }) => reason !== 'timeout')) return null
  if (shared) {
    // Events after the last shared flip that are not flips are kept.
    const keptEvents = (later.at(-1)?.n ?? nEvents + 1) - 1
    const sharedThere = known.get(markOf(shared)) ?? shared.n
    const firstNew = there.find(({ n }) => n > sharedThere)
    const flipShift = shared.n - sharedThere
    // The numbers of events that exist only on this server are taken.
    return { keptEvents, flipShift: firstNew ? Math.max(flipShift, keptEvents + 1 - firstNew.n) : flipShift }
  }
  // Both this server and the source have deleted earlier flips because of their age.
  const keptEvents = (newestFirst.at(-1)?.n ?? nEvents + 1) - 1
  const newestOld = there.findLast(({ createdAt }) => isBefore(createdAt, keptSince))?.n ?? (there[0]?.n ?? 1) - 1
  return { keptEvents, flipShift: keptEvents - newestOld }
}

function markOf({ createdAt, newStatus }: Flip): string {
  return `${createdAt.epochNanoseconds} ${newStatus}`
}

/** Whether two flips are the same, apart from their numbers. */
export function isSameFlip(a: Flip, b: Flip): boolean {
  return markOf(a) === markOf(b)
}

export function isSameEntry(a: Pick<Ping, 'n' | 'kind' | 'receivedAt'>, b: Pick<Ping, 'n' | 'kind' | 'receivedAt'>) {
  return a.n === b.n && a.kind === b.kind && Temporal.Instant.compare(a.receivedAt, b.receivedAt) === 0
}
