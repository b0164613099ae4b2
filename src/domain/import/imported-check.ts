/** Checks that are moved in, and what their logs say of their runs. */
import type { Instant } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import { spareIfOverdue } from '../check/status.ts'
import { type PastEvent, pastStep, unknownCheck } from '../log/past-runs.ts'
import type { Ping } from '../ping/ping.ts'
import type { ImportedCheck } from './import-source.ts'

/** As many entries of a log tell the runs of a check: each run may have a start, and some pings end no run. */
const ENTRIES_READ = 60

/** What the log tells of runs with these entries after those: the newest {@link ENTRIES_READ}, oldest first. */
export function withEntries(events: readonly PastEvent[], pings: readonly Ping[]): PastEvent[] {
  const more = pings.map(({ kind, rid, receivedAt, occurredAt }) => ({ kind, rid, at: receivedAt, occurredAt }))
  return [...events, ...more].slice(-ENTRIES_READ)
}

/**
 * The run history after these events, which begin where it ends.
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
    // A schedule that cannot be read says nothing about runs. The check itself is reported where it is judged.
    return runs
  }
  return after.runs
}

/** Nobody could ping it here before the move, so one that is overdue is spared, as after an outage. */
export function sparedCheck(check: Check, now: Instant): Check {
  try {
    return { ...check, ...spareIfOverdue(check, now) }
  } catch {
    return check
  }
}

/** A check as it is stored with its project. @param drawnId the public id that it gets, unless it has one */
export function madeCheck(
  imported: ImportedCheck,
  projectId: string,
  drawnId: string,
  now: Instant,
): CheckWithChannels {
  const { channelIds, publicId, ...known } = imported
  return { check: sparedCheck({ ...known, projectId, publicId: publicId ?? drawnId }, now), channelIds }
}
