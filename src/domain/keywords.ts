/** Keyword lists, shared by the bodies of HTTP pings and by mail pings. */

/** The keywords of a comma-separated list, trimmed, empty ones dropped. */
export function splitKeywords(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

/** True when `text` contains one of the keywords of `list`, case-sensitively; an empty list never matches. */
export function containsKeyword(text: string, list: string): boolean {
  return splitKeywords(list).some((word) => text.includes(word))
}
