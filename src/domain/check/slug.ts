/** Slugs: the readable part of ping URLs. */

export const SLUG_LIMIT = 100
const SLUG = /^[a-z0-9_-]+$/

/**
 * Whether a string is a valid slug in a ping URL. A slug that has capital letters or is too long is rejected with a separate error, so that
 * such a ping never creates a check.
 */
export function isSlug(text: string): boolean {
  return text.length <= SLUG_LIMIT && SLUG.test(text)
}

/**
 * Derives a slug from a name, as API v1 and v2 do: decomposes it (NFKD), reduces it to ASCII in lower case, replaces each run of spaces and
 * hyphens with one hyphen, and removes all other characters. The slug may be empty. It is cut to 100 characters, because decomposition can
 * make a name longer.
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
