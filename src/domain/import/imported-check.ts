/** Checks that are moved in, and what their logs say of their runs. */
import { type Instant, isBefore, Temporal } from '../../lib/time.ts'
import type { Check, StoredStatus } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import { spareIfOverdue } from '../check/status.ts'
import { type PastEvent, pastStep, unknownCheck } from '../log/past-runs.ts'
import type { Ping } from '../ping/ping.ts'
import type { ImportedCheck } from './import-source.ts'

/** As many entries of a log tell the runs of a check: each run may have a start, and some pings end no run. */
export const ENTRIES_READ = 60

/** What the log tells of runs with these entries after those: the newest {@link ENTRIES_READ}, oldest first. */
export function withEntries(events: readonly PastEvent[], pings: readonly Ping[]): PastEvent[] {
  const more = pings.map(({ kind, rid, receivedAt }) => ({ kind, rid, at: receivedAt }))
  return [...events, ...more].slice(-ENTRIES_READ)
}

/**
 * The run history after these events, which begin where it ends.
 * @param events oldest first
 */
export function runsAfter(check: Check, events: readonly PastEvent[]): Uint8Array {
  const { status, lastPingAt, lastStartAt, lastStartRid, runs } = check
  let after: Check = {
    ...unknownCheck(check, check.createdAt),
    ...{ status, lastPingAt, lastStartAt, lastStartRid, runs },
  }
  try {
    for (const event of events) after = pastStep(after, event).after
  } catch {
    // A schedule that cannot be read says nothing about runs. The check itself is reported where it is judged.
    return runs
  }
  return after.runs
}

/** The run history of a check of which only these entries of its log are known. */
export function runsOf(check: ImportedCheck, events: readonly PastEvent[]): Uint8Array {
  return runsAfter({ ...asCheck(check, ''), ...EMPTY_STATE }, events)
}

const EMPTY_STATE = { status: 'new' as StoredStatus, lastPingAt: null, lastStartAt: null, lastStartRid: null }

/** Nobody could ping it here before the move, so one that is overdue is spared, as after an outage. */
export function sparedCheck(check: Check, now: Instant): Check {
  try {
    return { ...check, ...spareIfOverdue(check, now) }
  } catch {
    return check
  }
}

export function asCheck({ channelIds: _, publicId, ...check }: ImportedCheck, projectId: string): Check {
  return { ...check, projectId, publicId: publicId ?? '' }
}

/** The state that a check has in the source, with the flips numbered as they are here. */
export function stateOf(source: ImportedCheck, nFlips: number): Partial<Check> {
  const { status, nPings, lastPingAt, lastSuccessAt, lastStartAt, lastStartRid, lastDuration } = source
  const state = { status, nPings, lastPingAt, lastSuccessAt, lastStartAt, lastStartRid, lastDuration }
  return { ...state, nFlips, sparedUntil: null }
}

interface SharedFlips {
  /** number of the newest flip here that the source has too */
  readonly keptFlips: number
  /** how much greater its number is here */
  readonly flipShift: number
}

interface KnownFlips {
  /** the newest ones of the check here, in any order; without those that retention has removed */
  readonly here: readonly Flip[]
  /** of the newest that the check ever had here */
  readonly nFlips: number
  /** all of the source, in the order of their numbers, which have no gap */
  readonly there: readonly Flip[]
  /** retention removes older ones */
  readonly keptSince: Instant
}

/**
 * Where the flips of a check here and in the source part. Both may have removed old flips, so numbers alone are no help.
 * @returns null if more was changed here since than time alone changes
 */
export function findSharedFlips({ here, nFlips, there, keptSince }: KnownFlips): SharedFlips | null {
  const known = new Map(there.map((flip) => [markOf(flip), flip.n]))
  const newestFirst = here.toSorted((a, b) => b.n - a.n)
  const shared = newestFirst.find((flip) => known.has(markOf(flip)))
  const later = newestFirst.filter(({ n }) => n > (shared?.n ?? 0))
  if (later.some(({ reason }) => reason !== 'timeout')) return null
  if (shared) return { keptFlips: shared.n, flipShift: shared.n - (known.get(markOf(shared)) ?? shared.n) }
  // Those before are too old to be here, and so are theirs.
  const keptFlips = (newestFirst.at(-1)?.n ?? nFlips + 1) - 1
  const newestOld = there.findLast(({ createdAt }) => isBefore(createdAt, keptSince))?.n ?? (there[0]?.n ?? 1) - 1
  return { keptFlips, flipShift: keptFlips - newestOld }
}

function markOf({ createdAt, newStatus }: Flip): string {
  return `${createdAt.epochNanoseconds} ${newStatus}`
}

/** Whatever their numbers. */
export function isSameFlip(a: Flip, b: Flip): boolean {
  return markOf(a) === markOf(b)
}

export function isSameEntry(a: Pick<Ping, 'n' | 'kind' | 'receivedAt'>, b: Pick<Ping, 'n' | 'kind' | 'receivedAt'>) {
  return a.n === b.n && a.kind === b.kind && Temporal.Instant.compare(a.receivedAt, b.receivedAt) === 0
}
