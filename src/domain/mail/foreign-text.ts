/** Text written by one person in an email that anyone may trigger to any address. */
import { oneLine, within } from '../../lib/text/text.ts'

const LIMIT = 60
const WORD_JOINER = '\u2060'

/** Returns the text on one short line, without links in any mail program. */
export function foreignText(text: string): string {
  return within(oneLine(text), LIMIT).replace(/[.:/@]/g, `$&${WORD_JOINER}`)
}
