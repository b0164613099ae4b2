/** A check's public id, for clients that may read but not ping: a hash of its UUID. */
import { hash } from 'node:crypto'

/**
 * Returns the lower-case hex SHA-1 of the UUID's first 16 hex digits. Healthchecks computes the same, so ids that clients stored remain
 * valid.
 */
export function uniqueKey(checkId: string): string {
  return hash('sha1', checkId.replaceAll('-', '').slice(0, 16))
}
