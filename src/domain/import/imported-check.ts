/** Prepares imported checks, and reconstructs their runs from their logs. */
import type { Instant } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import { spareIfOverdue } from '../check/status.ts'
import { type PastEvent, pastStep, unknownCheck } from '../log/past-runs.ts'
import type { Ping } from '../ping/ping.ts'
import type { ImportedCheck } from './import-source.ts'

/**
 * Number of log entries that are enough for a complete run history. It is larger than the history, because a run may have a separate start
 * ping, and some pings don't end a run.
 */
const ENTRIES_READ = 60

/** Adds log entries to a list of events. Returns the newest {@link ENTRIES_READ} events, oldest first. */
export function withEntries(events: readonly PastEvent[], pings: readonly Ping[]): PastEvent[] {
  const more = pings.map(({ kind, rid, receivedAt, occurredAt }) => ({ kind, rid, at: receivedAt, occurredAt }))
  return [...events, ...more].slice(-ENTRIES_READ)
}

/**
 * Returns the run history with these events added, all of which are newer than the current history.
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
    // Missed runs can't be determined without a valid schedule. The invalid schedule itself is reported elsewhere.
    return runs
  }
  return after.runs
}

/** Gives an overdue check additional time, as after an outage, because pings could not reach this server before the import. */
export function sparedCheck(check: Check, now: Instant): Check {
  try {
    return { ...check, ...spareIfOverdue(check, now) }
  } catch {
    return check
  }
}

/**
 * Converts an imported check to the form in which checks are stored.
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
