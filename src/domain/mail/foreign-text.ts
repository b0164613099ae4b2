/** Text by one person in an email that can be sent to any address. */
import { oneLine, within } from '../../lib/text/text.ts'

const LIMIT = 60
const WORD_JOINER = '\u2060'

/** Returns the text on one short line, written so that no mail program turns it into a link. */
export function foreignText(text: string): string {
  return within(oneLine(text), LIMIT).replace(/[.:/@]/g, `$&${WORD_JOINER}`)
}
