/** Handles secrets from the servers that projects were imported from. These secrets keep imported API keys and badge URLs valid. */
import { signedTag, tagReadings } from '../../domain/badge-urls.ts'
import { hashApiKey, isApiKey, isHealthchecksKey } from '../../domain/project.ts'
import { isSameSecret } from '../../lib/secrets/same-secret.ts'
import type { ImportedSecret, KeyWithProject } from '../../store/store.ts'
import type { Deps } from './deps.ts'

export interface FoundKey extends KeyWithProject {
  /** hash of the key under this server's secret; it identifies the key */
  readonly lookup: string
  /** hash under which the key is stored; until the key is first used on this server, the hash was created with the old server's secret */
  readonly storedAs: string
}

/** Finds an API key by its text. Imported secrets are tried only if the text has the format of a Healthchecks or Overdue key. */
export async function findApiKey(
  { store, site }: Pick<Deps, 'store' | 'site'>,
  text: string,
): Promise<FoundKey | null> {
  const lookup = hashApiKey(text, site.secret)
  for await (const storedAs of possibleLookups({ store, site }, text)) {
    const key = await store.keys.find(storedAs)
    if (key) return { ...key, lookup, storedAs }
  }
  return null
}

/**
 * Yields the hashes under which an API key may be stored, starting with the hash that uses this server's secret. The imported secrets are
 * read only if needed.
 */
export async function* possibleLookups(
  { store, site }: Pick<Deps, 'store' | 'site'>,
  text: string,
): AsyncGenerator<string> {
  const own = hashApiKey(text, site.secret)
  yield own
  if (!isHealthchecksKey(text) && !isApiKey(text)) return
  const secrets = new Set((await store.imports.listSecrets()).map(({ secret }) => secret))
  for (const secret of secrets) yield hashApiKey(text, secret)
  // Another request may have stored the key under this server's hash in the meantime.
  if (secrets.size > 0) yield own
}

/**
 * Returns the tag from a badge URL that was signed by the project's old server. Returns null if the signature is not valid.
 * @param encoded the tag as it is encoded in the URL
 */
export function importedTag(
  secrets: readonly ImportedSecret[],
  badgeKey: string,
  signature: string,
  encoded: string,
): string | null {
  const ofProject = secrets.filter((imported) => imported.badgeKey === badgeKey)
  for (const { secret } of ofProject) {
    const tag = signedTag(badgeKey, signature, encoded, secret)
    if (tag !== null) return tag
  }
  return null
}

/**
 * Returns the tag from a badge URL that the project's old server published, for projects whose old server's secret is unknown. Returns null
 * for other URLs.
 * @param listSignatures lists the signatures in the tag's published badge URLs
 * @param encoded the tag as it is encoded in the URL
 */
export async function publishedTag(
  listSignatures: (tag: string) => Promise<readonly string[]>,
  signature: string,
  encoded: string,
): Promise<string | null> {
  for (const tag of tagReadings(encoded)) {
    if ((await listSignatures(tag)).some((published) => isSameSecret(signature, published))) return tag
  }
  return null
}
