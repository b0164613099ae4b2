/** Parses search queries. There is no query syntax, so every string is a valid query. */
import { typedPingSecretsIn } from '../redaction.ts'
import { isSecretWord, secretWord, wordsOf } from './words.ts'

/** Limits for a query. Searching for a phrase of many common words takes as long as searching for each word separately. */
export const QUERY_LIMITS = { characters: 200, words: 10 }

/** Words that must appear next to each other, in this order. */
export interface Phrase {
  readonly words: readonly string[]
  /** true if the last word may be the beginning of a longer word */
  readonly isPrefix: boolean
}

interface Term extends Phrase {
  readonly isQuoted: boolean
}

export interface SearchQuery {
  /** the query as typed, truncated to the limits; '' if there is none */
  readonly text: string
  /** terms that must all occur; empty if the query contains no words */
  readonly terms: readonly Term[]
  /** true if the query exceeded the limits */
  readonly isCut: boolean
}

/** A list of terms that must all occur. Each term is a list of alternative phrases, at least one of which must occur. */
export type WordPattern = readonly (readonly Phrase[])[]

const TERM = /"([^"]*)(?:"|$)|[^\s"]+/g
/** Minimum length of a prefix to search for. Many words start with the same two letters, so finding all of them would take too long. */
const SHORTEST_BEGINNING = 3
const SHORTEST_SECRET = 4
const ASCII = /^[\0-\x7f]*$/

/**
 * Parses a query. A word matches all words that begin with it. Quoted words match only whole words in the same order. Words with
 * punctuation between them, as in a path, are also matched in order, but the last one can be the beginning of a longer word.
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
 * @param knowsSecrets false if the reader must not be able to find ping secrets, even by guessing their first characters
 * @returns null if nothing can match for this reader
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
 * Quickly excludes text that can't match. Most text doesn't match, and splitting it into words is slower.
 * @returns true if the text may match
 */
export function mayMatch(text: string, pattern: WordPattern): boolean {
  if (!ASCII.test(text)) return true
  const lower = text.toLowerCase()
  return pattern.every((phrases) =>
    phrases.some(({ words: [first = ''] }) => isSecretWord(first) || lower.includes(first)),
  )
}

/** Whether the words match every term of the pattern. */
export function matchesWords(words: readonly string[], pattern: WordPattern): boolean {
  return pattern.every((phrases) => phrases.some((phrase) => words.some((_, index) => standsAt(words, index, phrase))))
}

/** Whether the phrase occurs in the words at this index. */
export function standsAt(words: readonly string[], index: number, { words: wanted, isPrefix }: Phrase): boolean {
  return wanted.every((word, offset) => {
    const found = words[index + offset]
    return isPrefix && offset === wanted.length - 1 ? found?.startsWith(word) === true : found === word
  })
}
