/** Slugs: the readable part of ping URLs. */

export const SLUG_LIMIT = 100
const SLUG = /^[a-z0-9_-]+$/

/**
 * Whether a text is a valid slug in a ping URL. A slug with upper case, or one that is too long, gets a separate error, so that such a ping
 * never creates a check.
 */
export function isSlug(text: string): boolean {
  return text.length <= SLUG_LIMIT && SLUG.test(text)
}

/**
 * Returns the slug that API v1 and v2 derive from a name: decomposed (NFKD), reduced to ASCII, in lower case, with each run of spaces and
 * hyphens as one hyphen and all other characters removed. May be empty. It is limited to 100 characters, because decomposing can make a
 * name longer.
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
