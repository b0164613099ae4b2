/** Checks: found, listed, written. */

import { SIBLINGS_NAMED, type Siblings } from '../domain/alert/flip-context.ts'
import { auditedCheck } from '../domain/audit/subjects.ts'
import type { Check, UniqueField } from '../domain/check/check.ts'
import { followingPublicId } from '../domain/check/public-id.ts'
import type { CheckWithChannels } from '../domain/check/representation.ts'
import { hasTags } from '../domain/check/tags.ts'
import { uniqueKey } from '../domain/check/unique-key.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../lib/time.ts'
import type { AuditTrail } from './audit.ts'
import { assignChannels, listChannelIds, listChannels } from './channels.ts'
import {
  CHECKS,
  type CheckRow,
  LISTED_COLUMNS,
  SETTINGS_COLUMNS,
  STATUS_COLUMNS,
  settingsValues,
  statusValues,
  toCheck,
  UPDATE_STATUS,
} from './check-rows.ts'
import { insertCounters, writeCounters } from './counters.ts'
import type { Sql, Value } from './database.ts'
import { insertFlips } from './flips.ts'
import { endReminders, startReminders } from './mail/mailing-dates.ts'
import { markOf, toPage } from './pages.ts'
import { removeCheck } from './retention/deleted-checks.ts'
import { assignments, instantOrNull, placeholders } from './rows.ts'
import type { CheckChange, CheckFilter, CheckPlace, DecideChange, Page, PageMark, Rules } from './store.ts'

const FIND_CHECK = `SELECT * FROM ${CHECKS} WHERE id = $1`

async function withChannels(sql: Sql, row: CheckRow): Promise<CheckWithChannels> {
  return { check: toCheck(row), channelIds: await listChannelIds(sql, row.id) }
}

export function findCheck(sql: Sql, id: string): Promise<CheckWithChannels | null> {
  return findOne(sql, FIND_CHECK, [id])
}

async function findOne(sql: Sql, query: string, values: readonly Value[]): Promise<CheckWithChannels | null> {
  const row = await sql.get<CheckRow>(query, values)
  return row && withChannels(sql, row)
}

const FIND_BY_UNIQUE_KEY = `SELECT * FROM ${CHECKS} WHERE unique_key = $1 AND project_id = $2`

export function findCheckByUniqueKey(sql: Sql, projectId: string, key: string): Promise<CheckWithChannels | null> {
  return findOne(sql, FIND_BY_UNIQUE_KEY, [key, projectId])
}

const PLACES_BY_UNIQUE_KEY = 'SELECT project_id, public_id FROM checks WHERE unique_key = $1 ORDER BY created_at'

export async function listCheckPlaces(sql: Sql, key: string): Promise<CheckPlace[]> {
  const rows = await sql.all<{ project_id: string; public_id: string }>(PLACES_BY_UNIQUE_KEY, [key])
  return rows.map((row) => ({ projectId: row.project_id, publicId: row.public_id }))
}

export const FIND_BY_PUBLIC_ID = `SELECT * FROM ${CHECKS} WHERE public_id = $1 AND project_id = $2`

export function findCheckByPublicId(sql: Sql, projectId: string, publicId: string): Promise<CheckWithChannels | null> {
  return findOne(sql, FIND_BY_PUBLIC_ID, [publicId, projectId])
}

/** Such a page has about 60 kB and takes half a millisecond to read and write. It limits what each list holds in memory. */
export const CHECKS_PER_PAGE = 50

// One text for each check: reading a row for each assignment took longer than reading the checks.
const ASSIGNED = "(SELECT string_agg(channel_id, ',') FROM check_channels WHERE check_id = checks.id) AS channel_ids"
const ofProject = (columns: string) => `
  SELECT ${columns} FROM ${CHECKS} WHERE project_id = $1 AND created_at > $2
  ORDER BY created_at LIMIT ${CHECKS_PER_PAGE}`

/** A page of whole checks without their channels. */
export const LIST_CHECKS = ofProject('*')
export const LIST_WITH_CHANNELS = ofProject(`${LISTED_COLUMNS}, ${ASSIGNED}`)
// The plus keeps SQLite from reading all checks of the project in order of creation.
export const LIST_OF_SLUG = `
  SELECT ${LISTED_COLUMNS}, ${ASSIGNED} FROM ${CHECKS} WHERE project_id = $1 AND +created_at > $2 AND slug = $3
  ORDER BY +created_at LIMIT ${CHECKS_PER_PAGE}`

export interface ListedRow extends CheckRow {
  channel_ids: string | null
}

export async function listChecks(
  sql: Sql,
  projectId: string,
  { slug, tags = [] }: CheckFilter,
  after: PageMark | null,
): Promise<Page<CheckWithChannels>> {
  const page = [projectId, markOf(after)]
  const rows = await (slug === undefined
    ? sql.all<ListedRow>(LIST_WITH_CHANNELS, page)
    : sql.all<ListedRow>(LIST_OF_SLUG, [...page, slug]))
  const items = rows.filter((row) => hasTags(row.tags, tags)).map(toListed)
  return toPage(rows, CHECKS_PER_PAGE, items, (row) => row.created_at)
}

const NO_CHANNELS: readonly string[] = []

export const FIND_LISTED = `SELECT ${LISTED_COLUMNS}, ${ASSIGNED} FROM ${CHECKS} WHERE id = $1`

export async function findChecks(sql: Sql, ids: readonly string[]): Promise<CheckWithChannels[]> {
  const rows = await sql.getEach<ListedRow>(
    FIND_LISTED,
    ids.map((id) => [id]),
  )
  return rows.filter((row) => row !== null).map(toListed)
}

export function toListed(row: ListedRow): CheckWithChannels {
  return { check: toCheck(row), channelIds: row.channel_ids?.split(',').sort() ?? NO_CHANNELS }
}

const TAGS_PER_PAGE = 500
const LIST_TAGS = `
  SELECT created_at, tags FROM checks WHERE project_id = $1 AND created_at > $2
  ORDER BY created_at LIMIT ${TAGS_PER_PAGE}`

export async function listTags(sql: Sql, projectId: string, after: PageMark | null): Promise<Page<string>> {
  const rows = await sql.all<Pick<CheckRow, 'created_at' | 'tags'>>(LIST_TAGS, [projectId, markOf(after)])
  return toPage(
    rows,
    TAGS_PER_PAGE,
    rows.map(({ tags }) => tags),
    (row) => row.created_at,
  )
}

const SIBLING = 'SELECT 1 FROM checks WHERE project_id = $1 AND id <> $2 LIMIT 1'
const COUNT_DOWN = `SELECT COUNT(*) AS count FROM checks WHERE project_id = $1 AND status = 'down' AND id <> $2`
const DOWN = `
  SELECT id, name, last_ping_at FROM ${CHECKS} WHERE project_id = $1 AND status = 'down' AND id <> $2
  ORDER BY created_at LIMIT $3`

/** The state of the project's other checks. */
export async function findSiblings(sql: Sql, { projectId, id }: Pick<Check, 'projectId' | 'id'>): Promise<Siblings> {
  const counted = await sql.get<{ count: number }>(COUNT_DOWN, [projectId, id])
  const rows = await sql.all<Pick<CheckRow, 'id' | 'name' | 'last_ping_at'>>(DOWN, [projectId, id, SIBLINGS_NAMED])
  return {
    exist: (await sql.get(SIBLING, [projectId, id])) !== null,
    downCount: counted?.count ?? 0,
    down: rows.map((row) => ({ id: row.id, name: row.name, lastPingAt: instantOrNull(row.last_ping_at) })),
  }
}

const COLUMNS = [
  'id',
  'project_id',
  'badge_key',
  'public_id',
  'unique_key',
  'created_at',
  'counter_id',
  ...STATUS_COLUMNS,
  ...SETTINGS_COLUMNS,
]
const INSERT = `INSERT INTO checks (${COLUMNS.join(', ')}) VALUES (${placeholders(COLUMNS.length)})`
const NEWEST = 'SELECT MAX(created_at) AS created_at FROM checks WHERE project_id = $1'

/**
 * Moves `createdAt` past that of the project's newest check if needed, because it orders the checks, and `publicId` to a
 * free one. The caller has locked the project. @returns the stored check
 */
export async function insertCheck(sql: Sql, check: Check, alertAfter: Instant | null): Promise<Check> {
  const newest = await sql.get<{ created_at: number | null }>(NEWEST, [check.projectId])
  const createdAt = Math.max(toMicroseconds(check.createdAt), (newest?.created_at ?? 0) + 1)
  const publicId = await freePublicId(sql, check.publicId)
  await sql.run(INSERT, [
    check.id,
    check.projectId,
    check.badgeKey,
    publicId,
    uniqueKey(check.id),
    createdAt,
    await insertCounters(sql, check),
    ...statusValues(check, alertAfter),
    ...settingsValues(check),
  ])
  return { ...check, publicId, createdAt: fromMicroseconds(createdAt) }
}

const OF_PUBLIC_ID = 'SELECT 1 FROM checks WHERE public_id = $1'

async function freePublicId(sql: Sql, wanted: string): Promise<string> {
  await sql.lock('public ids')
  let publicId = wanted
  while ((await sql.get(OF_PUBLIC_ID, [publicId])) !== null) publicId = followingPublicId(publicId)
  return publicId
}

const WRITTEN = [...STATUS_COLUMNS, ...SETTINGS_COLUMNS]
const UPDATE = `UPDATE checks SET ${assignments(WRITTEN)} WHERE id = $${WRITTEN.length + 1}`

const COUNTER_ID = 'SELECT counter_id FROM checks WHERE id = $1'

/** Writes the state of a check that the caller has locked. @param alertAfter when the loop looks at it next */
export async function writeState(sql: Sql, check: Check, alertAfter: Instant | null): Promise<void> {
  await sql.run(UPDATE_STATUS, [...statusValues(check, alertAfter), check.id])
  const row = await sql.get<{ counter_id: number }>(COUNTER_ID, [check.id])
  if (row) await writeCounters(sql, [{ counterId: row.counter_id, check }])
}

const UNDO_FLIP = 'DELETE FROM flips WHERE check_id = $1 AND n = $2'

/** Writes the change of a check that the caller has locked. @returns the check after it */
export async function writeChange(
  sql: Sql,
  counterId: number,
  before: CheckWithChannels,
  { check, flip, undoneFlip, channelIds }: CheckChange,
  rules: Rules,
  trail: AuditTrail,
): Promise<CheckWithChannels> {
  const stored = statusValues(check, rules.alertAfter(check, null))
  await sql.run(UPDATE, [...stored, ...settingsValues(check), check.id])
  await writeCounters(sql, [{ counterId, check }])
  if (channelIds) await assignChannels(sql, check.id, channelIds)
  if (flip) await insertFlips(sql, [flip], rules)
  if (undoneFlip !== undefined) await sql.run(UNDO_FLIP, [check.id, undoneFlip])
  if (undoneFlip !== undefined && check.status === 'down') await startReminders(sql, check.projectId, rules.now())
  const after = { check, channelIds: channelIds?.toSorted() ?? before.channelIds }
  await trail.note(auditedCheck(before), auditedCheck(after))
  return after
}

export async function changeCheck(
  sql: Sql,
  id: string,
  decide: DecideChange,
  rules: Rules,
  trail: AuditTrail,
): Promise<CheckWithChannels | null> {
  await sql.lock('check', [id])
  const row = await sql.get<CheckRow>(FIND_CHECK, [id])
  if (!row) return null
  const before = await withChannels(sql, row)
  const change = decide(before.check, await listChannels(sql, row.project_id))
  return writeChange(sql, row.counter_id, before, change, rules, trail)
}

const UNIQUE_COLUMNS: Readonly<Record<UniqueField, string>> = {
  name: 'name',
  slug: 'slug',
  tags: 'tags',
  timeout: 'timeout_seconds',
  grace: 'grace_seconds',
}

/** The oldest check of the project that matches all criteria. */
async function findMatch(
  sql: Sql,
  projectId: string,
  criteria: ReadonlyMap<UniqueField, string | number>,
): Promise<string | null> {
  const conditions = [...criteria.keys()].map((field, index) => `${UNIQUE_COLUMNS[field]} = $${index + 2}`)
  const values: Value[] = [projectId, ...criteria.values()]
  const row = await sql.get<{ id: string }>(
    `SELECT id FROM checks WHERE project_id = $1 AND ${conditions.join(' AND ')} ORDER BY created_at LIMIT 1`,
    values,
  )
  return row?.id ?? null
}

export async function upsertCheck(
  sql: Sql,
  fresh: Check,
  criteria: ReadonlyMap<UniqueField, string | number> | null,
  decide: DecideChange,
  rules: Rules,
  trail: AuditTrail,
): Promise<CheckWithChannels & { readonly created: boolean }> {
  await sql.lock('project', [fresh.projectId])
  const match = criteria && (await findMatch(sql, fresh.projectId, criteria))
  const changed = match === null ? null : await changeCheck(sql, match, decide, rules, trail)
  if (changed) return { ...changed, created: false }
  const { check, channelIds = [] } = decide(fresh, await listChannels(sql, fresh.projectId))
  const stored = await insertCheck(sql, check, rules.alertAfter(check, null))
  await assignChannels(sql, check.id, channelIds)
  const created = { check: stored, channelIds: channelIds.toSorted() }
  await trail.note(null, auditedCheck(created))
  return { ...created, created: true }
}

export async function deleteCheck(sql: Sql, id: string, trail: AuditTrail): Promise<CheckWithChannels | null> {
  await sql.lock('check', [id])
  const found = await findCheck(sql, id)
  if (!found) return null
  await removeCheck(sql, id)
  if (found.check.status === 'down') {
    await sql.lock('reminders', [found.check.projectId])
    await endReminders(sql, found.check.projectId)
  }
  await trail.note(auditedCheck(found), null)
  return found
}
