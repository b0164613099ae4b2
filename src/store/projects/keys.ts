/** Keys of projects. API keys are found by a keyed hash, ping keys by themselves. */
import { auditedKey } from '../../domain/audit/subjects.ts'
import type { KeyKind } from '../../domain/key-kind.ts'
import type { StoredKey } from '../../domain/project.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { KeyWithProject } from '../interface/projects.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'
import { type ProjectRow, toProject } from './project-rows.ts'

interface KeyRow {
  lookup: string
  project_id: string
  kind: KeyKind
  hint: string
  created_at: number
  name: string
  last_used_at: number | null
}

function toStoredKey(row: KeyRow): StoredKey {
  return {
    lookup: row.lookup,
    projectId: row.project_id,
    kind: row.kind,
    hint: row.hint,
    createdAt: fromMicroseconds(row.created_at),
    name: row.name,
    lastUsedAt: instantOrNull(row.last_used_at),
  }
}

const INSERT = 'INSERT INTO keys (lookup, project_id, kind, hint, created_at, name) VALUES ($1, $2, $3, $4, $5, $6)'

export async function createKey(sql: Sql, trail: AuditTrail, key: StoredKey): Promise<void> {
  await sql.run(INSERT, [key.lookup, key.projectId, key.kind, key.hint, toMicroseconds(key.createdAt), key.name])
  await trail.note(null, auditedKey(key))
}

/** Oldest first. */
export async function listKeys(sql: Sql, projectId: string): Promise<StoredKey[]> {
  const rows = await sql.all<KeyRow>('SELECT * FROM keys WHERE project_id = $1 ORDER BY created_at, kind', [projectId])
  return rows.map(toStoredKey)
}

/** @returns false if the project has no such key */
export async function deleteKey(sql: Sql, trail: AuditTrail, projectId: string, lookup: string): Promise<boolean> {
  const row = await sql.get<KeyRow>('SELECT * FROM keys WHERE project_id = $1 AND lookup = $2', [projectId, lookup])
  if (!row || (await sql.run('DELETE FROM keys WHERE lookup = $1', [lookup])) === 0) return false
  await trail.note(auditedKey(toStoredKey(row)), null)
  return true
}

const FIND_KEY = `
  SELECT projects.*, keys.kind, keys.last_used_at FROM keys JOIN projects ON projects.id = keys.project_id
  WHERE keys.lookup = $1 AND keys.kind <> 'ping'`

/** @param lookup hash of an API key */
export async function findKey(sql: Sql, lookup: string): Promise<KeyWithProject | null> {
  type Row = ProjectRow & { kind: KeyWithProject['kind']; last_used_at: number | null }
  const row = await sql.get<Row>(FIND_KEY, [lookup])
  return row && { project: toProject(row), kind: row.kind, lastUsedAt: instantOrNull(row.last_used_at) }
}

/** Letters at the start of a ping key whose spellings are looked for in the index; the rest is compared. */
const SPELLED = 3
const SPELLINGS = 2 ** SPELLED

/** `$1` is the key in small letters; two parameters for each spelling of its start bound those with that start. */
const FIND_PING_KEY = `
  SELECT lookup FROM keys
  WHERE kind = 'ping' AND LOWER(lookup) = $1
    AND (${Array.from({ length: SPELLINGS }, (_, index) => `lookup >= $${2 * index + 2} AND lookup < $${2 * index + 3}`).join(' OR ')})
  LIMIT 3`

/** The ping key that a project has, spelled so or, if none is, in another letter case. @returns null for none, and for several */
export async function findPingKey(sql: Sql, spelled: string): Promise<string | null> {
  // Ping keys are of ASCII characters.
  if (!/^[ -~]{3}/.test(spelled)) return null
  const rows = await sql.all<Pick<KeyRow, 'lookup'>>(FIND_PING_KEY, [
    spelled.toLowerCase(),
    // No key has the character behind all letters.
    ...spellings(spelled.slice(0, SPELLED)).flatMap((start) => [start, `${start}\x7F`]),
  ])
  const keys = rows.map(({ lookup }) => lookup)
  if (keys.includes(spelled)) return spelled
  return keys.length === 1 ? (keys[0] ?? null) : null
}

/** All spellings in small and capital letters, in pairs; a digit gives the same one twice. */
function spellings(text: string): string[] {
  return Array.from(text).reduce(
    (starts, char) => starts.flatMap((start) => [start + char.toLowerCase(), start + char.toUpperCase()]),
    [''],
  )
}

const REHASH = 'UPDATE keys SET lookup = $2 WHERE lookup = $1'

/** Stores an API key by another hash of the same text. Does nothing if there is no such key. */
export async function rehashKey(sql: Sql, lookup: string, newLookup: string): Promise<void> {
  await sql.run(REHASH, [lookup, newLookup])
}

const TOUCH = 'UPDATE keys SET last_used_at = $2 WHERE lookup = $1 AND (last_used_at IS NULL OR last_used_at < $2)'

/** Notes a use of an API key. Does nothing if there is no such key, or a later use is known. */
export async function touchKey(sql: Sql, lookup: string, at: Instant): Promise<void> {
  await sql.run(TOUCH, [lookup, toMicroseconds(at)])
}

/** Deletes the ping keys of the project and creates this one. */
export async function replacePingKeys(sql: Sql, trail: AuditTrail, key: StoredKey): Promise<void> {
  await sql.lock('project', [key.projectId])
  for (const { lookup, kind } of await listKeys(sql, key.projectId)) {
    if (kind === 'ping') await deleteKey(sql, trail, key.projectId, lookup)
  }
  await createKey(sql, trail, key)
}
