/** What keeps an import from making a project or its checks. */
import { Refusal } from '../domain/errors.ts'
import { CLASH_SENTENCES, type ClashKind } from '../domain/import/import-clash.ts'
import type { Sql, Value } from './database.ts'
import type { ImportClash, ProjectImport } from './store.ts'

/** Each gives the `project_id` that has it. */
const OWNERS: Readonly<Record<ClashKind, string>> = {
  project: 'SELECT id AS project_id FROM projects WHERE id = $1',
  'project-name': 'SELECT id AS project_id FROM projects WHERE name = $1',
  'badge-key': 'SELECT id AS project_id FROM projects WHERE badge_key = $1',
  key: 'SELECT project_id FROM keys WHERE lookup = $1',
  check: 'SELECT project_id FROM checks WHERE id = $1',
  channel: 'SELECT project_id FROM channels WHERE id = $1',
  'status-page': 'SELECT project_id FROM status_pages WHERE slug = $1',
}

interface Wanted {
  readonly value: Value
  /** as it is named; see `ImportClash` */
  readonly taken: string
}

export async function findClashes(
  sql: Sql,
  { project, keys, checks, channels, statusPage }: ProjectImport,
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
    ...(await owned(sql, 'status-page', statusPage ? [statusPage.slug] : [])),
  ]
}

/** Which of these are taken. */
export function owned(sql: Sql, kind: ClashKind, values: readonly string[]): Promise<ImportClash[]> {
  return ownedAs(
    sql,
    kind,
    values.map((value) => ({ value, taken: value })),
  )
}

async function ownedAs(sql: Sql, kind: ClashKind, wanted: readonly Wanted[]): Promise<ImportClash[]> {
  const rows = await sql.getEach<{ project_id: string }>(
    OWNERS[kind],
    wanted.map(({ value }) => [value]),
  )
  return wanted.flatMap(({ taken }, index) => {
    const row = rows[index]
    return row ? [{ kind, taken, projectId: row.project_id }] : []
  })
}

/** @throws Refusal `import-clash` if there is any */
export function refuseClashes(clashes: readonly ImportClash[]): void {
  const problems = [...new Set(clashes.map(({ kind }) => CLASH_SENTENCES[kind]))]
  if (problems.length === 0) return
  throw new Refusal('import-clash', `the project cannot be imported: ${problems[0]}`, { problems })
}
