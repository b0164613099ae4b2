/** Creates, changes and lists silences. When a silence is changed or ended, the incidents whose alerts it holds back become due. */
import { auditedSilence } from '../../domain/audit/incidents.ts'
import { requireRoom, requireRoomForChange, type SilenceCounts } from '../../domain/silence/limits.ts'
import { hasEnded, type Silence } from '../../domain/silence/silence.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { SilencePlace } from '../interface/incidents.ts'
import { type Changes, type Changing, editsOf, NO_CHANGES } from '../revisions/revisions.ts'
import type { Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'
import { SILENCES, storedEnd } from '../tables/incidents.ts'

export const LIST_SILENCES = 'SELECT * FROM silences WHERE project_id = $1 AND ends_at > $2 ORDER BY ends_at, id'

/** Returns a project's silences that end after `since`, soonest first. */
export function listSilences(sql: Sql, projectId: string, since: Instant): Promise<Silence[]> {
  return SILENCES.all(sql, LIST_SILENCES, [projectId, toMicroseconds(since)])
}

const IN_STRETCH = `
  SELECT * FROM silences
  WHERE project_id = $1 AND ends_at > $2 AND starts_at < $3 AND (checks = '[]' OR checks LIKE $4) AND created_by_kind`
const LAST_TO_END = 'ORDER BY ends_at DESC, id DESC LIMIT $5'
export const PAST_OF_PEOPLE = `${IN_STRETCH} IS NOT NULL ${LAST_TO_END}`
export const PAST_OF_PING_URLS = `${IN_STRETCH} IS NULL ${LAST_TO_END}`

/**
 * Returns a project's silences that overlap a period, including ended ones, latest end first. If there are more than the limit, leaves out
 * silences of ping URLs first, because a project may have as many of them as checks.
 * @param checkId excludes silences that match only other checks; null includes all
 */
export async function listPastSilences(
  sql: Sql,
  projectId: string,
  from: Instant,
  until: Instant,
  checkId: string | null,
  limit: number,
): Promise<Silence[]> {
  const named = checkId === null ? '%' : `%"${checkId}"%`
  const within = [projectId, toMicroseconds(from), toMicroseconds(until), named]
  const ofPeople = await SILENCES.all(sql, PAST_OF_PEOPLE, [...within, limit])
  const ofPingUrls = await SILENCES.all(sql, PAST_OF_PING_URLS, [...within, limit - ofPeople.length])
  return [...ofPeople, ...ofPingUrls].sort((a, b) => storedEnd(b.endsAt) - storedEnd(a.endsAt))
}

export const LIST_ENDED_SILENCES = `
  SELECT * FROM silences WHERE project_id = $1 AND (ends_at < $2 OR (ends_at = $2 AND id < $3))
  ORDER BY ends_at DESC, id DESC LIMIT $4`

/**
 * Returns a project's silences that ended by `now`, latest end first.
 * @param before last silence on the previous page; null for the first page
 */
export function listEndedSilences(
  sql: Sql,
  projectId: string,
  now: Instant,
  before: SilencePlace | null,
  limit: number,
): Promise<Silence[]> {
  const [endsBefore, id] = before === null ? [toMicroseconds(now) + 1, ''] : [toMicroseconds(before.endsAt), before.id]
  return SILENCES.all(sql, LIST_ENDED_SILENCES, [projectId, endsBefore, id, limit])
}

const FIND = 'SELECT * FROM silences WHERE id = $1'

export function findSilence(sql: Sql, id: string): Promise<Silence | null> {
  return SILENCES.get(sql, FIND, [id])
}

export const COUNT_SILENCES = `
  SELECT COUNT(*) AS silences, COUNT(schedule) AS windows FROM silences
  WHERE project_id = $1 AND ends_at > $2 AND created_by_kind IS NOT NULL`

async function countSilences(sql: Sql, projectId: string, now: Instant): Promise<SilenceCounts> {
  return (await sql.get<SilenceCounts>(COUNT_SILENCES, [projectId, toMicroseconds(now)])) ?? { silences: 0, windows: 0 }
}

/** @throws Refusal `silences-full` */
export async function createSilence(
  sql: Sql,
  trail: AuditTrail,
  silence: Silence,
  now: Instant,
): Promise<Changing<undefined>> {
  const { projectId } = silence
  await sql.lock('silences', [projectId])
  requireRoom(await countSilences(sql, projectId, now), silence)
  // A new silence cannot release an incident, so no incident has to be examined earlier. When an incident's current hold ends, the loop
  // checks whether the new silence matches.
  await SILENCES.insert(sql, silence)
  await trail.note(null, auditedSilence(silence))
  return { result: undefined, changes: await editsOfSilence(sql, silence) }
}

// Maximum number of checks to update on open pages. In a larger project, some checks are shown as muted only after the page is reloaded.
const SHOWN_AT_MOST = 2_000
const CHECKS_OF = `SELECT id FROM checks WHERE project_id = $1 LIMIT ${SHOWN_AT_MOST}`

/** Reports the checks that a silence may match as edited, because open pages show which checks are muted. */
async function editsOfSilence(sql: Sql, { projectId, match }: Silence): Promise<Changes> {
  if (match.checks.length > 0) return editsOf([[projectId, match.checks]])
  const rows = await sql.all<{ id: string }>(CHECKS_OF, [projectId])
  return editsOf([[projectId, rows.map(({ id }) => id)]])
}

const write = SILENCES.updating('startsAt', 'endsAt', 'untilHealthy', 'upTo', 'reason', 'window')

/**
 * Changes a silence that has not ended. The checks that it matches cannot be changed.
 * @param change called inside the transaction. If it throws a Refusal, nothing is written
 * @throws Refusal `silences-full` if the change gives the silence a window and the project can't have any more windows
 * @returns the changed silence; null if the project has no such silence or it has ended
 */
export async function changeSilence(
  sql: Sql,
  trail: AuditTrail,
  { projectId, id }: Pick<Silence, 'projectId' | 'id'>,
  change: (silence: Silence) => Silence,
  now: Instant,
): Promise<Changing<Silence | null>> {
  await sql.lock('silences', [projectId])
  const before = await findSilence(sql, id)
  if (before?.projectId !== projectId || hasEnded(before, now)) return { result: null, changes: NO_CHANGES }
  const after = change(before)
  requireRoomForChange(await countSilences(sql, projectId, now), before, after)
  await write(sql, after)
  await wakeHeld(sql, id, now)
  await trail.note(auditedSilence(before), auditedSilence(after))
  return { result: after, changes: await editsOfSilence(sql, after) }
}

const OF_PING_URL = 'checks = $1 AND created_by_kind IS NULL'
export const FORGET_PING_SILENCE = `DELETE FROM silences WHERE ${OF_PING_URL}`
export const END_PING_SILENCE = `UPDATE silences SET ends_at = $2 WHERE ${OF_PING_URL} AND ends_at > $2`
export const LEFT_PING_SILENCE = `SELECT id FROM silences WHERE ${OF_PING_URL} AND ends_at > $2`
const MOVE_PING_SILENCE = `UPDATE silences SET project_id = $2 WHERE ${OF_PING_URL}`

/**
 * Replaces the silence of a check's ping URL with the requested one, or ends it. A silence that has not ended keeps its id. So if a job
 * requests a silence every minute, a single silence is extended, and no additional hold is recorded in the incident each time. The caller
 * must have locked the check and its project's silences.
 * @param silence null to end the current silence
 */
export async function writePingSilence(
  sql: Sql,
  checkId: string,
  silence: Silence | null,
  now: Instant,
): Promise<void> {
  const match = JSON.stringify([checkId])
  if (silence === null) await sql.run(END_PING_SILENCE, [match, toMicroseconds(now)])
  else {
    const before = await sql.get<{ id: string }>(LEFT_PING_SILENCE, [match, toMicroseconds(now)])
    await sql.run(FORGET_PING_SILENCE, [match])
    await SILENCES.insert(sql, { ...silence, id: before?.id ?? silence.id })
  }
  await wakeIncident(sql, checkId, now)
}

/** Removes the silence of a deleted check's ping URL. */
export async function forgetPingSilence(sql: Sql, checkId: string): Promise<void> {
  await sql.run(FORGET_PING_SILENCE, [JSON.stringify([checkId])])
}

/**
 * Moves the silence of a check's ping URL together with the check. Other silences stay in the former project. The caller must have locked
 * the check.
 */
export async function movePingSilence(sql: Sql, checkId: string, projectId: string, now: Instant): Promise<void> {
  await sql.run(MOVE_PING_SILENCE, [JSON.stringify([checkId]), projectId])
  await wakeIncident(sql, checkId, now)
}

export const HELD = 'SELECT check_id, n FROM incidents WHERE held_by = $1 ORDER BY check_id, n'
// The incident's check may have recovered or been deleted in the meantime.
const WAKE_HELD =
  'UPDATE incidents SET next_look_at = $4, revision = revision + 1 WHERE check_id = $1 AND n = $2 AND held_by = $3'

/**
 * Marks the incidents that a silence holds as due now, even though other silences may still hold them. Incidents that are held by another
 * silence or an acknowledgement are examined when that hold ends. The caller must have locked the project's silences.
 */
async function wakeHeld(sql: Sql, silenceId: string, now: Instant): Promise<void> {
  const held = await sql.all<{ check_id: string; n: number }>(HELD, [silenceId])
  // All writers that lock several incidents do so in the order of their keys, which prevents deadlocks.
  await sql.runEach(
    WAKE_HELD,
    held.map(({ check_id, n }) => [check_id, n, silenceId, toMicroseconds(now)]),
  )
}

const WAKE = `
  UPDATE incidents SET next_look_at = $3, revision = revision + 1
  WHERE check_id = $1 AND n = $2 AND told IS NULL AND resolved_at IS NULL`
export const NEWEST_KEY = 'SELECT MAX(n) AS n FROM incidents WHERE check_id = $1'

/**
 * Makes the check's incident due now if no alert about it has been sent. Call this function when different silences may match the check
 * than before. The caller must have locked the check.
 */
export async function wakeIncident(sql: Sql, checkId: string, now: Instant): Promise<void> {
  const newest = await sql.get<{ n: number | null }>(NEWEST_KEY, [checkId])
  if (newest?.n != null) await sql.run(WAKE, [checkId, newest.n, toMicroseconds(now)])
}

export const ENDED_SILENCES = 'SELECT id FROM silences WHERE ends_at < $1 ORDER BY ends_at LIMIT $2'
const DELETE = 'DELETE FROM silences WHERE id = $1'

/** Removes at most `limit` silences that ended before `before`, in short transactions. @returns number of removed silences */
export async function deleteSilences(steps: Steps, before: Instant, limit: number): Promise<number> {
  const rows = await steps.read((sql) => sql.all<{ id: string }>(ENDED_SILENCES, [toMicroseconds(before), limit]))
  return steps.runEach(
    DELETE,
    rows.map(({ id }) => [id]),
  )
}
