/** Clears checks: one short transaction hides the log and the flips, then retention removes them in steps. */
import { auditedCheck } from '../../domain/audit/subjects.ts'
import { cleared } from '../../domain/check/clear.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { AuditTrail } from '../audit.ts'
import { CHECKS } from '../check-rows.ts'
import { findCheck, writeState } from '../checks.ts'
import type { Sql } from '../database.ts'
import { DELETE_PENDING } from '../deliveries.ts'
import { endReminders } from '../mail/mailing-dates.ts'
import { deleteFlipsUntil } from './deleted-checks.ts'
import { deleteEntries, listEntries } from './log-retention.ts'
import type { Steps } from './steps.ts'

// Without a ping since it was last cleared, there is nothing more in the log.
const REMEMBER = `
  INSERT INTO cleared_checks (check_id, n_pings, last_ping_id, n_flips)
  SELECT id, n_pings, last_ping_id, $2 FROM ${CHECKS} WHERE id = $1
  ON CONFLICT (check_id, n_pings) DO UPDATE SET n_flips = excluded.n_flips`
const EMPTY_LOG = `
  UPDATE counters SET last_ping_id = NULL WHERE counter_id = (SELECT counter_id FROM checks WHERE id = $1)`

/** Takes the same time however long the log is. @returns null if there is no such check */
export async function clearCheck(sql: Sql, id: string, trail: AuditTrail): Promise<CheckWithChannels | null> {
  await sql.lock('check', [id])
  const before = await findCheck(sql, id)
  if (!before) return null
  const after = { ...before, check: cleared(before.check) }
  await sql.run(DELETE_PENDING, [id])
  await sql.run(REMEMBER, [id, after.check.nFlips])
  await sql.run(EMPTY_LOG, [id])
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

/** What is to be removed: pings and flips up to these numbers. */
export interface ClearedCheck {
  readonly checkId: string
  readonly nPings: number
  readonly lastPingId: number | null
  readonly nFlips: number
}

const CLEARED = `
  SELECT check_id AS "checkId", n_pings AS "nPings", last_ping_id AS "lastPingId", n_flips AS "nFlips"
  FROM cleared_checks LIMIT $1`

export function findClearedChecks(sql: Sql, limit: number): Promise<ClearedCheck[]> {
  return sql.all<ClearedCheck>(CLEARED, [limit])
}

const DONE = 'DELETE FROM cleared_checks WHERE check_id = $1 AND n_pings = $2 AND n_flips = $3'

/** Deletes the record last, so that it is found again after a failure. */
export async function removeCleared(
  steps: Steps,
  checks: readonly ClearedCheck[],
): Promise<{ readonly pings: number; readonly flips: number }> {
  let [pings, flips] = [0, 0]
  for (const { checkId, nPings, lastPingId, nFlips } of checks) {
    // After a failure, ids of entries that were removed may belong to later pings of the check.
    const entries = (await listEntries(steps, checkId, lastPingId)).filter(({ n }) => n <= nPings)
    pings += await deleteEntries(steps, entries)
    flips += await deleteFlipsUntil(steps, checkId, nFlips)
    await steps.runEach(DONE, [[checkId, nPings, nFlips]])
  }
  return { pings, flips }
}
