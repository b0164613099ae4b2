/** Where the pages of a project's settings are. */
import { projectPath } from '../../href.ts'

export const SETTINGS = 'settings'
export const KEYS = 'settings/keys'
export const PING_KEY = 'settings/ping-key'
/** Another ping key beside those that there are. */
export const PING_KEYS = 'settings/ping-keys'
export const EXPORT = 'settings/export'
export const DELETE = 'settings/delete'

/** @param lookup of the key: a hash of it */
export function revokePath(slug: string, lookup: string): string {
  return projectPath(slug, `${KEYS}/${lookup}/revoke`)
}

/** @param hint the first characters of a ping key: the whole would let whoever sees the address ping */
export function revokePingPath(slug: string, hint: string): string {
  return projectPath(slug, `${PING_KEYS}/${hint}/revoke`)
}
