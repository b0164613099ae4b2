/** What the path of a badge's URL says (behaviour of the peer, 7.1); pure text. */
import type { BadgeStates } from '../domain/badge-status.ts'

export interface BadgePath {
  readonly states: BadgeStates
  /** what follows the last dot, whatever it is */
  readonly format: string
}

export interface TagBadgePath extends BadgePath {
  readonly badgeKey: string
  readonly signature: string
  /** as it stands in the URL; null for all checks */
  readonly tag: string | null
}

export interface CheckBadgePath extends BadgePath {
  readonly badgeKey: string
}

const WORD = /^[-\w]+$/
const DIGITS = /^\d+$/
const SIGNATURE_LENGTH = 8

/** @param path what follows `/badge/`, without the query. @returns null when it is no URL of a badge */
export function parseTagBadgePath(path: string): TagBadgePath | null {
  const [badgeKey = '', ...rest] = path.split('/')
  const file = splitFile(rest.at(-1) ?? '')
  if (file === null || !WORD.test(badgeKey) || rest.length > 2) return null
  const token = rest.length === 2 ? (rest[0] ?? '') : file.name
  if (!WORD.test(token)) return null
  return {
    badgeKey,
    signature: token.slice(0, SIGNATURE_LENGTH),
    tag: rest.length === 2 ? file.name : null,
    // Whatever else follows the signature means nothing.
    states: token.length === SIGNATURE_LENGTH + 2 && token.endsWith('-2') ? 2 : 3,
    format: file.format,
  }
}

/** @param path what follows `/b/`, without the query. @returns null when it is no URL of a badge */
export function parseCheckBadgePath(path: string): CheckBadgePath | null {
  const [states = '', last = '', ...more] = path.split('/')
  const file = splitFile(last)
  if (file === null || !DIGITS.test(states) || !WORD.test(file.name) || more.length > 0) return null
  return { badgeKey: file.name, states: Number(states) === 3 ? 3 : 2, format: file.format }
}

/** At its last dot: tags may contain others. */
function splitFile(text: string): { readonly name: string; readonly format: string } | null {
  const dot = text.lastIndexOf('.')
  return dot < 1 ? null : { name: text.slice(0, dot), format: text.slice(dot + 1) }
}
