/** Updates checks that were imported earlier and have changed in the source since then. */
import { type Instant, isBefore, Temporal } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import type { PastEvent } from '../log/past-runs.ts'
import type { Ping } from '../ping/ping.ts'
import type { GrownCheck } from './import-plan.ts'
import { runsAfter, sparedCheck } from './imported-check.ts'

/**
 * Returns the stored check, updated to its current state in the source.
 * @param events events from the source's log that are not on this server yet, oldest first
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
  /** number of the newest event on this server that precedes the missing flips */
  readonly keptEvents: number
  /** difference between the number of a new flip on this server and its number in the source */
  readonly flipShift: number
}

interface KnownFlips {
  /** the check's newest flips on this server, in any order; older ones may have been deleted after their retention period */
  readonly here: readonly Flip[]
  /** highest event number that the check has ever had on this server */
  readonly nEvents: number
  /** all of the check's flips in the source, sorted by number; other events may have the numbers in between */
  readonly there: readonly Flip[]
  /** this server deletes flips that are older than this time */
  readonly keptSince: Instant
}

/**
 * Finds the point at which a check's flips on this server and in the source diverge. Numbers alone are not enough, because old flips may
 * have been deleted on both sides.
 * @returns null if a user or a ping has changed the check on this server since the import
 */
export function findSharedFlips({ here, nEvents, there, keptSince }: KnownFlips): SharedFlips | null {
  const known = new Map(there.map((flip) => [markOf(flip), flip.n]))
  const newestFirst = here.toSorted((a, b) => b.n - a.n)
  const shared = newestFirst.find((flip) => known.has(markOf(flip)))
  const later = newestFirst.filter(({ n }) => n > (shared?.n ?? 0))
  if (later.some(({ reason }) => reason !== 'timeout')) return null
  if (shared) {
    // Events after the last shared flip are kept if they are not flips.
    const keptEvents = (later.at(-1)?.n ?? nEvents + 1) - 1
    const sharedThere = known.get(markOf(shared)) ?? shared.n
    const firstNew = there.find(({ n }) => n > sharedThere)
    const flipShift = shared.n - sharedThere
    // The numbers of events that exist only on this server can't be reused.
    return { keptEvents, flipShift: firstNew ? Math.max(flipShift, keptEvents + 1 - firstNew.n) : flipShift }
  }
  // Earlier flips have been deleted because of their age, both on this server and in the source.
  const keptEvents = (newestFirst.at(-1)?.n ?? nEvents + 1) - 1
  const newestOld = there.findLast(({ createdAt }) => isBefore(createdAt, keptSince))?.n ?? (there[0]?.n ?? 1) - 1
  return { keptEvents, flipShift: keptEvents - newestOld }
}

function markOf({ createdAt, newStatus }: Flip): string {
  return `${createdAt.epochNanoseconds} ${newStatus}`
}

/** Whether two flips are equal except for their numbers. */
export function isSameFlip(a: Flip, b: Flip): boolean {
  return markOf(a) === markOf(b)
}

export function isSameEntry(a: Pick<Ping, 'n' | 'kind' | 'receivedAt'>, b: Pick<Ping, 'n' | 'kind' | 'receivedAt'>) {
  return a.n === b.n && a.kind === b.kind && Temporal.Instant.compare(a.receivedAt, b.receivedAt) === 0
}
