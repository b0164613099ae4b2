/** Tags: one space-separated string on the wire and in the store, a list of distinct words elsewhere. */

/** The distinct tags in order of appearance. */
export function splitTags(tags: string): string[] {
  return [...new Set(tags.split(/\s+/).filter((tag) => tag !== ''))]
}

/** True when `tags` contains all of `wanted` as whole tags, case-sensitively. */
export function hasTags(tags: string, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true
  const present = new Set(splitTags(tags))
  return wanted.every((tag) => present.has(tag))
}
