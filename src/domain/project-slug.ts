/** Project slugs. A slug is the readable part of the URLs of a project's pages. */
import { type RandomBytes, randomText, SMALL_AND_DIGITS } from '../lib/secrets/random-text.ts'
import { slugify } from './check/slug.ts'

/**
 * Maximum length of a slug. It must be less than 32, because Healthchecks' URLs have a key of 32 hexadecimal digits in the same position.
 */
export const PROJECT_SLUG_LIMIT = 30
const FALLBACK = 'project'

/**
 * Number of random characters in a slug. Even if a server has 10,000 projects with the same name, the chance of a collision is only one in
 * 50,000.
 */
const DRAWN = 8

/**
 * Returns a slug for a new project: its name in ASCII, followed by random letters and digits that make it unique. Appending a number to a
 * slug that is taken would reveal that another project has the same name.
 */
export function projectSlug(name: string, randomBytes: RandomBytes): string {
  const drawn = `-${randomText(DRAWN, SMALL_AND_DIGITS, randomBytes)}`
  const base = slugify(name)
    .replaceAll('_', '-')
    .slice(0, PROJECT_SLUG_LIMIT - drawn.length)
  return (base.replace(/-+$/, '') || FALLBACK) + drawn
}

/** Whether a string looks like a project slug. If it does not, no database lookup is needed. */
export function isProjectSlug(text: string): boolean {
  return text.length <= PROJECT_SLUG_LIMIT && /^[a-z0-9-]+$/.test(text)
}
