/** Clears checks. One short transaction hides the log and the events, and retention later removes them step by step. */
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
 * Resets a check to new, see `cleared` in the domain. Afterwards, no method finds the check's earlier pings and events, and their alerts
 * are not sent. `prune` removes them from disk later. Takes the same time regardless of the log's length.
 * @returns the cleared check; null if it does not exist
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
  // The change is recorded even if the check is already new, because a log that it may have is lost.
  await trail.note(auditedCheck(before), { ...audited, values: { ...audited.values, cleared: true } })
  return after
}

/** The data of a cleared check that is still to be removed: pings and events up to these numbers. */
export interface ClearedCheck {
  readonly checkId: string
  readonly nPings: number
  readonly head: number | null
  readonly nEvents: number
}

export function findClearedChecks(sql: Sql, limit: number): Promise<ClearedCheck[]> {
  return sql.all<ClearedCheck>(sql.statements.clearedChecks, [limit])
}

/** The update keeps the row locked, as in `deleted-checks.ts`. */
const LOCK_ROW = 'UPDATE cleared_checks SET check_id = check_id WHERE check_id = $1 AND n_pings = $2'
const DONE = 'DELETE FROM cleared_checks WHERE check_id = $1 AND n_pings = $2 AND n_events = $3'

/** Removes the logs of cleared checks. Deletes each check's record last, so that the check is found again after a failure. */
export async function removeCleared(
  steps: Steps,
  checks: readonly ClearedCheck[],
): Promise<{ readonly pings: number; readonly events: number }> {
  let [pings, events] = [0, 0]
  for (const { checkId, nPings, head, nEvents } of checks) {
    const hold = async (sql: Sql) => (await sql.run(LOCK_ROW, [checkId, nPings])) > 0
    // After a failure, ids of entries that were already removed may have been reused for the check's later pings.
    const [entries = []] = await listEntries(steps, [{ checkId, head }])
    const old = entries.filter(({ n }) => n <= nPings)
    pings += await deleteEntries(steps, old, hold)
    events += await deleteEventsUntil(steps, checkId, nEvents, hold)
    await steps.runEach(DONE, [[checkId, nPings, nEvents]])
  }
  return { pings, events }
}
