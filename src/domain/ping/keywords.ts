/** Finds keywords in the bodies of HTTP pings and in emails. */

/** Splits a comma-separated list into keywords. Trims each keyword and skips empty ones. */
export function splitKeywords(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

export interface FoundKeyword {
  readonly word: string
  /** index of the keyword's first character in the text, in UTF-16 units */
  readonly at: number
}

/**
 * Returns the first keyword in the list that occurs in the text, with the position of its first occurrence; null if none does. The search
 * is case-sensitive.
 */
export function findKeyword(text: string, list: string): FoundKeyword | null {
  if (list === '') return null
  for (const word of splitKeywords(list)) {
    const at = text.indexOf(word)
    if (at >= 0) return { word, at }
  }
  return null
}
