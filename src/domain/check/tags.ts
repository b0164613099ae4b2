/** Tags: one space-separated string on the wire and in the store, a list of distinct words elsewhere. */
import { isStorable } from '../../lib/text/text.ts'
import { codePoints } from '../schema.ts'

/** Maximum length of all tags of a check together, in characters, including the spaces. */
export const TAGS_LIMIT = 500

/** Whether a check may have these tags. */
export function isTagsText(tags: string): boolean {
  return codePoints(tags) <= TAGS_LIMIT
}

const SPACE = /\s/

/** Whether a text is one tag. */
export function isTag(text: string): boolean {
  return text !== '' && !SPACE.test(text) && isTagsText(text) && isStorable(text)
}

/** Returns the distinct tags in order of appearance. */
export function splitTags(tags: string): string[] {
  // Most checks have one tag or none, and a list has thousands of checks.
  if (tags !== '' && !SPACE.test(tags)) return [tags]
  return [...new Set(tags.split(/\s+/).filter((tag) => tag !== ''))]
}

/** Whether `tags` contains all of `wanted` as whole tags, case-sensitively. */
export function hasTags(tags: string, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true
  const present = new Set(splitTags(tags))
  return wanted.every((tag) => present.has(tag))
}
