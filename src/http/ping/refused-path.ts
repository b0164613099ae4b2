/** What of a refused ping URL is worth to be told: the check that it names, and what no check understands. */
import { isSlug } from '../../domain/check/slug.ts'
import type { SignalTarget } from '../../domain/ping/signal.ts'
import { parseUuid } from '../../lib/uuid.ts'
import { isUnderstoodTail, WORD } from './ping-path.ts'

interface RefusedPath {
  readonly target: SignalTarget
  /** what stands behind the address of the check; or the slug, if it has capitals; '' if the UUID has them. Not cut */
  readonly tail: string
}

/**
 * Null when it names no check, or says nothing that would be refused.
 * @param path what follows `/ping/`, without the query
 * @param query with its `?`
 */
export function refusedPath(path: string, query: string): RefusedPath | null {
  const [first = '', ...rest] = path.split('/')
  const id = parseUuid(first)
  if (id !== null && id !== first) return { target: { kind: 'id', id }, tail: '' }
  const named = id === null ? namedBySlug(first, rest) : namedById(id, rest)
  if (named === null || named.tail !== '') return named
  const rid = new URLSearchParams(query).getAll('rid').at(-1)
  return rid === undefined || parseUuid(rid) !== null ? null : { ...named, tail: `?rid=${rid}` }
}

function namedById(id: string, rest: readonly string[]): RefusedPath {
  const isBare = rest.length === 1 && rest[0] === ''
  return { target: { kind: 'id', id }, tail: isBare ? '' : refusedTail(rest) }
}

function namedBySlug(pingKey: string, [written = '', ...rest]: readonly string[]): RefusedPath | null {
  if (!WORD.test(pingKey) || !WORD.test(written)) return null
  const slug = written.toLowerCase()
  const target = { kind: 'slug', pingKey, slug, create: false } as const
  return { target, tail: refusedTail(rest) || (isSlug(written) ? '' : written) }
}

/** Empty if it is understood. */
function refusedTail(rest: readonly string[]): string {
  const tail = rest.join('/')
  return rest.length === 0 || isUnderstoodTail(tail) ? '' : `/${tail}`
}
