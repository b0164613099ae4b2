/** Project slugs: the readable part in the URLs of a project's pages. */
import { type RandomBytes, randomText, SMALL_AND_DIGITS } from '../lib/secrets/random-text.ts'
import { slugify } from './check/slug.ts'

/** Maximum length of a slug. In Healthchecks' URLs, a key of 32 hexadecimal digits is in the same place, so a slug must be shorter. */
export const PROJECT_SLUG_LIMIT = 30
const FALLBACK = 'project'

/** Number of random characters in a slug. If 10,000 projects had the same name, a collision would occur on one in 50,000 servers. */
const DRAWN = 8

/**
 * Returns a new project's slug: its name in ASCII, followed by random letters and digits so that it is unique. A number after a slug that
 * is taken would reveal the names of other projects.
 */
export function projectSlug(name: string, randomBytes: RandomBytes): string {
  const drawn = `-${randomText(DRAWN, SMALL_AND_DIGITS, randomBytes)}`
  const base = slugify(name)
    .replaceAll('_', '-')
    .slice(0, PROJECT_SLUG_LIMIT - drawn.length)
  return (base.replace(/-+$/, '') || FALLBACK) + drawn
}

/** Whether a text looks like a project slug. If it does not, no look-up is needed. */
export function isProjectSlug(text: string): boolean {
  return text.length <= PROJECT_SLUG_LIMIT && /^[a-z0-9-]+$/.test(text)
}
