/** Parses the path of a ping URL. The formats are the same as in Healthchecks, plus two of our own; docs/api.md lists them. */

import { isSlug } from '../../domain/check/slug.ts'
import type { Action } from '../../domain/ping/signal.ts'
import { isUuid } from '../../lib/secrets/uuid.ts'

/** Action that a ping URL requests, in addition to logging the ping. */
export type Asked = 'silence' | 'unsilence'

export type PingPath =
  /** `isValid` is false if the exit status is above 255. If the check does not exist either, the server reports that instead */
  | {
      readonly kind: 'target'
      readonly id: string | null
      readonly pingKey: string
      readonly slug: string
      readonly action: Action
      readonly exitStatus: number | null
      readonly isValid: boolean
      /** set only for `/silence` and `/unsilence` */
      readonly asks?: Asked
    }
  /** a slug with capital letters, which is rejected without a lookup */
  | { readonly kind: 'bad-slug' }
  | { readonly kind: 'no-route' }

const WORD = /^[-A-Za-z0-9_]+$/
const DIGITS = /^\d+$/
const EXIT_STATUS_MAX = 255

/** @param path the part after `/ping/`, without the query */
export function parsePingPath(path: string): PingPath {
  const [first = '', ...rest] = path.split('/')
  if (isUuid(first)) {
    const [tail, ...more] = rest
    if (tail === undefined || (tail === '' && more.length === 0)) return target(first, '', '', undefined)
    if (more.length === 0 && isAction(tail)) return target(first, '', '', tail)
  }
  return parseSlugPath(first, rest)
}

/**
 * Parses a ping URL that contains a slug. A ping key may also be a UUID, so the UUID in `/ping/<uuid>/<unknown word>` is treated as a ping
 * key.
 */
function parseSlugPath(pingKey: string, [slug, tail, ...more]: string[]): PingPath {
  const isRoute =
    WORD.test(pingKey) &&
    slug !== undefined &&
    WORD.test(slug) &&
    more.length === 0 &&
    (tail === undefined || isAction(tail))
  if (!isRoute) return { kind: 'no-route' }
  return isSlug(slug) ? target(null, pingKey, slug, tail) : { kind: 'bad-slug' }
}

function isAction(text: string): boolean {
  return text === 'start' || text === 'fail' || text === 'log' || isAsked(text) || DIGITS.test(text)
}

function isAsked(text: string): text is Asked {
  return text === 'silence' || text === 'unsilence'
}

/** Returns whether a ping URL's tail is valid. The tail is the part after the check's address and a slash. */
export function isUnderstoodTail(tail: string): boolean {
  return isAction(tail) && !(DIGITS.test(tail) && Number(tail) > EXIT_STATUS_MAX)
}

function target(id: string | null, pingKey: string, slug: string, tail: string | undefined): PingPath {
  const named = { kind: 'target', id, pingKey, slug } as const
  if (tail === undefined) return { ...named, action: 'success', exitStatus: null, isValid: true }
  if (isAsked(tail)) return { ...named, action: 'log', exitStatus: null, isValid: true, asks: tail }
  if (!DIGITS.test(tail)) return { ...named, action: tail as Action, exitStatus: null, isValid: true }
  const exitStatus = Number(tail)
  const isValid = exitStatus <= EXIT_STATUS_MAX
  return { ...named, action: exitStatus === 0 ? 'success' : 'fail', exitStatus, isValid }
}
