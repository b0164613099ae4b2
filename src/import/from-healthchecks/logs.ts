/** Converts Healthchecks' logs: pings, flips, and the run history that is derived from pings and flips. */

import type { StoredStatus } from '../../domain/check/check.ts'
import type { Flip, FlipReason } from '../../domain/check/flip.ts'
import { type PastEvent, type PastPause, pastRuns } from '../../domain/log/past-runs.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import { type PingKind, userAgent } from '../../domain/ping/signal.ts'
import { type Instant, isBefore } from '../../lib/time.ts'
import { mapTiming } from './checks.ts'
import type { LoggedPing, SourceRow } from './tables.ts'
import { addressOf, cut, instantOf, integerOf, textOf, uuidOf } from './values.ts'

/** Maximum length of these columns, which SQLite does not enforce. */
const WORD_LIMIT = 10

/** @returns null if the ping has no time */
export function mapPing({ row, body }: LoggedPing, checkId: string): Ping | null {
  const receivedAt = instantOf(row.created)
  const n = integerOf(row.n)
  if (receivedAt === null || n === null) return null
  return {
    checkId,
    n,
    receivedAt,
    occurredAt: null,
    kind: pingKind(row.kind),
    exitStatus: integerOf(row.exitstatus),
    rid: uuidOf(row.rid),
    scheme: cut(textOf(row.scheme), WORD_LIMIT),
    method: cut(textOf(row.method), WORD_LIMIT),
    ua: userAgent(textOf(row.ua)),
    remoteAddr: addressOf(row.remote_addr),
    body,
    contentType: null,
    ignoredBy: null,
  }
}

const KINDS: readonly PingKind[] = ['start', 'fail', 'log', 'ign']

/**
 * Converts the kind of a ping. Before v4.0, the kind of a success was an empty string. Unknown kinds from newer versions have no effect.
 */
function pingKind(kind: SourceRow[string]): PingKind {
  if (kind === null || kind === undefined || kind === '' || kind === 'success') return 'success'
  return KINDS.find((known) => known === kind) ?? 'ign'
}

const STATUSES: readonly StoredStatus[] = ['new', 'up', 'down', 'paused']
const REASONS: readonly FlipReason[] = ['timeout', 'fail']

/** @param n number of the flip; Healthchecks does not number flips, so the caller counts them in chronological order */
export function mapFlip(row: SourceRow, checkId: string, n: number, otherwise: Instant): Flip {
  const status = (cell: SourceRow[string]) => STATUSES.find((known) => known === cell) ?? 'new'
  return {
    checkId,
    n,
    createdAt: instantOf(row.created) ?? otherwise,
    oldStatus: status(row.old_status),
    newStatus: status(row.new_status),
    reason: REASONS.find((known) => known === row.reason) ?? '',
  }
}

/** Number of pings to read to find the last runs. A run may also have a start ping, and some pings do not end a run. */
export const PINGS_OF_RUNS = 60

/** @param pings newest first @param flips flips of the check, in order */
export function mapRuns(
  check: SourceRow,
  createdAt: Instant,
  pings: readonly SourceRow[],
  flips: readonly Flip[],
): Uint8Array {
  const entries = pings.toReversed().flatMap((row): PastEvent[] => {
    const at = instantOf(row.created)
    return at === null ? [] : [{ kind: pingKind(row.kind), rid: uuidOf(row.rid), at }]
  })
  const oldest = entries[0]?.at
  if (oldest === undefined) return new Uint8Array(0)
  const pauses = flips.flatMap(({ newStatus, createdAt: at }): PastPause[] => {
    if (isBefore(at, oldest)) return []
    if (newStatus === 'paused') return [{ kind: 'pause', at }]
    return newStatus === 'new' ? [{ kind: 'resume', at }] : []
  })
  const compare = (a: PastEvent, b: PastEvent) => (isBefore(a.at, b.at) ? -1 : isBefore(b.at, a.at) ? 1 : 0)
  // The sort is stable, so the flip comes first at equal times.
  return pastRuns(mapTiming(check), createdAt, [...pauses, ...entries].toSorted(compare))
}
