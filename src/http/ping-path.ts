/** What the path of a ping URL says (behaviour of the peer, 2.1); pure text. */
import type { Action } from '../domain/signal.ts'
import { isSlug } from '../domain/slug.ts'
import { isUuid } from '../domain/uuid.ts'

export type PingPath =
  /** `isValid` is false for an exit status beyond 255: the target is looked for first */
  | {
      readonly kind: 'target'
      readonly id: string | null
      readonly pingKey: string
      readonly slug: string
      readonly action: Action
      readonly exitStatus: number | null
      readonly isValid: boolean
    }
  /** a slug in upper case, refused before anything is looked for */
  | { readonly kind: 'bad-slug' }
  | { readonly kind: 'no-route' }

const WORD = /^[-A-Za-z0-9_]+$/
const DIGITS = /^\d+$/
const EXIT_STATUS_MAX = 255

/** @param path what follows `/ping/`, without the query */
export function parsePingPath(path: string): PingPath {
  const [first = '', ...rest] = path.split('/')
  if (isUuid(first)) {
    const [tail, ...more] = rest
    if (tail === undefined || (tail === '' && more.length === 0)) return target(first, '', '', undefined)
    if (more.length === 0 && isAction(tail)) return target(first, '', '', tail)
  }
  return parseSlugPath(first, rest)
}

/** A UUID can also be read as a ping key, as in `/ping/<uuid>/<unknown word>`. */
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
  return text === 'start' || text === 'fail' || text === 'log' || DIGITS.test(text)
}

function target(id: string | null, pingKey: string, slug: string, tail: string | undefined): PingPath {
  const named = { kind: 'target', id, pingKey, slug } as const
  if (tail === undefined) return { ...named, action: 'success', exitStatus: null, isValid: true }
  if (!DIGITS.test(tail)) return { ...named, action: tail as Action, exitStatus: null, isValid: true }
  const exitStatus = Number(tail)
  const isValid = exitStatus <= EXIT_STATUS_MAX
  return { ...named, action: exitStatus === 0 ? 'success' : 'fail', exitStatus, isValid }
}
