/**
 * What every request to the API passes: path, method, key, rate, body, check. Only then is the body held against its
 * schema. A key that is in the body, where the peer's clients may put it too, comes after the body.
 */
import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import type { Access, Right } from '../../domain/project.ts'
import type { CheckWithChannels } from '../../domain/representation.ts'
import type { TSchema } from '../../domain/schema.ts'
import { isUuid } from '../../domain/uuid.ts'
import { getCheck, getCheckByUniqueKey } from '../../services/checks.ts'
import type { Deps } from '../../services/deps.ts'
import type { LongReads } from '../../services/long-reads.ts'
import { getAccess, missingKey, requireRight } from '../../services/projects.ts'
import type { RateLimit } from '../../services/rate-limit.ts'
import { parseJsonObject, readApiBody, STRANGERS_BODY_LIMIT } from '../body.ts'
import { crossOrigin } from '../cors.ts'
import { MethodNotAllowed } from '../errors.ts'
import { NOT_SNIFFED } from '../sniffing.ts'
import { targetOf } from '../target.ts'
import type { ListAnswers } from './list-answers.ts'
import { requireFit } from './validation.ts'

/** One path of the API. */
export interface Resource {
  /** below `/api/v<n>` */
  readonly path: string
  readonly methods: readonly string[]
  /** the methods where `:id` is a unique key; left out where only UUIDs are taken */
  readonly methodsByUniqueKey?: readonly string[]
  /** pause and resume take `null` for no body */
  readonly allowNull?: boolean
  /** what a `POST` carries */
  readonly body?: TSchema
  /**
   * A `POST` without the final slash reads the list too: the peer sends it on to the list by a redirect, which makes it a
   * `GET`, and clients count on that.
   */
  readonly listedByPost?: true
}

export interface ApiDeps extends Deps {
  readonly rateLimit: RateLimit
  readonly longReads: LongReads
  /** one for all versions, so that what is kept is bounded once */
  readonly lists: ListAnswers
}

type Params = Readonly<Record<string, string | null>>
type ResponseHeaders = Record<string, string | number>

const UNIQUE_KEY = /^[A-z0-9]{40}$/

/** Step 1: which methods the path has. @throws Refusal `not-found` when it names nothing that could exist */
function methodsOf(resource: Resource, params: Params): readonly string[] {
  if (!resource.path.includes(':id')) return resource.methods
  const id = params.id ?? ''
  const methods = isUuid(id) ? resource.methods : UNIQUE_KEY.test(id) ? resource.methodsByUniqueKey : undefined
  if (methods === undefined) throw new Refusal('not-found', 'not found')
  return methods
}

/** Steps 1 and 2; an answer to `OPTIONS` is all that comes out of it. */
function enter(resource: Resource, request: Request, params: Params, headers: ResponseHeaders): Response | null {
  const methods = methodsOf(resource, params)
  const isListedByPost = resource.listedByPost && request.method === 'POST' && !targetOf(request).pathname.endsWith('/')
  Object.assign(headers, crossOrigin(methods, request), NOT_SNIFFED)
  if (request.method === 'OPTIONS') return new Response(null, { status: 204 })
  if (!isListedByPost && !methods.includes(request.method)) throw new MethodNotAllowed(methods)
  return null
}

/** Answers `OPTIONS`, and every method that the resource does not have. */
export function frame(resource: Resource) {
  return new Elysia().all(
    resource.path,
    ({ request, params, set }) => enter(resource, request, params as Params, set.headers as ResponseHeaders),
    { parse: 'none', detail: { hide: true } },
  )
}

/** What a hook of Elysia's knows of the request at its stage. */
interface Passing {
  readonly request: Request
  readonly params: unknown
  readonly body: unknown
  readonly set: { readonly headers: unknown }
}

/** Who has shown a key in the header, before the body was read. */
const passed = new WeakMap<Request, Access>()

/** Steps 1 to 5 of a request with a body, but for a key that is in there. */
function parseBody(deps: ApiDeps, resource: Resource, right: Right) {
  return async ({ request, params, set }: Omit<Passing, 'body'>) => {
    const headers = set.headers as ResponseHeaders
    enter(resource, request, (params ?? {}) as Params, headers)
    // What another method carries is ignored; undefined would wake the framework's own parsers.
    if (request.method !== 'POST' || resource.listedByPost) return {}
    const key = request.headers.get('x-api-key')
    if (key !== null) passed.set(request, await passKey(deps, key.trim(), right, headers))
    const bytes = await readApiBody(request)
    if (key === null && bytes.length > STRANGERS_BODY_LIMIT) throw missingKey()
    return parseJsonObject(bytes, resource.allowNull)
  }
}

/** Steps 1 to 4; requests without a body pass all of them here. */
async function pass(deps: ApiDeps, resource: Resource, right: Right, passing: Passing): Promise<Access> {
  const { request, params, body, set } = passing
  const known = passed.get(request)
  if (known) return known
  const headers = set.headers as ResponseHeaders
  enter(resource, request, (params ?? {}) as Params, headers)
  return passKey(deps, request.headers.get('x-api-key')?.trim() ?? keyIn(body), right, headers)
}

/** Steps 3 and 4. What a key may not do counts as well: to refuse it takes work too. */
async function passKey(deps: ApiDeps, key: string | null, right: Right, headers: ResponseHeaders): Promise<Access> {
  const access = await getAccess(deps, key)
  limitRate(deps.rateLimit, access, headers)
  requireRight(access, right)
  return access
}

/**
 * Opens a resource to a kind of key; the routes behind it find `access`. The hooks name what they use one by one: the
 * framework reads their source, and what takes the whole context makes it parse cookies, headers and query of every route.
 * @param right `write` refuses read-only keys
 */
export function door(deps: ApiDeps, resource: Resource, right: Right) {
  return new Elysia({ name: 'door', seed: [resource.path, right] })
    .onParse({ as: 'scoped' }, parseBody(deps, resource, right))
    .derive({ as: 'scoped' }, async ({ request, params, body, set }): Promise<{ access: Access }> => {
      const access = await pass(deps, resource, right, { request, params, body, set })
      if (request.method === 'POST') requireFit(resource.body, body)
      return { access }
    })
}

// A type and not an interface: Elysia asks for one with an index signature.
export type Opened = { readonly access: Access; readonly found: CheckWithChannels }

/** As {@link door}, for one check: the routes behind it also find `found`. */
export function checkDoor(deps: ApiDeps, resource: Resource, right: Right) {
  return new Elysia({ name: 'check-door', seed: [resource.path, right] })
    .onParse({ as: 'scoped' }, parseBody(deps, resource, right))
    .derive({ as: 'scoped' }, async ({ request, params, body, set }): Promise<Opened> => {
      const access = await pass(deps, resource, right, { request, params, body, set })
      const { id = '' } = params as { id?: string }
      const find = isUuid(id) ? getCheck : getCheckByUniqueKey
      const found = await find(deps, access.project, id)
      if (request.method === 'POST') requireFit(resource.body, body)
      return { access, found }
    })
}

/** The body's `api_key`, as text whatever its type; lists and objects are no key. */
function keyIn(body: unknown): string | null {
  const key = (body as { readonly api_key?: unknown } | undefined)?.api_key
  return key === undefined || typeof key === 'object' ? null : String(key)
}

/** Fields of draft-ietf-httpapi-ratelimit-headers-11. @throws Refusal `over-limit` */
function limitRate(rateLimit: RateLimit, access: Access, headers: ResponseHeaders): void {
  const taken = rateLimit.take(access.lookup)
  if (taken === null) return
  headers['ratelimit-policy'] = `"api";q=${rateLimit.perMinute};w=60`
  headers.ratelimit = `"api";r=${taken.remaining};t=${taken.resetSeconds}`
  if (!taken.allowed)
    throw new Refusal('over-limit', 'rate limit exceeded', { retryAfterSeconds: taken.retryAfterSeconds })
}
