/** Advances incidents that are due. Several servers may examine incidents at the same time, but only one of them advances each incident. */
import { advance } from '../../domain/incident/advance.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { DueIncident, Looked } from '../interface/incidents.ts'
import type { Rules } from '../interface/rules.ts'
import { type Changing, NO_CHANGES, touch } from '../revisions/revisions.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'
import { INCIDENTS } from '../tables/incidents.ts'
import { toIncident } from './rows.ts'
import { findIncidentChecks, lockSilences } from './world.ts'
import { byKey, writeAdvanced } from './writes.ts'

const NEXT_LOOK = 'SELECT MIN(next_look_at) AS next_look_at FROM incidents WHERE next_look_at IS NOT NULL'

/** Returns when the loop should next examine incidents; null if no incident needs it. */
export async function nextIncidentLookAt(sql: Sql): Promise<Instant | null> {
  const row = await sql.get<{ next_look_at: number | null }>(NEXT_LOOK, [])
  return instantOrNull(row?.next_look_at ?? null)
}

export const DUE_INCIDENTS = `
  SELECT check_id AS "checkId", n, revision FROM incidents WHERE next_look_at <= $1 ORDER BY next_look_at LIMIT $2`

/** Returns the incidents that are due, longest overdue first. */
export function dueIncidents(sql: Sql, now: Instant, limit: number): Promise<DueIncident[]> {
  return sql.all<DueIncident>(DUE_INCIDENTS, [toMicroseconds(now), limit])
}

const CLAIM =
  'UPDATE incidents SET revision = revision + 1 WHERE check_id = $1 AND n = $2 AND revision = $3 RETURNING *'

// Without this update, the loop would immediately find the same incident due again.
const CLEAR_LOOK = 'UPDATE incidents SET next_look_at = NULL WHERE check_id = $1 AND n = $2'

/**
 * Advances incidents. Skips incidents that were written after they were found, and which may still be due. A deleted check's incident is
 * never examined again.
 */
export async function lookAtIncidents(
  sql: Sql,
  due: readonly DueIncident[],
  rules: Pick<Rules, 'deliveriesFor' | 'now'>,
): Promise<Changing<Looked>> {
  const ids = [...new Set(due.map(({ checkId }) => checkId))]
  await sql.lock('check', ids)
  const checks = await findIncidentChecks(sql, ids)
  const now = rules.now()
  const silencesOf = await lockSilences(sql, [...checks.values()], now)
  const claimed = await INCIDENTS.getEach(
    sql,
    CLAIM,
    due.toSorted(byKey).map(({ checkId, n, revision }) => [checkId, n, revision]),
  )
  const touched = new Map<string, string[]>()
  const advanced = claimed.flatMap((stored) => {
    const check = stored && checks.get(stored.checkId)
    if (!stored || !check) return []
    touch(touched, check.projectId, check.id)
    const before = toIncident(stored)
    const world = { check, silences: silencesOf(check) }
    return { before, advanced: advance(before, world, now), newest: check.nEvents }
  })
  const left = claimed.filter((stored) => stored !== null).filter(({ checkId }) => !checks.has(checkId))
  await sql.runEach(
    CLEAR_LOOK,
    left.map(({ checkId, n }) => [checkId, n]),
  )
  const { owed } = await writeAdvanced(sql, advanced, rules)
  return { result: { looked: advanced.length, owed }, changes: { ...NO_CHANGES, touched } }
}
