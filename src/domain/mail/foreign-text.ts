/** Text that one user writes and another receives by email. */
import { oneLine, within } from '../../lib/text/text.ts'

const LIMIT = 60
const WORD_JOINER = '\u2060'

/** Shortens the text to a single line and prevents mail programs from turning it into a link. */
export function foreignText(text: string): string {
  return within(oneLine(text), LIMIT).replace(/[.:/@]/g, `$&${WORD_JOINER}`)
}
