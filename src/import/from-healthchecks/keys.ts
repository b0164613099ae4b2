/** Converts the keys of Healthchecks' projects, and verifies the secret that was used to hash them. */

import { signBadge } from '../../domain/badge-urls.ts'
import type { ImportedKey, ImportedProject } from '../../domain/import/import-source.ts'
import type { ApiKeyKind } from '../../domain/key-kind.ts'
import { API_KEY_LENGTH, hashApiKey } from '../../domain/project.ts'
import { isSameSecret } from '../../lib/secrets/same-secret.ts'
import type { Instant } from '../../lib/time.ts'
import type { Note } from './notes.ts'
import type { SourceRow } from './tables.ts'
import { textOf } from './values.ts'

/** Matches hashed keys (v3.11 and newer): eight characters of the key, followed by its HMAC-SHA256 with the server's SECRET_KEY. */
const HASHED = /^([A-Za-z0-9_-]{8})\.([0-9a-f]{64})$/
const PING_KEY_LIMIT = 128
const PLAIN = /^[A-Za-z0-9_-]+$/

const KINDS: readonly (readonly [column: string, kind: ApiKeyKind, prefix: string])[] = [
  ['api_key', 'read-write', 'hcw_'],
  ['api_key_readonly', 'read-only', 'hcr_'],
]

/** @param secret secret of the old server; without it, hashed keys are omitted */
export function mapKeys(
  row: SourceRow,
  project: string,
  createdAt: Instant,
  secret: string | null,
  note: Note,
): ImportedKey[] {
  const keys: ImportedKey[] = []
  for (const [column, kind, prefix] of KINDS) {
    const stored = textOf(row[column])
    const [, begin = '', lookup = ''] = HASHED.exec(stored) ?? []
    const common = { kind, name: '', createdAt }
    if (stored === '') continue
    if (lookup !== '' && secret !== null) keys.push({ ...common, lookup, hint: prefix + begin.slice(0, 4) })
    else if (lookup !== '') {
      const reason = 'The key is stored as a hash, which is useless without the SECRET_KEY of the old server.'
      const advice = 'Import with that secret, or create a new key and give it to the clients.'
      note({ kind: 'left-out', subject: 'API key', name: kind, project, reason, advice })
    } else if (stored.length === API_KEY_LENGTH && PLAIN.test(stored)) keys.push({ ...common, text: stored })
    else {
      const reason = 'The key is not in a format that Healthchecks accepts.'
      note({ kind: 'left-out', subject: 'API key', name: kind, project, reason, advice: 'Create a new key.' })
    }
  }
  const pingKey = textOf(row.ping_key)
  if (PLAIN.test(pingKey) && pingKey.length <= PING_KEY_LIMIT) {
    keys.push({ kind: 'ping', name: '', createdAt, text: pingKey })
  } else if (pingKey !== '') {
    const reason = 'The key has characters or a length that a ping URL cannot have.'
    note({ kind: 'left-out', subject: 'ping key', name: 'ping', project, reason, advice: 'Create a new key.' })
  }
  return keys
}

/** An API key or badge URL that the old server has issued. */
export type SecretProof = { readonly apiKey: string } | { readonly badgeUrl: string }

/**
 * Checks whether a secret is the old server's secret. The result is `unknown` if the proof does not belong to these projects. @param
 * projects projects that were converted with any secret, so that they include their hashed keys
 */
export function verifySecret(
  secret: string,
  proof: SecretProof,
  projects: readonly Pick<ImportedProject, 'keys' | 'badgeKey'>[],
): 'right' | 'wrong' | 'unknown' {
  return 'apiKey' in proof
    ? verifyByKey(secret, proof.apiKey, projects)
    : verifyByBadge(secret, proof.badgeUrl, projects)
}

function verifyByKey(secret: string, apiKey: string, projects: readonly Pick<ImportedProject, 'keys'>[]) {
  const hashed = projects.flatMap(({ keys }) => keys.filter((key) => 'lookup' in key))
  const candidates = hashed.filter(({ hint }) => apiKey.startsWith(hint))
  if (candidates.length === 0) return 'unknown'
  const lookup = hashApiKey(apiKey, secret)
  return candidates.some((key) => isSameSecret(key.lookup, lookup)) ? 'right' : 'wrong'
}

const BADGE_PATH = /\/badge\/([^/]+)\/([\w-]{8})(?:-2)?(?:\/([^/]+))?\.(?:svg|json|shields)$/

function verifyByBadge(secret: string, url: string, projects: readonly Pick<ImportedProject, 'badgeKey'>[]) {
  const path = /^[^?#]*/.exec(url)?.[0] ?? ''
  const [, badgeKey, signature, tag] = BADGE_PATH.exec(path) ?? []
  if (badgeKey === undefined || !projects.some((project) => project.badgeKey === badgeKey)) return 'unknown'
  // In published URLs the tag is encoded twice, because proxies decode a path once.
  const name = tag === undefined ? '*' : decoded(decoded(tag))
  return signature !== undefined && isSameSecret(signBadge(badgeKey, name, secret), signature) ? 'right' : 'wrong'
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
