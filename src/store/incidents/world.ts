/**
 * Reads the data that determines what happens to incidents: their checks, and their projects' silences. Everything is read once per
 * transaction.
 */
import type { Silence, SilencedCheck } from '../../domain/silence/silence.ts'
import { type PlacedCheck, type SilencesOf, silencesOf } from '../../domain/silence/silences-of.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { CHECKS } from '../sql/check-rows.ts'
import type { Row } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { allOf } from '../sql/key-lists.ts'
import { instantOrNull, KEYS, KEYS_AT_ONCE } from '../sql/rows.ts'
import { SILENCES } from '../tables/incidents.ts'

const LEFT = `ends_at > $${KEYS_AT_ONCE + 1}`
/** Selects the silences that members have created in the given projects. The parameter is a list of project ids. */
export const SILENCES_OF_PEOPLE = `
  SELECT * FROM silences WHERE project_id IN (${KEYS}) AND ${LEFT} AND created_by_kind IS NOT NULL`
/**
 * Selects the silences that were created through ping URLs. The parameter is a list of `checks` values. A project may have as many of these
 * silences as checks, so only the silences of the given checks are read.
 */
export const SILENCES_OF_PINGS = `
  SELECT * FROM silences WHERE checks IN (${KEYS}) AND ${LEFT} AND created_by_kind IS NULL`

/**
 * Returns the silences of these checks that have not ended. If there are any, locks their projects' silences until the end of the
 * transaction. Otherwise, another transaction could end a silence, and not wake an incident that this transaction is about to hold. The
 * caller must have locked the checks.
 */
export async function lockSilences(sql: Sql, checks: readonly PlacedCheck[], now: Instant): Promise<SilencesOf> {
  const found = await silencesLeft(sql, checks, now)
  if (found.length === 0) return silencesOf([], [])
  const silenced = new Set(found.map(({ projectId }) => projectId))
  await sql.lock('silences', [...silenced])
  const left = checks.filter(({ projectId }) => silenced.has(projectId))
  return silencesOf(await silencesLeft(sql, left, now), left)
}

/**
 * Returns the silences that may match these checks and end after `since`: all silences that members created in the checks' projects, and
 * the silences of the checks' own ping URLs.
 */
export async function silencesLeft(sql: Sql, checks: readonly PlacedCheck[], since: Instant): Promise<Silence[]> {
  const projects = [...new Set(checks.map(({ projectId }) => projectId))]
  const own = [...new Set(checks.map(({ id }) => id))].map((id) => JSON.stringify([id]))
  const rows = [
    ...(await allOf<Row>(sql, SILENCES_OF_PEOPLE, projects, [toMicroseconds(since)])),
    ...(await allOf<Row>(sql, SILENCES_OF_PINGS, own, [toMicroseconds(since)])),
  ]
  return rows.map(SILENCES.read)
}

const TAGS = `SELECT id, tags FROM checks WHERE id IN (${KEYS})`

/** Returns each check's tags, keyed by check id. */
export async function tagsOf(sql: Sql, checkIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await allOf<{ id: string; tags: string }>(sql, TAGS, checkIds)
  return new Map(rows.map(({ id, tags }) => [id, tags]))
}

/** An incident's check. */
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

/** Returns the checks that incidents are about, keyed by id. The caller must have locked the checks. */
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
