/** Keyword lists, for HTTP bodies and for email pings. */

/** The keywords of a comma-separated list, trimmed and without empty ones. */
export function splitKeywords(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

/** True when `text` contains a keyword of `list`, case-sensitively; an empty list never matches. */
export function containsKeyword(text: string, list: string): boolean {
  return splitKeywords(list).some((word) => text.includes(word))
}
