/** Checks from an earlier import that have continued in their source. */
import { type Instant, isBefore, Temporal } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import type { PastEvent } from '../log/past-runs.ts'
import type { Ping } from '../ping/ping.ts'
import type { GrownCheck } from './import-plan.ts'
import { runsAfter, sparedCheck } from './imported-check.ts'

/**
 * Returns the stored check with its current state in the source.
 * @param events events of the source's log that this server did not have, oldest first
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
  /** number of the newest event on this server before the flips that the source does not have */
  readonly keptEvents: number
  /** offset of the numbers of the source's new flips on this server */
  readonly flipShift: number
}

interface KnownFlips {
  /** the newest flips of the check on this server, in any order, without flips that retention has removed */
  readonly here: readonly Flip[]
  /** number of the newest event that the check has ever had on this server */
  readonly nEvents: number
  /** all flips of the source, in the order of their numbers; events that are not flips may have numbers in between */
  readonly there: readonly Flip[]
  /** retention removes flips from before this time */
  readonly keptSince: Instant
}

/**
 * Finds where the flips of a check diverge between this server and the source. Both may have removed old flips, so numbers alone are not
 * enough.
 * @returns null if more than time alone has changed the check on this server since
 */
export function findSharedFlips({ here, nEvents, there, keptSince }: KnownFlips): SharedFlips | null {
  const known = new Map(there.map((flip) => [markOf(flip), flip.n]))
  const newestFirst = here.toSorted((a, b) => b.n - a.n)
  const shared = newestFirst.find((flip) => known.has(markOf(flip)))
  const later = newestFirst.filter(({ n }) => n > (shared?.n ?? 0))
  if (later.some(({ reason }) => reason !== 'timeout')) return null
  if (shared) {
    // Events after the shared flip that are not flips are kept.
    const keptEvents = (later.at(-1)?.n ?? nEvents + 1) - 1
    const sharedThere = known.get(markOf(shared)) ?? shared.n
    const firstNew = there.find(({ n }) => n > sharedThere)
    const flipShift = shared.n - sharedThere
    // The numbers of events that only this server has are taken.
    return { keptEvents, flipShift: firstNew ? Math.max(flipShift, keptEvents + 1 - firstNew.n) : flipShift }
  }
  // Earlier flips are too old to be kept, on this server and in the source.
  const keptEvents = (newestFirst.at(-1)?.n ?? nEvents + 1) - 1
  const newestOld = there.findLast(({ createdAt }) => isBefore(createdAt, keptSince))?.n ?? (there[0]?.n ?? 1) - 1
  return { keptEvents, flipShift: keptEvents - newestOld }
}

function markOf({ createdAt, newStatus }: Flip): string {
  return `${createdAt.epochNanoseconds} ${newStatus}`
}

/** Compares flips regardless of their numbers. */
export function isSameFlip(a: Flip, b: Flip): boolean {
  return markOf(a) === markOf(b)
}

export function isSameEntry(a: Pick<Ping, 'n' | 'kind' | 'receivedAt'>, b: Pick<Ping, 'n' | 'kind' | 'receivedAt'>) {
  return a.n === b.n && a.kind === b.kind && Temporal.Instant.compare(a.receivedAt, b.receivedAt) === 0
}
