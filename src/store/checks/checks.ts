/** Finds and lists checks. `check-changes.ts` changes them. */

import { SIBLINGS_COUNTED, SIBLINGS_NAMED, type Siblings } from '../../domain/alert/flip-context.ts'
import type { Check, StoredStatus } from '../../domain/check/check.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { hasTags } from '../../domain/check/tags.ts'
import { listChannelIds } from '../channels/channels.ts'
import type { CheckFilter, CheckPlace } from '../interface/checks.ts'
import { markOf, type Page, type PageMark, toPage } from '../pages.ts'
import { CHECKS, type CheckRow, LISTED_COLUMNS, toCheck } from '../sql/check-rows.ts'
import type { Sql, Value } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'

export const FIND_CHECK = `SELECT * FROM ${CHECKS} WHERE id = $1`

export async function withChannels(sql: Sql, row: CheckRow): Promise<CheckWithChannels> {
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

/**
 * Finds the project and public id of each check with this unique key, in any project. The key is a hash of half a UUID, so several checks
 * may have the same key.
 */
export async function listCheckPlaces(sql: Sql, key: string): Promise<CheckPlace[]> {
  const rows = await sql.all<{ project_id: string; public_id: string }>(PLACES_BY_UNIQUE_KEY, [key])
  return rows.map((row) => ({ projectId: row.project_id, publicId: row.public_id }))
}

const PLACE_BY_PUBLIC_ID = 'SELECT project_id, public_id FROM checks WHERE public_id = $1'

/** Finds the project that contains the check with this public id. */
export async function findCheckPlace(sql: Sql, publicId: string): Promise<CheckPlace | null> {
  const row = await sql.get<{ project_id: string; public_id: string }>(PLACE_BY_PUBLIC_ID, [publicId])
  return row && { projectId: row.project_id, publicId: row.public_id }
}

export const FIND_BY_PUBLIC_ID = `SELECT * FROM ${CHECKS} WHERE public_id = $1 AND project_id = $2`

export function findCheckByPublicId(sql: Sql, projectId: string, publicId: string): Promise<CheckWithChannels | null> {
  return findOne(sql, FIND_BY_PUBLIC_ID, [publicId, projectId])
}

/**
 * Number of checks per page. A page is about 60 kB in size, and takes half a millisecond to read and write. Paging limits the memory that
 * each list uses.
 */
export const CHECKS_PER_PAGE = 50

// A check's channel ids are selected as a single string, because reading a row for each assignment took longer than reading the checks.
const ASSIGNED = "(SELECT string_agg(channel_id, ',') FROM check_channels WHERE check_id = checks.id) AS channel_ids"
const ofProject = (columns: string) => `
  SELECT ${columns} FROM ${CHECKS} WHERE project_id = $1 AND created_at > $2
  ORDER BY created_at LIMIT ${CHECKS_PER_PAGE}`

/** Selects a page of checks with all of their columns, but without their channels. */
export const LIST_CHECKS = ofProject('*')
export const LIST_WITH_CHANNELS = ofProject(`${LISTED_COLUMNS}, ${ASSIGNED}`)
// The unary plus keeps SQLite from reading all of the project's checks in order of creation.
export const LIST_OF_SLUG = `
  SELECT ${LISTED_COLUMNS}, ${ASSIGNED} FROM ${CHECKS} WHERE project_id = $1 AND +created_at > $2 AND slug = $3
  ORDER BY +created_at LIMIT ${CHECKS_PER_PAGE}`

export interface ListedRow extends CheckRow {
  channel_ids: string | null
}

/** Lists a project's checks, in order of creation. @param after null for the first page. An empty page is not necessarily the last one */
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

/** Finds checks in the order of `ids`. Leaves out checks that do not exist. */
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

/** Lists each check's tags as a single string, in the checks' order of creation. */
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
// Counts all checks that are down, because the index is sufficient for that. To exclude one check by its id, SQLite would have to read
// every row.
export const COUNT_DOWN = `
  SELECT (SELECT COUNT(*) FROM checks WHERE project_id = $1 AND status = 'down')
    - (SELECT COUNT(*) FROM checks WHERE id = $2 AND status = 'down') AS count`
const DOWN = `
  SELECT id, name, last_ping_at FROM ${CHECKS} WHERE project_id = $1 AND status = 'down' AND id <> $2
  ORDER BY created_at LIMIT $3`

const COUNT_OTHERS = `
  SELECT status, COUNT(*) AS count FROM (
    SELECT status FROM checks WHERE project_id = $1 AND id <> $2 ORDER BY created_at LIMIT ${SIBLINGS_COUNTED + 1}
  ) AS others GROUP BY status`

/** Returns the states of the project's other checks. */
export async function findSiblings(sql: Sql, { projectId, id }: Pick<Check, 'projectId' | 'id'>): Promise<Siblings> {
  const counted = await sql.get<{ count: number }>(COUNT_DOWN, [projectId, id])
  const rows = await sql.all<Pick<CheckRow, 'id' | 'name' | 'last_ping_at'>>(DOWN, [projectId, id, SIBLINGS_NAMED])
  const downCount = counted?.count ?? 0
  return {
    exist: (await sql.get(SIBLING, [projectId, id])) !== null,
    downCount,
    counts: downCount > 0 ? null : await countSiblings(sql, projectId, id),
    down: rows.map((row) => ({ id: row.id, name: row.name, lastPingAt: instantOrNull(row.last_ping_at) })),
  }
}

async function countSiblings(sql: Sql, projectId: string, id: string): Promise<Siblings['counts']> {
  const rows = await sql.all<{ status: Exclude<StoredStatus, 'down'>; count: number }>(COUNT_OTHERS, [projectId, id])
  const counts = { up: 0, new: 0, paused: 0 }
  for (const { status, count } of rows) counts[status] += count
  return counts.up + counts.new + counts.paused > SIBLINGS_COUNTED ? null : counts
}
