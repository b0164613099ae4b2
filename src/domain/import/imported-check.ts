/** Prepares imported checks, and reconstructs their runs from their logs. */
import type { Instant } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import { spareIfOverdue } from '../check/status.ts'
import { type PastEvent, pastStep, unknownCheck } from '../log/past-runs.ts'
import type { Ping } from '../ping/ping.ts'
import type { ImportedCheck } from './import-source.ts'

/** Number of log entries that suffice for a run history. A run may also have a start, and some pings end no run. */
const ENTRIES_READ = 60

/** Adds log entries to a list of events. Returns the newest {@link ENTRIES_READ} events, oldest first. */
export function withEntries(events: readonly PastEvent[], pings: readonly Ping[]): PastEvent[] {
  const more = pings.map(({ kind, rid, receivedAt, occurredAt }) => ({ kind, rid, at: receivedAt, occurredAt }))
  return [...events, ...more].slice(-ENTRIES_READ)
}

/**
 * Returns the run history after these events, which happened after the current history.
 * @param events oldest first
 */
export function runsAfter(check: Check, events: readonly PastEvent[]): Uint8Array {
  const { status, lastPingAt, lastStartAt, lastStartOccurredAt, lastStartRid, runs } = check
  let after: Check = {
    ...unknownCheck(check, check.createdAt),
    ...{ status, lastPingAt, lastStartAt, lastStartOccurredAt, lastStartRid, runs },
  }
  try {
    for (const event of events) after = pastStep(after, event).after
  } catch {
    // Without a valid schedule, missed runs can't be determined. The invalid schedule itself is reported elsewhere.
    return runs
  }
  return after.runs
}

/** Gives an overdue check additional time, as after an outage, because no ping could reach this server before the move. */
export function sparedCheck(check: Check, now: Instant): Check {
  try {
    return { ...check, ...spareIfOverdue(check, now) }
  } catch {
    return check
  }
}

/**
 * Returns an imported check in the form in which it is stored.
 * @param drawnId public id to use unless the check already has one
 */
export function madeCheck(
  imported: ImportedCheck,
  projectId: string,
  drawnId: string,
  now: Instant,
): CheckWithChannels {
  const { channelIds, publicId, ...known } = imported
  return { check: sparedCheck({ ...known, projectId, publicId: publicId ?? drawnId }, now), channelIds }
}
