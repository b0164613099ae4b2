/** The world around incidents: their checks, and the silences of their projects. Read once in a transaction. */
import type { Silence, SilencedCheck } from '../../domain/silence/silence.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { CHECKS } from '../sql/check-rows.ts'
import type { Row } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { allOf } from '../sql/key-lists.ts'
import { instantOrNull, KEYS, KEYS_AT_ONCE } from '../sql/rows.ts'
import { SILENCES } from '../tables/incidents.ts'

/** With the keys of projects. */
export const SILENCES_LEFT = `SELECT * FROM silences WHERE project_id IN (${KEYS}) AND ends_at > $${KEYS_AT_ONCE + 1}`

/** Silences by project. */
export type SilencesOf = (projectId: string) => readonly Silence[]

const NO_SILENCES: readonly Silence[] = []

/**
 * The silences of projects that have not ended. If there are any, nobody changes those of these projects until the transaction ends: who
 * ends a silence wakes what it holds, and must not miss what it is about to hold.
 */
export async function lockSilences(sql: Sql, projectIds: readonly string[], now: Instant): Promise<SilencesOf> {
  const found = await silencesLeft(sql, [...new Set(projectIds)], now)
  const silenced = [...new Set(found.map(({ projectId }) => projectId))]
  if (silenced.length === 0) return () => NO_SILENCES
  await sql.lock('silences', silenced)
  const locked = Map.groupBy(await silencesLeft(sql, silenced, now), ({ projectId }) => projectId)
  return (projectId) => locked.get(projectId) ?? NO_SILENCES
}

async function silencesLeft(sql: Sql, projectIds: readonly string[], now: Instant): Promise<Silence[]> {
  return (await allOf<Row>(sql, SILENCES_LEFT, projectIds, [toMicroseconds(now)])).map(SILENCES.read)
}

const TAGS = `SELECT id, tags FROM checks WHERE id IN (${KEYS})`

/** The tags of checks, by check. */
export async function tagsOf(sql: Sql, checkIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await allOf<{ id: string; tags: string }>(sql, TAGS, checkIds)
  return new Map(rows.map(({ id, tags }) => [id, tags]))
}

/** The check of an incident. */
export interface IncidentCheck extends SilencedCheck {
  readonly name: string
  readonly nEvents: number
}

interface IncidentCheckRow {
  id: string
  project_id: string
  name: string
  tags: string
  n_events: number
  last_success_at: number | null
}

const OF_INCIDENTS = `SELECT id, project_id, name, tags, n_events, last_success_at FROM ${CHECKS} WHERE id IN (${KEYS})`

/** The checks of incidents, by id. The caller has locked them. */
export async function findIncidentChecks(
  sql: Sql,
  checkIds: readonly string[],
): Promise<ReadonlyMap<string, IncidentCheck>> {
  const rows = await allOf<IncidentCheckRow>(sql, OF_INCIDENTS, checkIds)
  const checks = rows.map(({ id, project_id, name, tags, n_events, last_success_at }): IncidentCheck => {
    return { id, projectId: project_id, name, tags, nEvents: n_events, lastSuccessAt: instantOrNull(last_success_at) }
  })
  return new Map(checks.map((check) => [check.id, check]))
}
