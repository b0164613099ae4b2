/** Paths of the pages of a project's settings. */
import { projectPath } from '../../href.ts'

export const SETTINGS = 'settings'
export const KEYS = 'settings/keys'
export const PING_KEY = 'settings/ping-key'
/** Path that creates a further ping key. */
export const PING_KEYS = 'settings/ping-keys'
export const EXPORT = 'settings/export'
export const DELETE = 'settings/delete'

/** @param lookup hash of the key */
export function revokePath(slug: string, lookup: string): string {
  return projectPath(slug, `${KEYS}/${lookup}/revoke`)
}

/** @param hint the first characters of a ping key: with the whole key, anyone who sees the address could ping */
export function revokePingPath(slug: string, hint: string): string {
  return projectPath(slug, `${PING_KEYS}/${hint}/revoke`)
}
