/** Adds the pings and events that existing checks have received in the program that they were imported from. */

import { endReminders, startReminders } from '../channels/mailing-dates.ts'
import { findCheck } from '../checks/checks.ts'
import { writeFlips } from '../checks/flips.ts'
import { followImportedFlips } from '../incidents/imported.ts'
import type { CheckExtension } from '../interface/imports.ts'
import type { Rules } from '../interface/rules.ts'
import { markLogs } from '../overgrown.ts'
import { pingValues } from '../pings/pings.ts'
import { type Changing, editsOf, NO_CHANGES } from '../revisions/revisions.ts'
import { counterValues, statusValues } from '../sql/check-rows.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'

// Also deletes these flips' incidents. They were opened only because a deadline passed here, and no member has added anything to them: see
// `import/engine/growth.ts`.
const UNDO_FLIPS = 'DELETE FROM events WHERE check_id = $1 AND n > $2'

/**
 * Adds entries to an existing check's log and may update its state, in one transaction.
 * @returns false, and writes nothing, if the check no longer exists or was changed on this server in the meantime
 */
export async function extendCheck(
  sql: Sql,
  extension: CheckExtension,
  rules: Pick<Rules, 'alertAfter' | 'now'>,
): Promise<Changing<boolean>> {
  const { checkId, seen, keptEvents, pings, flips, state } = extension
  const { firstId, rows, counters } = await sql.pings.load([checkId], pings.length)
  const [row, counted] = [rows[0], counters[0]]
  const before = (await findCheck(sql, checkId))?.check
  if (!row || !counted || !before || before.nPings !== seen.n || before.nEvents !== seen.eventN)
    return { result: false, changes: NO_CHANGES }
  const nPings = pings.at(-1)?.n ?? seen.n
  const nEvents = flips.at(-1)?.n ?? keptEvents
  const moved = state ? state(before) : before
  const check = { ...moved, nPings: state ? Math.max(moved.nPings, nPings) : nPings, nEvents }
  const alertAfter = state ? rules.alertAfter(check, null) : instantOrNull(row.alert_after)
  const previousId = (index: number) => (index === 0 ? counted.last_ping_id : firstId + index - 1)
  if (keptEvents < seen.eventN) await sql.run(UNDO_FLIPS, [checkId, keptEvents])
  await sql.pings.write({
    entries: pings.map((ping, index) => pingValues(firstId + index, previousId(index), ping)),
    counters: [[...counterValues(check), previousId(pings.length), row.counter_id]],
    statuses: [[...statusValues(check, alertAfter), checkId]],
  })
  await writeFlips(sql, flips)
  await followImportedFlips(sql, checkId, flips)
  // The log may be longer than the project allows.
  if (pings.length > 0) await markLogs(sql, [{ checkId, n: nPings }])
  await moveReminders(sql, before.projectId, [before.status, check.status], rules)
  return { result: true, changes: editsOf([[before.projectId, [checkId]]]) }
}

async function moveReminders(
  sql: Sql,
  projectId: string,
  [before, after]: readonly [before: string, after: string],
  rules: Pick<Rules, 'now'>,
): Promise<void> {
  if (before === after) return
  if (after === 'down') await startReminders(sql, projectId, rules.now())
  if (before !== 'down') return
  await sql.lock('reminders', [projectId])
  await endReminders(sql, projectId)
}
