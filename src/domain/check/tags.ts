/** Tags: one text separated by spaces in the API and in the store, and a list of distinct words elsewhere. */
import { isStorable } from '../../lib/text/text.ts'
import { codePoints } from '../schema.ts'

/** Maximum length of all tags of a check, in characters, including spaces. */
export const TAGS_LIMIT = 500

/** Whether a text is valid as the tags of a check. */
export function isTagsText(tags: string): boolean {
  return codePoints(tags) <= TAGS_LIMIT
}

const SPACE = /\s/

/** Whether a text is a single tag. */
export function isTag(text: string): boolean {
  return text !== '' && !SPACE.test(text) && isTagsText(text) && isStorable(text)
}

/** Returns the distinct tags, in the order in which they appear. */
export function splitTags(tags: string): string[] {
  // A fast path: most checks have one tag or none, and a list has thousands of checks.
  if (tags !== '' && !SPACE.test(tags)) return [tags]
  return [...new Set(tags.split(/\s+/).filter((tag) => tag !== ''))]
}

/** Whether `tags` includes every tag in `wanted`, case-sensitively. */
export function hasTags(tags: string, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true
  const present = new Set(splitTags(tags))
  return wanted.every((tag) => present.has(tag))
}
