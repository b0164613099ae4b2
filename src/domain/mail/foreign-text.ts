/** Text that somebody wrote, in an email that anybody can have sent to anyone. */
import { oneLine, within } from '../../lib/text/text.ts'

const LIMIT = 60
const WORD_JOINER = '\u2060'

/** One line, not long, and no link in any mail program. */
export function foreignText(text: string): string {
  return within(oneLine(text), LIMIT).replace(/[.:/@]/g, `$&${WORD_JOINER}`)
}
