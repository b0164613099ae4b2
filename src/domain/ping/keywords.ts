/** Keyword lists, for HTTP bodies and for email pings. */

/** Returns the keywords of a comma-separated list, trimmed and without empty ones. */
export function splitKeywords(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

export interface FoundKeyword {
  readonly word: string
  /** index of its first character in the text, in UTF-16 units */
  readonly at: number
}

/** Returns the first keyword of `list` that `text` contains, case-sensitively, and where it first occurs; null without any. */
export function findKeyword(text: string, list: string): FoundKeyword | null {
  if (list === '') return null
  for (const word of splitKeywords(list)) {
    const at = text.indexOf(word)
    if (at >= 0) return { word, at }
  }
  return null
}
