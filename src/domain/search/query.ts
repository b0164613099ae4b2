/** Parses a search. There is no query language, so no text is invalid. */
import { typedPingSecretsIn } from '../redaction.ts'
import { isSecretWord, secretWord, wordsOf } from './words.ts'

/** Limits of a query. Searching a phrase of many frequent words takes as long as searching all of these words. */
export const QUERY_LIMITS = { characters: 200, words: 10 }

/** Consecutive words. */
export interface Phrase {
  readonly words: readonly string[]
  /** true: the last word may be the beginning of a longer one */
  readonly isPrefix: boolean
}

interface Term extends Phrase {
  readonly isQuoted: boolean
}

export interface SearchQuery {
  /** as typed, within the limits; '' for none */
  readonly text: string
  /** all of these are required; empty if the text has no word */
  readonly terms: readonly Term[]
  /** true: the text exceeded the limits */
  readonly isCut: boolean
}

/** A list of terms, all of which are required. Each term is a list of phrases, one of which must occur. */
export type WordPattern = readonly (readonly Phrase[])[]

const TERM = /"([^"]*)(?:"|$)|[^\s"]+/g
/** Minimum length of a searched prefix: so many words share two letters that finding all of them takes long. */
const SHORTEST_BEGINNING = 3
const SHORTEST_SECRET = 4
const ASCII = /^[\0-\x7f]*$/

/**
 * Parses a search. A word matches all words that begin with it. Words in quotes match whole and consecutively. So do words with a sign
 * between them, such as those of a path, except that the last one also matches longer words.
 */
export function parseSearch(typed: string): SearchQuery {
  const whole = typed.toWellFormed().trim()
  const text = Array.from(whole).slice(0, QUERY_LIMITS.characters).join('')
  const terms = new Map<string, Term>()
  let isCut = text.length < whole.length
  let room = QUERY_LIMITS.words
  for (const [term, quoted] of text.matchAll(TERM)) {
    const all = Array.from(wordsOf(quoted ?? term, typedPingSecretsIn), ({ word }) => word)
    const words = all.slice(0, room)
    if (words.length < all.length) isCut = true
    const last = words.at(-1)
    const isQuoted = quoted !== undefined
    const key = `${isQuoted} ${words.join(' ')}`
    if (last === undefined || terms.has(key)) continue
    const mayGoOn = !isQuoted && words.length === all.length && !isSecretWord(last)
    terms.set(key, { words, isPrefix: mayGoOn && Array.from(last).length >= SHORTEST_BEGINNING, isQuoted })
    room -= words.length
  }
  return { text, terms: [...terms.values()], isCut }
}

/**
 * @param knowsSecrets false: the reader must not discover ping secrets, even by guessing their beginnings
 * @returns null if this reader cannot find anything
 */
export function wordPattern({ terms }: SearchQuery, knowsSecrets: boolean): WordPattern | null {
  if (terms.length === 0) return null
  const pattern = terms.map((term) => {
    if (term.words.some(isSecretWord)) return knowsSecrets ? [term] : []
    const begin = secretWord(term.words.join(''))
    const isPhrase = term.isQuoted && term.words.length > 1
    const mayBeginSecret = knowsSecrets && !isPhrase && begin.length > SHORTEST_SECRET
    return mayBeginSecret ? [term, { words: [begin], isPrefix: !term.isQuoted }] : [term]
  })
  return pattern.some((phrases) => phrases.length === 0) ? null : pattern
}

/**
 * Quickly excludes texts that cannot match: most texts don't match, and splitting a text into words takes longer.
 * @returns true if the text may match
 */
export function mayMatch(text: string, pattern: WordPattern): boolean {
  if (!ASCII.test(text)) return true
  const lower = text.toLowerCase()
  return pattern.every((phrases) =>
    phrases.some(({ words: [first = ''] }) => isSecretWord(first) || lower.includes(first)),
  )
}

/** Whether the words contain everything that the pattern requires. */
export function matchesWords(words: readonly string[], pattern: WordPattern): boolean {
  return pattern.every((phrases) => phrases.some((phrase) => words.some((_, index) => standsAt(words, index, phrase))))
}

/** Whether the words from `index` on are those of the phrase. */
export function standsAt(words: readonly string[], index: number, { words: wanted, isPrefix }: Phrase): boolean {
  return wanted.every((word, offset) => {
    const found = words[index + offset]
    return isPrefix && offset === wanted.length - 1 ? found?.startsWith(word) === true : found === word
  })
}
