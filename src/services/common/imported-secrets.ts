/**
 * The secrets of servers whose projects were imported. A key that was hashed with one of them, and a badge URL that was signed with one,
 * stay valid.
 */
import { signedTag, tagReadings } from '../../domain/badge-urls.ts'
import { hashApiKey, isApiKey, isHealthchecksKey } from '../../domain/project.ts'
import { isSameSecret } from '../../lib/secrets/same-secret.ts'
import type { ImportedSecret, KeyWithProject } from '../../store/store.ts'
import type { Deps } from './deps.ts'

export interface FoundKey extends KeyWithProject {
  /** its hash with our own secret, which identifies it */
  readonly lookup: string
  /** the hash under which it is stored: another one until its first use here */
  readonly storedAs: string
}

/** Finds an API key by its text. Only a text in a format of Healthchecks or this program is tried with imported secrets. */
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

/** Yields the hashes under which an API key of that text may be stored, our own first. The others are read on demand. */
export async function* possibleLookups(
  { store, site }: Pick<Deps, 'store' | 'site'>,
  text: string,
): AsyncGenerator<string> {
  const own = hashApiKey(text, site.secret)
  yield own
  if (!isHealthchecksKey(text) && !isApiKey(text)) return
  const secrets = new Set((await store.imports.listSecrets()).map(({ secret }) => secret))
  for (const secret of secrets) yield hashApiKey(text, secret)
  // Another request may have stored it under our hash since that was tried.
  if (secrets.size > 0) yield own
}

/** Returns the tag of a badge URL that the source of the project has signed; null if it has not. @param encoded the tag as in the URL */
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
 * Returns the tag of a badge URL that the source of the project has published, and whose secret is unknown here; null if it is none of
 * them.
 * @param listSignatures lists signatures with which badges of the tag were published
 * @param encoded the tag as in the URL
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
