/** Clears checks: one short transaction hides the log and the events, then retention removes them in steps. */
import { auditedCheck } from '../../domain/audit/subjects.ts'
import { cleared } from '../../domain/check/clear.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { clearAdvice } from '../advice/looks.ts'
import type { AuditTrail } from '../audit.ts'
import { endReminders } from '../channels/mailing-dates.ts'
import { writeState } from '../checks/check-changes.ts'
import { findCheck } from '../checks/checks.ts'
import { DELETE_PENDING } from '../checks/flips.ts'
import { endOpenIncident } from '../incidents/ends.ts'
import type { Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'
import { deleteEventsUntil } from './events.ts'
import { deleteEntries, listEntries } from './log-retention.ts'

/**
 * Makes the check new, see `cleared` in the domain. From then on no method finds its earlier pings and events, and their alerts are not
 * sent. `prune` removes them from disk later. It takes the same time regardless of the length of the log.
 * @returns the check as it is now; null if it does not exist
 */
export async function clearCheck(sql: Sql, trail: AuditTrail, id: string): Promise<CheckWithChannels | null> {
  await sql.lock('check', [id])
  const before = await findCheck(sql, id)
  if (!before) return null
  const after = { ...before, check: cleared(before.check) }
  await sql.run(DELETE_PENDING, [id])
  await endOpenIncident(sql, id, trail.author.at)
  await sql.run('DELETE FROM refused_signals WHERE check_id = $1', [id])
  await clearAdvice(sql, id, before.check.nPings, trail.author.at)
  const { rememberCleared, emptyLog } = sql.statements
  await sql.run(rememberCleared, [id, after.check.nEvents])
  if (emptyLog !== null) await sql.run(emptyLog, [id])
  await writeState(sql, after.check, null)
  if (before.check.status === 'down') {
    await sql.lock('reminders', [after.check.projectId])
    await endReminders(sql, after.check.projectId)
  }
  const audited = auditedCheck(after)
  // A check that is new already has a log that is lost.
  await trail.note(auditedCheck(before), { ...audited, values: { ...audited.values, cleared: true } })
  return after
}

/** The part of a cleared check to remove: pings and events up to these numbers. */
export interface ClearedCheck {
  readonly checkId: string
  readonly nPings: number
  readonly head: number | null
  readonly nEvents: number
}

export function findClearedChecks(sql: Sql, limit: number): Promise<ClearedCheck[]> {
  return sql.all<ClearedCheck>(sql.statements.clearedChecks, [limit])
}

/** Holds the row, as for deleted checks. */
const HOLD = 'UPDATE cleared_checks SET check_id = check_id WHERE check_id = $1 AND n_pings = $2'
const DONE = 'DELETE FROM cleared_checks WHERE check_id = $1 AND n_pings = $2 AND n_events = $3'

/** Removes the logs of cleared checks. Deletes the record of each last, so that it is found again after a failure. */
export async function removeCleared(
  steps: Steps,
  checks: readonly ClearedCheck[],
): Promise<{ readonly pings: number; readonly events: number }> {
  let [pings, events] = [0, 0]
  for (const { checkId, nPings, head, nEvents } of checks) {
    const hold = async (sql: Sql) => (await sql.run(HOLD, [checkId, nPings])) > 0
    // After a failure, ids of removed entries may belong to later pings of the check.
    const [entries = []] = await listEntries(steps, [{ checkId, head }])
    const old = entries.filter(({ n }) => n <= nPings)
    pings += await deleteEntries(steps, old, hold)
    events += await deleteEventsUntil(steps, checkId, nEvents, hold)
    await steps.runEach(DONE, [[checkId, nPings, nEvents]])
  }
  return { pings, events }
}
