/** The name of a check for those who may look but not ping: derived from its UUID, not leading back to it. */
import { hash } from 'node:crypto'

/** Lower-case hex SHA-1 of the first 16 hex digits of the UUID, as clients of the peer have stored it. */
export function uniqueKey(checkId: string): string {
  return hash('sha1', checkId.replaceAll('-', '').slice(0, 16))
}
