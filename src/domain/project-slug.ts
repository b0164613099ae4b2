/** Slugs of projects: the readable part of the addresses of a project's pages. */
import { type RandomBytes, randomText, SMALL_AND_DIGITS } from '../lib/secrets/random-text.ts'
import { slugify } from './check/slug.ts'

/** Fewer than the 32 hexadecimal digits of a key, which Healthchecks' URLs have in this place. */
export const PROJECT_SLUG_LIMIT = 30
const FALLBACK = 'project'

/** Random characters of a slug. Of 10,000 projects with the same name, two collide on one in 50,000 servers. */
const DRAWN = 8

/**
 * Returns the slug of a new project: its name in ASCII, with random letters and digits. No other project has it, and unlike a number after
 * a taken slug, it reveals nothing about the names of others.
 */
export function projectSlug(name: string, randomBytes: RandomBytes): string {
  const drawn = `-${randomText(DRAWN, SMALL_AND_DIGITS, randomBytes)}`
  const base = slugify(name)
    .replaceAll('_', '-')
    .slice(0, PROJECT_SLUG_LIMIT - drawn.length)
  return (base.replace(/-+$/, '') || FALLBACK) + drawn
}

/** Whether a text may be a project's slug; other texts need no lookup. */
export function isProjectSlug(text: string): boolean {
  return text.length <= PROJECT_SLUG_LIMIT && /^[a-z0-9-]+$/.test(text)
}
