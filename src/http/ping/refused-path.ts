/** The parts of a rejected ping URL to record: the check that the URL refers to, and the invalid part. */
import { isSlug } from '../../domain/check/slug.ts'
import type { SignalTarget } from '../../domain/ping/signal.ts'
import { LOOSE_UUID, parseLooseUuid, parseUuid } from '../../lib/secrets/uuid.ts'
import { isUnderstoodTail } from './ping-path.ts'
import { parseAskedSilence } from './ping-query.ts'

interface RefusedPath {
  readonly target: SignalTarget
  /** invalid end of the path, as in `RefusedSignals`' `lastTail`, but not truncated */
  readonly tail: string
}

/** The check that a path refers to, and the part of the path after the check's address. */
interface NamedPath {
  readonly target: SignalTarget
  /** tail to record if the check's address is malformed, as in `RefusedSignals`; null if the address is correct */
  readonly misnamed: string | null
  readonly rest: string
}

/**
 * Returns null if the path does not name a check, or if the entire URL is valid.
 * @param path the part after `/ping/`, without the query
 * @param query the query, with its `?`
 */
export function refusedPath(path: string, query: string): RefusedPath | null {
  const named = namedById(path) ?? namedBySlug(path)
  if (named === null) return null
  const { target, misnamed, rest } = named
  const tail = misnamed ?? tailOf(target, rest) ?? refusedSilence(rest, query) ?? refusedValue(query)
  return tail === null ? null : { target, tail }
}

/**
 * Text that users accidentally leave in front of a UUID: punctuation, which may be percent-encoded, or a second copy of the URL's
 * beginning.
 */
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

/** Returns the part after the check's address; null if that part is valid. A slash may follow a UUID. */
function tailOf({ kind }: SignalTarget, rest: string): string | null {
  const isBare = rest === '' || (rest === '/' && kind === 'id')
  return isBare || (rest.startsWith('/') && isUnderstoodTail(rest.slice(1))) ? null : rest
}

/** Returns the tail of a `/silence` URL if its query is not valid; null for any other tail. */
function refusedSilence(rest: string, query: string): string | null {
  if (rest !== '/silence' || parseAskedSilence('silence', query) !== null) return null
  const given = new URLSearchParams(query)
  const blamed = ['for', 'until'].flatMap((name) => given.getAll(name).map((value) => `${name}=${value}`))
  return blamed.length === 0 ? rest : `${rest}?${blamed.join('&')}`
}

/** Returns the invalid part of a query. Only the run id and the time can be invalid. */
function refusedValue(query: string): string | null {
  const given = new URLSearchParams(query)
  const [rid, at] = [given.getAll('rid').at(-1), given.getAll('at').at(-1)]
  if (rid !== undefined && parseUuid(rid) === null) return `?rid=${rid}`
  return at === undefined ? null : `?at=${at}`
}
