/** Text that is written by one user and emailed to another. */
import { oneLine, within } from '../../lib/text/text.ts'

const LIMIT = 60
const WORD_JOINER = '\u2060'

/** Shortens the text to a single line and prevents mail programs from turning parts of it into links. */
export function foreignText(text: string): string {
  return within(oneLine(text), LIMIT).replace(/[.:/@]/g, `$&${WORD_JOINER}`)
}
