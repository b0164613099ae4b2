/** Slugs: the readable half of a ping URL. */

export const SLUG_LIMIT = 100
const SLUG = /^[a-z0-9_-]+$/

/**
 * True for what may stand in a ping URL in place of a slug; upper case has an answer of its own there, and so has what is
 * longer than any slug, of which a ping must not make a check.
 */
export function isSlug(text: string): boolean {
  return text.length <= SLUG_LIMIT && SLUG.test(text)
}

/**
 * The slug that API v1 and v2 make from a name: decomposed (NFKD), ASCII only, lower case, blanks and hyphens as one
 * hyphen, other signs dropped. May come out empty. Cut at 100 characters: decomposed, a name is longer than it was.
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
