/** Shows the position of a mistake in a text. */

export interface Mistake {
  readonly position: number
  /** length in characters */
  readonly length: number
}

/** @returns the line that contains the mistake, and a second line with carets below the mistake */
export function excerpt(text: string, { position, length }: Mistake): string[] {
  const start = text.lastIndexOf('\n', position - 1) + 1
  const end = text.indexOf('\n', position)
  const line = text.slice(start, end < 0 ? undefined : end)
  const column = position - start
  const carets = '^'.repeat(Math.max(1, Math.min(length, line.length - column)))
  // Keeps tabs, so that the carets line up with the mistake.
  return [line, `${line.slice(0, column).replace(/\S/gu, ' ')}${carets}`]
}
