/** Slugs of projects: the readable part of the addresses of a project's pages. */
import { slugify } from './check/slug.ts'

/** Fewer than the 32 hexadecimal digits of a key, which Healthchecks' addresses have in such a place. */
export const PROJECT_SLUG_LIMIT = 30
const FALLBACK = 'project'

/** The slug of a new project: from its name, in ASCII, numbered when taken. @param taken all slugs */
export function projectSlug(name: string, taken: ReadonlySet<string>): string {
  const base = cut(slugify(name).replaceAll('_', '-'), PROJECT_SLUG_LIMIT) || FALLBACK
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`
    const slug = cut(base, PROJECT_SLUG_LIMIT - suffix.length) + suffix
    if (!taken.has(slug)) return slug
  }
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/-+$/, '')
}

/** Whether a text may be a project's slug; other texts need no lookup. */
export function isProjectSlug(text: string): boolean {
  return text.length <= PROJECT_SLUG_LIMIT && /^[a-z0-9-]+$/.test(text)
}
