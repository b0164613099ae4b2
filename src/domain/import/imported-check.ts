/** Checks that are moved in, and what their logs say of their runs. */
import { type Instant, isBefore, Temporal } from '../../lib/time.ts'
import type { Check, StoredStatus } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import { spareIfOverdue } from '../check/status.ts'
import { type PastEvent, pastStep, unknownCheck } from '../ping/past-runs.ts'
import type { Ping } from '../ping/ping.ts'
import type { ImportedCheck } from './import-source.ts'

/** As many entries of a log tell the runs of a check: each run may have a start, and some pings end no run. */
export const ENTRIES_READ = 60

/** What an entry of the log tells of runs. */
export function eventOf({ kind, rid, receivedAt }: Ping): PastEvent {
  return { kind, rid, at: receivedAt }
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
  if (check.runs.length > 0) return check.runs
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

export interface SharedFlips {
  /** number of the newest flip here that the source has too */
  readonly keptFlips: number
  /** how much greater its number is here */
  readonly flipShift: number
}

/**
 * Where the flips of a check here and in the source part. The source may have removed old flips, so numbers are no help.
 * @param here the newest ones, in any order @param there all, in any order
 * @param removed number of the newest flip that the check has had here, and the time before which retention removes flips
 * @returns null if more was changed here since than time alone changes
 */
export function findSharedFlips(
  here: readonly Flip[],
  there: readonly Flip[],
  removed: { readonly nFlips: number; readonly before: Instant },
): SharedFlips | null {
  if (here.length === 0) return sharedButRemoved(there, removed)
  const known = new Map(there.map((flip) => [markOf(flip), flip.n]))
  const newestFirst = here.toSorted((a, b) => b.n - a.n)
  const shared = newestFirst.find((flip) => known.has(markOf(flip)))
  const later = newestFirst.filter(({ n }) => n > (shared?.n ?? 0))
  if (later.some(({ reason }) => reason !== 'timeout')) return null
  if (shared) return { keptFlips: shared.n, flipShift: shared.n - (known.get(markOf(shared)) ?? shared.n) }
  // None here but what time has made, or none that the source still has.
  const isWhole = later.length === here.length && newestFirst.at(-1)?.n === 1
  return isWhole ? { keptFlips: 0, flipShift: 0 } : null
}

/** None is here any more: those that the source still has and that are as old were here. */
function sharedButRemoved(
  there: readonly Flip[],
  { nFlips, before }: { readonly nFlips: number; readonly before: Instant },
): SharedFlips {
  const old = nFlips > 0 ? there.filter(({ createdAt }) => isBefore(createdAt, before)) : []
  return { keptFlips: nFlips, flipShift: nFlips - Math.max(0, ...old.map(({ n }) => n)) }
}

function markOf({ createdAt, newStatus }: Flip): string {
  return `${createdAt.epochNanoseconds} ${newStatus}`
}

export function isSameEntry(a: Pick<Ping, 'n' | 'kind' | 'receivedAt'>, b: Pick<Ping, 'n' | 'kind' | 'receivedAt'>) {
  return a.n === b.n && a.kind === b.kind && Temporal.Instant.compare(a.receivedAt, b.receivedAt) === 0
}
