/** The rules for comments: a docstring opens with the noun or the verb of what it describes, and "who" has a noun before it. */
import type { Source } from '../source-scan.ts'
import type { Violation } from './rooms.ts'

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g
const MARGIN = /\s*\n\s*(?:\*|\/\/)?\s*/g
const OPENING = /^\/\*\*\s*(?:\*\s*)?(?:Of|By|Those|In|As|To|For|That|With|What|Who|Whoever)\b/
/** The pronoun without a noun: as the subject of a sentence, or after a preposition. A list ("who is on it") and a clause after a comma have one. */
const BARE_WHO = /\bwhoever\b|(?:^|[.;]\s|\b(?:for|by|to|that|if|with|from|but|as|when|than)\s)who\b/gi

const OPENS_WITHOUT_NOUN = 'a docstring opens with the noun or the verb of what it describes'
const HAS_BARE_WHO = '"who" needs a noun before it: "a person who", "members who"'

export function proseViolations({ path: file, text }: Source): Violation[] {
  return [...text.matchAll(COMMENT)].flatMap(([comment]) => {
    const line = comment.replace(/^\/\*\*?\s*|^\/\/\s*/, '').replace(MARGIN, ' ')
    const bare = [...line.matchAll(BARE_WHO)].map(({ index }): Violation => {
      return { file, found: line.slice(Math.max(0, index - 30), index + 30), rule: HAS_BARE_WHO }
    })
    return OPENING.test(comment) ? [{ file, found: line.slice(0, 60), rule: OPENS_WITHOUT_NOUN }, ...bare] : bare
  })
}
