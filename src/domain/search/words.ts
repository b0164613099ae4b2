/**
 * Splits text into words for the search. A word consists of letters and digits; case, accents and other marks are ignored. Pings and
 * queries are split in the same way with every database engine. Changing this code does not affect words that are already stored.
 */
import { pingSecretsIn } from '../redaction.ts'

export interface Word {
  /**
   * the word in lower case; for a ping secret, or for its beginning if the text was cut, {@link SECRET_MARK} followed by its letters and
   * digits without separators
   */
  readonly word: string
  /** position in the text, in UTF-16 units */
  readonly start: number
  readonly end: number
}

/**
 * Prefix of indexed ping secrets. A secret is indexed as a single word, so that its parts can't be found, and only users who may know the
 * secret can find it. No other word contains this character.
 */
const SECRET_MARK = '§'

/** Maximum length of a stored word. Longer words, such as base64 strings, can be found by their beginning. */
const WORD_LENGTH = 40

/** Maximum length of a word before accents and other marks are removed. Each letter can have several marks. */
const UNITS_FOLDED = 4 * WORD_LENGTH
/** Maximum number of words to read from one text. More words would take too long to store, search and show. */
export const WORDS_READ = 5_000

const ASCII = /^[\0-\x7f]*$/
const ASCII_WORDS = /[a-z0-9]+/gi
/** Matches words. In scripts without spaces between words, each character counts as a word. */
const WORDS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]\p{M}*|(?:[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]]\p{M}*)+/gv
const OTHER = /[^\p{L}\p{N}]/gu

/**
 * Returns words from left to right, at most {@link WORDS_READ}.
 * @param secretsIn finds ping secrets in the text; the default assumes that the text may have been cut before it was stored
 */
export function* wordsOf(text: string, secretsIn = pingSecretsIn): Generator<Word> {
  let count = 0
  for (const word of allWords(text, secretsIn)) {
    yield word
    count += 1
    if (count === WORDS_READ) return
  }
}

function* allWords(text: string, secretsIn: typeof pingSecretsIn): Generator<Word> {
  let from = 0
  for (const match of secretsIn(text)) {
    yield* plainWords(text, from, match.index)
    from = match.index + match[0].length
    yield { word: secretWord(match[0]), start: match.index, end: from }
  }
  yield* plainWords(text, from, text.length)
}

function* plainWords(text: string, from: number, to: number): Generator<Word> {
  const part = text.slice(from, to)
  for (const { 0: found, index } of part.matchAll(ASCII.test(part) ? ASCII_WORDS : WORDS)) {
    const word = folded(found)
    if (word !== '') yield { word, start: from + index, end: from + index + found.length }
  }
}

/** @param text a ping secret, or the beginning of one */
export function secretWord(text: string): string {
  return (
    SECRET_MARK +
    text
      .toLowerCase()
      .replaceAll('%2d', '')
      .replace(/[^a-z0-9]/g, '')
  )
}

export function isSecretWord(word: string): boolean {
  return word.startsWith(SECRET_MARK)
}

function folded(found: string): string {
  if (ASCII.test(found)) return found.slice(0, WORD_LENGTH).toLowerCase()
  const word = found.slice(0, UNITS_FOLDED).toWellFormed().normalize('NFKD').toLowerCase().replace(OTHER, '')
  return word.length <= WORD_LENGTH ? word : Array.from(word).slice(0, WORD_LENGTH).join('')
}
