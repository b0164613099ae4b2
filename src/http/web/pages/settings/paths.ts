/** Where the pages of a project's settings are. */
import { projectPath } from '../../href.ts'

export const SETTINGS = 'settings'
export const KEYS = 'settings/keys'
export const PING_KEY = 'settings/ping-key'
export const EXPORT = 'settings/export'
export const DELETE = 'settings/delete'

/** @param lookup of the key: a hash of it */
export function revokePath(slug: string, lookup: string): string {
  return projectPath(slug, `${KEYS}/${lookup}/revoke`)
}
