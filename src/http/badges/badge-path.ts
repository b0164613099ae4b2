/** Parses the path of a badge URL. The formats are the same as in Healthchecks; docs/badges.md lists them. */
import type { BadgeStates } from '../../domain/badge-urls.ts'

export interface BadgePath {
  readonly states: BadgeStates
  /** text after the last dot; not necessarily a known format */
  readonly format: string
}

interface TagBadgePath extends BadgePath {
  readonly badgeKey: string
  readonly signature: string
  /** the tag, still percent-encoded; null for the badge that covers all checks */
  readonly tag: string | null
}

interface CheckBadgePath extends BadgePath {
  readonly badgeKey: string
}

const WORD = /^[-\w]+$/
const DIGITS = /^\d+$/
const SIGNATURE_LENGTH = 8

/**
 * @param path the part after `/badge/`, without the query.
 * @returns null if it is not a badge URL
 */
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
    // Any other text after the signature is ignored.
    states: token.length === SIGNATURE_LENGTH + 2 && token.endsWith('-2') ? 2 : 3,
    format: file.format,
  }
}

/**
 * @param path the part after `/b/`, without the query.
 * @returns null if it is not a badge URL
 */
export function parseCheckBadgePath(path: string): CheckBadgePath | null {
  const [states = '', last = '', ...more] = path.split('/')
  const file = splitFile(last)
  if (file === null || !DIGITS.test(states) || !WORD.test(file.name) || more.length > 0) return null
  return { badgeKey: file.name, states: Number(states) === 3 ? 3 : 2, format: file.format }
}

/** Splits a file name at the last dot, since tags may contain dots. */
function splitFile(text: string): { readonly name: string; readonly format: string } | null {
  const dot = text.lastIndexOf('.')
  return dot < 1 ? null : { name: text.slice(0, dot), format: text.slice(dot + 1) }
}
