/** Reads what somebody searches. It never contains a language of its own: every text means something, or nothing. */
import { typedPingSecretsIn } from '../redaction.ts'
import { isSecretWord, secretWord, wordsOf } from './words.ts'

/** A phrase of many words that stand everywhere takes as long as all of them. */
export const QUERY_LIMITS = { characters: 200, words: 10 }

/** Consecutive words. */
export interface Phrase {
  readonly words: readonly string[]
  /** true: the last one may be the beginning of a word */
  readonly isPrefix: boolean
}

interface Term extends Phrase {
  readonly isQuoted: boolean
}

export interface SearchQuery {
  /** as typed, within the limits; '' for nothing */
  readonly text: string
  /** all are required; none if the text has no word */
  readonly terms: readonly Term[]
  /** the text was longer than the limits */
  readonly isCut: boolean
}

/** All are required; of each, one of its phrases. */
export type WordPattern = readonly (readonly Phrase[])[]

const TERM = /"([^"]*)(?:"|$)|[^\s"]+/g
/** So many words begin with the same two letters that finding them all takes long. */
const SHORTEST_BEGINNING = 3
const SHORTEST_SECRET = 4
const ASCII = /^[\0-\x7f]*$/

/**
 * Words are looked for by their beginning, words in quotes whole and one after the other. So are words with a sign between them,
 * such as those of a path, except that the last one may go on.
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
 * @param knowsSecrets false: for a reader who may not find out what allows pings, not even by guessing its beginning
 * @returns null if that reader finds nothing
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
 * Tells quickly that a text cannot match, since most don't and to split one into words takes longer.
 * @returns true if it may match
 */
export function mayMatch(text: string, pattern: WordPattern): boolean {
  if (!ASCII.test(text)) return true
  const lower = text.toLowerCase()
  return pattern.every((phrases) =>
    phrases.some(({ words: [first = ''] }) => isSecretWord(first) || lower.includes(first)),
  )
}

/** Whether the words contain all that the pattern requires. */
export function matchesWords(words: readonly string[], pattern: WordPattern): boolean {
  return pattern.every((phrases) => phrases.some((phrase) => words.some((_, index) => standsAt(words, index, phrase))))
}

/** Whether the phrase begins at that index. */
export function standsAt(words: readonly string[], index: number, { words: wanted, isPrefix }: Phrase): boolean {
  return wanted.every((word, offset) => {
    const found = words[index + offset]
    return isPrefix && offset === wanted.length - 1 ? found?.startsWith(word) === true : found === word
  })
}
