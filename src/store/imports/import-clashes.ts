/** Conflicts that prevent an import from creating a project or its checks. */
import { Refusal } from '../../domain/errors.ts'
import { CLASH_SENTENCES, type ClaimingProject, type ClashKind } from '../../domain/import/import-clash.ts'
import type { ImportClash } from '../interface/imports.ts'
import { SHOWN_CHECK } from '../sql/check-rows.ts'
import type { Sql } from '../sql/database.ts'
import { allOf } from '../sql/key-lists.ts'
import { KEYS } from '../sql/rows.ts'
import { SHOWN_PROJECT } from '../tables/projects.ts'

/**
 * SQL by kind of conflict. Each query returns the `key`s that are taken, and the `project_id` of the project that uses them. Keys that only
 * staged data uses are considered free.
 */
const OWNERS: Readonly<Record<ClashKind, string>> = {
  project: `SELECT id AS key, id AS project_id FROM projects WHERE id IN (${KEYS}) AND ${SHOWN_PROJECT}`,
  'project-name': `SELECT name AS key, id AS project_id FROM projects WHERE name IN (${KEYS})`,
  'badge-key': `SELECT badge_key AS key, id AS project_id FROM projects WHERE badge_key IN (${KEYS})`,
  key: `SELECT lookup AS key, project_id FROM keys WHERE lookup IN (${KEYS})`,
  check: `SELECT id AS key, project_id FROM checks WHERE id IN (${KEYS}) AND ${SHOWN_CHECK}`,
  channel: `
    SELECT channels.id AS key, project_id FROM channels JOIN projects ON projects.id = project_id
    WHERE channels.id IN (${KEYS}) AND ${SHOWN_PROJECT}`,
  silence: `SELECT id AS key, project_id FROM silences WHERE id IN (${KEYS})`,
  'status-page': `SELECT slug AS key, project_id FROM status_pages WHERE slug IN (${KEYS})`,
}

interface Wanted {
  readonly value: string
  /** name of the conflict; see `ImportClash` */
  readonly taken: string
}

/** Finds the conflicts that prevent creating the project, in any order. Messages to users don't mention other projects' ids. */
export async function findClashes(
  sql: Sql,
  { project, keys, checks, channels, silences, statusPage }: ClaimingProject,
): Promise<ImportClash[]> {
  const ids = (things: readonly { readonly id: string }[]) => things.map(({ id }) => id)
  return [
    ...(await owned(sql, 'project', [project.id])),
    ...(await owned(sql, 'project-name', [project.name])),
    ...(await owned(sql, 'badge-key', [project.badgeKey])),
    ...(await ownedAs(
      sql,
      'key',
      keys.map(({ lookup, hint }) => ({ value: lookup, taken: hint })),
    )),
    ...(await owned(sql, 'check', ids(checks.map(({ check }) => check)))),
    ...(await owned(sql, 'channel', ids(channels))),
    ...(await owned(sql, 'silence', ids(silences))),
    ...(await owned(sql, 'status-page', statusPage ? [statusPage.slug] : [])),
  ]
}

/** Returns which of the values are already taken. */
export function owned(sql: Sql, kind: ClashKind, values: readonly string[]): Promise<ImportClash[]> {
  return ownedAs(
    sql,
    kind,
    values.map((value) => ({ value, taken: value })),
  )
}

async function ownedAs(sql: Sql, kind: ClashKind, wanted: readonly Wanted[]): Promise<ImportClash[]> {
  const rows = await allOf<{ key: string; project_id: string }>(
    sql,
    OWNERS[kind],
    wanted.map(({ value }) => value),
  )
  const owners = new Map(rows.map(({ key, project_id }) => [key, project_id]))
  return wanted.flatMap(({ value, taken }) => {
    const projectId = owners.get(value)
    return projectId === undefined ? [] : [{ kind, taken, projectId }]
  })
}

/** @throws Refusal `import-clash` if there are any clashes */
export function refuseClashes(clashes: readonly ImportClash[]): void {
  const problems = [...new Set(clashes.map(({ kind }) => CLASH_SENTENCES[kind]))]
  if (problems.length === 0) return
  throw new Refusal('import-clash', `the project cannot be imported: ${problems[0]}`, { problems })
}
