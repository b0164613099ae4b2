/** Stores project keys. API keys are looked up by a keyed hash, and ping keys by the key itself. */
import { auditedKey } from '../../domain/audit/subjects.ts'
import type { StoredKey } from '../../domain/project.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { KeyWithProject } from '../interface/projects.ts'
import { columns, word } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { KEYS, PROJECTS } from '../tables/projects.ts'

export async function createKey(sql: Sql, trail: AuditTrail, key: StoredKey): Promise<void> {
  await KEYS.insert(sql, key)
  await trail.note(null, auditedKey(key))
}

/** Lists a project's keys, oldest first. */
export function listKeys(sql: Sql, projectId: string): Promise<StoredKey[]> {
  return KEYS.all(sql, 'SELECT * FROM keys WHERE project_id = $1 ORDER BY created_at, kind', [projectId])
}

/** Deletes a key. @returns false if the project has no such key */
export async function deleteKey(sql: Sql, trail: AuditTrail, projectId: string, lookup: string): Promise<boolean> {
  const key = await KEYS.get(sql, 'SELECT * FROM keys WHERE project_id = $1 AND lookup = $2', [projectId, lookup])
  if (!key || (await sql.run('DELETE FROM keys WHERE lookup = $1', [lookup])) === 0) return false
  await trail.note(auditedKey(key), null)
  return true
}

const FIND_KEY = `
  SELECT projects.*, keys.kind, keys.last_used_at FROM keys JOIN projects ON projects.id = keys.project_id
  WHERE keys.lookup = $1 AND keys.kind <> 'ping'`

const FOUND = columns<KeyWithProject>({ project: PROJECTS, kind: word(), lastUsedAt: KEYS.members.lastUsedAt })

/** Finds an API key with its project. @param lookup keyed hash of the key */
export function findKey(sql: Sql, lookup: string): Promise<KeyWithProject | null> {
  return FOUND.get(sql, FIND_KEY, [lookup])
}

/**
 * Number of letters at the start of a ping key for which all upper- and lower-case spellings are looked up in the index. The rest of the
 * key is then compared.
 */
const SPELLED = 3
const SPELLINGS = 2 ** SPELLED

/**
 * Finds a ping key, ignoring case. `$1` is the key in lower case. For each spelling of the key's first letters, two parameters are the
 * bounds of the range of keys that begin with that spelling.
 */
const FIND_PING_KEY = `
  SELECT lookup FROM keys
  WHERE kind = 'ping' AND LOWER(lookup) = $1
    AND (${Array.from({ length: SPELLINGS }, (_, index) => `lookup >= $${2 * index + 2} AND lookup < $${2 * index + 3}`).join(' OR ')})
  LIMIT 3`

/**
 * Finds the ping key with exactly this spelling or, if there is none, the one that differs from it only in case.
 * @returns null if there is neither, or if several keys differ from it only in case
 */
export async function findPingKey(sql: Sql, spelled: string): Promise<string | null> {
  // Ping keys contain only ASCII characters.
  if (!/^[ -~]{3}/.test(spelled)) return null
  const rows = await sql.all<{ lookup: string }>(FIND_PING_KEY, [
    spelled.toLowerCase(),
    // The character \x7F sorts after all letters, and no key contains it.
    ...spellings(spelled.slice(0, SPELLED)).flatMap((start) => [start, `${start}\x7F`]),
  ])
  const keys = rows.map(({ lookup }) => lookup)
  if (keys.includes(spelled)) return spelled
  return keys.length === 1 ? (keys[0] ?? null) : null
}

/** Returns the string in all combinations of lower and upper case. For a digit, both spellings are the same. */
function spellings(text: string): string[] {
  return Array.from(text).reduce(
    (starts, char) => starts.flatMap((start) => [start + char.toLowerCase(), start + char.toUpperCase()]),
    [''],
  )
}

const REHASH = 'UPDATE keys SET lookup = $2 WHERE lookup = $1'

/** Stores an API key under a different hash of the same key. Does nothing if there is no such key. */
export async function rehashKey(sql: Sql, lookup: string, newLookup: string): Promise<void> {
  await sql.run(REHASH, [lookup, newLookup])
}

const TOUCH = 'UPDATE keys SET last_used_at = $2 WHERE lookup = $1 AND (last_used_at IS NULL OR last_used_at < $2)'

/** Records that an API key was used. Does nothing if the key does not exist or a later use is known. */
export async function touchKey(sql: Sql, lookup: string, at: Instant): Promise<void> {
  await sql.run(TOUCH, [lookup, toMicroseconds(at)])
}

/** Deletes the project's ping keys and creates the given one. */
export async function replacePingKeys(sql: Sql, trail: AuditTrail, key: StoredKey): Promise<void> {
  await sql.lock('project', [key.projectId])
  for (const { lookup, kind } of await listKeys(sql, key.projectId)) {
    if (kind === 'ping') await deleteKey(sql, trail, key.projectId, lookup)
  }
  await createKey(sql, trail, key)
}
