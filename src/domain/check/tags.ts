/** Tags. In the API and in the store, they are a single space-separated string; elsewhere, a list of distinct words. */
import { isStorable } from '../../lib/text/text.ts'
import { codePoints } from '../schema.ts'

/** Maximum total length of a check's tags in characters, including spaces. */
export const TAGS_LIMIT = 500

/** Whether a string is valid as a check's tags. */
export function isTagsText(tags: string): boolean {
  return codePoints(tags) <= TAGS_LIMIT
}

const SPACE = /\s/

/** Whether a string is a single tag. */
export function isTag(text: string): boolean {
  return text !== '' && !SPACE.test(text) && isTagsText(text) && isStorable(text)
}

/** Returns the distinct tags in order of appearance. */
export function splitTags(tags: string): string[] {
  // This is a shortcut: most checks have at most one tag, and a list can have thousands of checks.
  if (tags !== '' && !SPACE.test(tags)) return [tags]
  return [...new Set(tags.split(/\s+/).filter((tag) => tag !== ''))]
}

/** Whether `tags` includes every tag in `wanted`. Case matters. */
export function hasTags(tags: string, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true
  const present = new Set(splitTags(tags))
  return wanted.every((tag) => present.has(tag))
}
