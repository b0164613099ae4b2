/** Slugs: the readable part of a ping URL. */

export const SLUG_LIMIT = 100
const SLUG = /^[a-z0-9_-]+$/

/**
 * Whether a text is a valid slug in a ping URL. Ping URLs with upper case or a longer text get answers of their own: a ping must not create
 * a check from them.
 */
export function isSlug(text: string): boolean {
  return text.length <= SLUG_LIMIT && SLUG.test(text)
}

/**
 * Returns the slug that API v1 and v2 derive from a name: decomposed (NFKD), ASCII only, lower case, runs of spaces and hyphens as one
 * hyphen, other characters dropped. May be empty. Cut at 100 characters, because a decomposed name can be longer than the name.
 */
export function slugify(name: string): string {
  return (
    name
      .normalize('NFKD')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "everything that is not ASCII"
      .replace(/[^\x00-\x7f]/g, '')
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/[-\s]+/g, '-')
      .replace(/^[-_]+/, '')
      .slice(0, SLUG_LIMIT)
      .replace(/[-_]+$/, '')
  )
}
