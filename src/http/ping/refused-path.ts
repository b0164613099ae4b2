/** The notable parts of a refused ping URL: the check that it names, and the part that no check understands. */
import { isSlug } from '../../domain/check/slug.ts'
import type { SignalTarget } from '../../domain/ping/signal.ts'
import { LOOSE_UUID, parseLooseUuid, parseUuid } from '../../lib/secrets/uuid.ts'
import { isUnderstoodTail } from './ping-path.ts'
import { parseAskedSilence } from './ping-query.ts'

interface RefusedPath {
  readonly target: SignalTarget
  /** as `lastTail` of `RefusedSignals`, not cut */
  readonly tail: string
}

/** A check that a path names, and the rest after its address. */
interface NamedPath {
  readonly target: SignalTarget
  /** the tail for a check that is named wrongly, as in `RefusedSignals`; null if it is named correctly */
  readonly misnamed: string | null
  readonly rest: string
}

/**
 * Returns null if the path names no check, or contains nothing that would be refused.
 * @param path the part after `/ping/`, without the query
 * @param query with its `?`
 */
export function refusedPath(path: string, query: string): RefusedPath | null {
  const named = namedById(path) ?? namedBySlug(path)
  if (named === null) return null
  const { target, misnamed, rest } = named
  const tail = misnamed ?? tailOf(target, rest) ?? refusedSilence(rest, query) ?? refusedValue(query)
  return tail === null ? null : { target, tail }
}

/** Text that people put before a UUID: signs, also encoded, and the beginning of the URL once more. */
const BEFORE_UUID = String.raw`(?:(?:.{0,100}/)?ping/)??(?:urn:uuid:)?(?:%[\da-f]{2}|[^\w%]){0,10}`
const BY_ID = new RegExp(`^(${BEFORE_UUID})(${LOOSE_UUID})(?![\\w-])(.*)$`, 'is')

function namedById(path: string): NamedPath | null {
  const [, before = '', written = '', behind = ''] = BY_ID.exec(path) ?? []
  const id = parseLooseUuid(written)
  if (id === null) return null
  const isPlain = before === '' && written === id
  return { target: { kind: 'id', id }, misnamed: isPlain ? null : '', rest: behind }
}

const BY_SLUG = /^([-\w]+)(\/+)([-\w]+)(.*)$/s

function namedBySlug(path: string): NamedPath | null {
  const [, pingKey, slashes, written, rest = ''] = BY_SLUG.exec(path) ?? []
  if (pingKey === undefined || written === undefined) return null
  const misnamed = isSlug(written) ? null : written
  const target = { kind: 'slug', pingKey, slug: written.toLowerCase(), create: false } as const
  return { target, misnamed: slashes === '/' ? misnamed : '//', rest }
}

/** Returns the rest after the address of a check; null if it is understood. A slash may follow a UUID. */
function tailOf({ kind }: SignalTarget, rest: string): string | null {
  const isBare = rest === '' || (rest === '/' && kind === 'id')
  return isBare || (rest.startsWith('/') && isUnderstoodTail(rest.slice(1))) ? null : rest
}

/** Returns null for any other tail than `/silence`, and for one whose query can be read. */
function refusedSilence(rest: string, query: string): string | null {
  if (rest !== '/silence' || parseAskedSilence('silence', query) !== null) return null
  const given = new URLSearchParams(query)
  const blamed = ['for', 'until'].flatMap((name) => given.getAll(name).map((value) => `${name}=${value}`))
  return blamed.length === 0 ? rest : `${rest}?${blamed.join('&')}`
}

/** Returns the part of a query to blame: the time, if the run id can be read, since nothing else of a query is refused. */
function refusedValue(query: string): string | null {
  const given = new URLSearchParams(query)
  const [rid, at] = [given.getAll('rid').at(-1), given.getAll('at').at(-1)]
  if (rid !== undefined && parseUuid(rid) === null) return `?rid=${rid}`
  return at === undefined ? null : `?at=${at}`
}
