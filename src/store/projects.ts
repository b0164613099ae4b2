/** Projects, their keys, and the server's own settings. */
import type { KeyActor } from '../domain/actor.ts'
import { Refusal } from '../domain/errors.ts'
import type { ApiKeyKind, KeyKind, Project, StoredKey } from '../domain/project.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../lib/time.ts'
import type { Sql } from './database.ts'
import { markProjects } from './retention/overgrown.ts'
import type { Outage } from './store.ts'

export interface ProjectRow {
  id: string
  name: string
  badge_key: string
  ping_log_limit: number
  created_at: number
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    badgeKey: row.badge_key,
    pingLogLimit: row.ping_log_limit,
    createdAt: fromMicroseconds(row.created_at),
  }
}

export interface KeyRow {
  lookup: string
  project_id: string
  kind: KeyKind
  hint: string
  created_at: number
}

function toStoredKey(row: KeyRow): StoredKey {
  return {
    lookup: row.lookup,
    projectId: row.project_id,
    kind: row.kind,
    hint: row.hint,
    createdAt: fromMicroseconds(row.created_at),
  }
}

export async function getOrCreateSetting(sql: Sql, name: string, value: string): Promise<string> {
  await sql.run('INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, value])
  return (await findSetting(sql, name)) ?? value
}

export async function findSetting(sql: Sql, name: string): Promise<string | null> {
  const row = await sql.get<{ value: string }>('SELECT value FROM settings WHERE name = $1', [name])
  return row?.value ?? null
}

const ALIVE = 'alive'
const OUTAGE = 'outage'
const WRITABLE = 'writable'

export async function findAlive(sql: Sql): Promise<Instant | null> {
  const microseconds = await findSetting(sql, ALIVE)
  return microseconds === null ? null : fromMicroseconds(Number(microseconds))
}

export async function recordAlive(sql: Sql, at: Instant, outage?: Outage): Promise<void> {
  await writeInstant(sql, ALIVE, at)
  if (outage) await writeSetting(sql, OUTAGE, `${toMicroseconds(outage.from)} ${toMicroseconds(outage.until)}`)
}

export async function findOutage(sql: Sql): Promise<Outage | null> {
  const [from, until] = (await findSetting(sql, OUTAGE))?.split(' ') ?? []
  return from && until ? { from: fromMicroseconds(Number(from)), until: fromMicroseconds(Number(until)) } : null
}

/** Reads a table, because SQLite answers other queries without the file. */
export async function probe(sql: Sql): Promise<void> {
  await sql.get('SELECT value FROM settings LIMIT 1', [])
}

export async function probeWrite(sql: Sql, at: Instant): Promise<void> {
  await writeInstant(sql, WRITABLE, at)
}

function writeInstant(sql: Sql, name: string, at: Instant): Promise<void> {
  return writeSetting(sql, name, String(toMicroseconds(at)))
}

export async function writeSetting(sql: Sql, name: string, value: string): Promise<void> {
  await sql.run(
    'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, value],
  )
}

export async function createProject(sql: Sql, project: Project, keys: readonly StoredKey[]): Promise<void> {
  await sql.lock('project name', [project.name])
  const namesake = await sql.get('SELECT 1 FROM projects WHERE name = $1', [project.name])
  if (namesake)
    throw new Refusal('project-name-taken', `a project named "${project.name}" already exists`, {
      name: project.name,
    })
  await sql.run('INSERT INTO projects (id, name, badge_key, ping_log_limit, created_at) VALUES ($1, $2, $3, $4, $5)', [
    project.id,
    project.name,
    project.badgeKey,
    project.pingLogLimit,
    toMicroseconds(project.createdAt),
  ])
  for (const key of keys) await createKey(sql, key)
}

export async function listProjects(sql: Sql): Promise<Project[]> {
  const rows = await sql.all<ProjectRow>('SELECT * FROM projects ORDER BY created_at, id', [])
  return rows.map(toProject)
}

export async function findProject(sql: Sql, idOrName: string): Promise<Project | null> {
  const row = await sql.get<ProjectRow>(
    'SELECT * FROM projects WHERE id = $1 OR name = $1 ORDER BY CASE WHEN id = $1 THEN 0 ELSE 1 END LIMIT 1',
    [idOrName],
  )
  return row && toProject(row)
}

const LOWERED = 'SELECT 1 FROM projects WHERE id = $1 AND ping_log_limit > $2'

export async function setPingLogLimit(sql: Sql, projectId: string, limit: number): Promise<void> {
  await sql.lock('project', [projectId])
  if (await sql.get(LOWERED, [projectId, limit])) await markProjects(sql, projectId)
  await sql.run('UPDATE projects SET ping_log_limit = $2 WHERE id = $1', [projectId, limit])
}

export async function createKey(sql: Sql, key: StoredKey): Promise<void> {
  await sql.run('INSERT INTO keys (lookup, project_id, kind, hint, created_at) VALUES ($1, $2, $3, $4, $5)', [
    key.lookup,
    key.projectId,
    key.kind,
    key.hint,
    toMicroseconds(key.createdAt),
  ])
}

export async function listKeys(sql: Sql, projectId: string): Promise<StoredKey[]> {
  const rows = await sql.all<KeyRow>('SELECT * FROM keys WHERE project_id = $1 ORDER BY created_at, kind', [projectId])
  return rows.map(toStoredKey)
}

export async function deleteKey(sql: Sql, projectId: string, lookup: string): Promise<boolean> {
  return (await sql.run('DELETE FROM keys WHERE project_id = $1 AND lookup = $2', [projectId, lookup])) > 0
}

const FIND_KEY_ACTOR = `
  SELECT projects.*, keys.kind FROM keys JOIN projects ON projects.id = keys.project_id
  WHERE keys.lookup = $1 AND keys.kind <> 'ping'`

export async function findKeyActor(sql: Sql, lookup: string): Promise<KeyActor | null> {
  const row = await sql.get<ProjectRow & { kind: ApiKeyKind }>(FIND_KEY_ACTOR, [lookup])
  return row && { project: toProject(row), by: { kind: 'key', keyKind: row.kind, lookup } }
}
