/** Paths of a project's settings pages. */
import { projectPath } from '../../href.ts'

export const SETTINGS = 'settings'
export const KEYS = 'settings/keys'
export const PING_KEY = 'settings/ping-key'
/** Path for creating another ping key. */
export const PING_KEYS = 'settings/ping-keys'
export const EXPORT = 'settings/export'
export const DELETE = 'settings/delete'

/** @param lookup hash of the API key */
export function revokePath(slug: string, lookup: string): string {
  return projectPath(slug, `${KEYS}/${lookup}/revoke`)
}

/**
 * Returns the path that revokes a ping key. The path contains only the key's first characters, because anyone who sees the complete key,
 * for example in a URL, can send pings.
 * @param hint first characters of the key
 */
export function revokePingPath(slug: string, hint: string): string {
  return projectPath(slug, `${PING_KEYS}/${hint}/revoke`)
}
