/** Matches typed words against text. */

/**
 * Splits text into words.
 * @returns an empty list if the text contains no words
 */
export function wordsIn(typed: string): readonly string[] {
  return typed.toLowerCase().split(/\s+/).filter(Boolean)
}

/**
 * Returns how well an option matches; lower is better.
 * @param more text to search in addition to the name
 * @returns -1 if a word is missing
 */
export function rank(name: string, more: string, words: readonly string[]): number {
  const text = `${name} ${more}`
  const [first = ''] = words
  if (!words.every((word) => text.includes(word))) return -1
  if (name.startsWith(first)) return 0
  if (name.includes(` ${first}`)) return 1
  return name.includes(first) ? 2 : 3
}

/** Highlights the words in an option's name. */
export function mark(option: Element, words: readonly string[]): void {
  const element = option.querySelector('bdi, i') ?? option.querySelector('span')
  if (!element || words.length === 0) return
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const pieces = element.textContent.split(new RegExp(`(${escaped.join('|')})`, 'giu'))
  element.replaceChildren(
    ...pieces.map((piece, index) => {
      if (index % 2 === 0) return piece
      const hit = document.createElement('mark')
      hit.textContent = piece
      return hit
    }),
  )
}
