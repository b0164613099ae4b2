/** A check's unique key: a hash of its UUID, for clients that may read the check but not ping it. */
import { hash } from 'node:crypto'

/**
 * Returns the SHA-1 of the UUID's first 16 hex digits, in lowercase hex. Healthchecks calculates the same key, so keys stored by clients
 * remain valid.
 */
export function uniqueKey(checkId: string): string {
  return hash('sha1', checkId.replaceAll('-', '').slice(0, 16))
}
