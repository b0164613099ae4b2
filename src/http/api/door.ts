/**
 * What every request to the API passes, in the peer's order (behaviour 1.2): path, method, body, key, rate, check. Only
 * then is the body held against its schema.
 */
import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import type { Access } from '../../domain/project.ts'
import type { CheckWithChannels } from '../../domain/representation.ts'
import type { TSchema } from '../../domain/schema.ts'
import { isUuid } from '../../domain/uuid.ts'
import { getCheck, getCheckByUniqueKey } from '../../services/checks.ts'
import type { Deps } from '../../services/deps.ts'
import { getAccess } from '../../services/projects.ts'
import type { RateLimit } from '../../services/rate-limit.ts'
import { readJsonObject, STRANGERS_BODY_LIMIT } from '../body.ts'
import { crossOrigin } from '../cors.ts'
import { MethodNotAllowed } from '../errors.ts'
import { NOT_SNIFFED } from '../sniffing.ts'
import { targetOf } from '../target.ts'
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

/** Steps 1 to 3; an answer to `OPTIONS` is all that comes out of it. */
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

export type Right = 'read' | 'write'

/** Steps 4 and 5, which come before the key; the path and the method come before them. */
function parseBody(deps: ApiDeps, resource: Resource) {
  return ({ request, params, set }: Omit<Passing, 'body'>) => {
    enter(resource, request, (params ?? {}) as Params, set.headers as ResponseHeaders)
    // What another method carries is ignored; undefined would wake the framework's own parsers.
    if (request.method !== 'POST' || resource.listedByPost) return {}
    return readJsonObject(request, resource.allowNull, (bytes) => admitBody(deps, request, bytes))
  }
}

/** What is long is parsed only for those who show a key in the header. @throws Refusal `unauthorized` */
async function admitBody(deps: ApiDeps, request: Request, bytes: number): Promise<void> {
  if (bytes > STRANGERS_BODY_LIMIT) await getAccess(deps, apiKey(request, undefined), false)
}

/** Steps 6 and 7; requests without a body pass the first three here. */
async function passKey(deps: ApiDeps, resource: Resource, right: Right, passing: Passing): Promise<Access> {
  const headers = passing.set.headers as ResponseHeaders
  enter(resource, passing.request, (passing.params ?? {}) as Params, headers)
  const access = await getAccess(deps, apiKey(passing.request, passing.body), right === 'write')
  limitRate(deps.rateLimit, access, headers)
  return access
}

/**
 * Opens a resource to a kind of key; the routes behind it find `access`. The hooks name what they use one by one: the
 * framework reads their source, and what takes the whole context makes it parse cookies, headers and query of every route.
 * @param right `write` refuses read-only keys
 */
export function door(deps: ApiDeps, resource: Resource, right: Right) {
  return new Elysia({ name: 'door', seed: [resource.path, right] })
    .onParse({ as: 'scoped' }, parseBody(deps, resource))
    .derive({ as: 'scoped' }, async ({ request, params, body, set }): Promise<{ access: Access }> => {
      const access = await passKey(deps, resource, right, { request, params, body, set })
      if (request.method === 'POST') requireFit(resource.body, body)
      return { access }
    })
}

// A type and not an interface: Elysia asks for one with an index signature.
export type Opened = { readonly access: Access; readonly found: CheckWithChannels }

/** As {@link door}, for one check: the routes behind it also find `found`. */
export function checkDoor(deps: ApiDeps, resource: Resource, right: Right) {
  return new Elysia({ name: 'check-door', seed: [resource.path, right] })
    .onParse({ as: 'scoped' }, parseBody(deps, resource))
    .derive({ as: 'scoped' }, async ({ request, params, body, set }): Promise<Opened> => {
      const access = await passKey(deps, resource, right, { request, params, body, set })
      const { id = '' } = params as { id?: string }
      const find = isUuid(id) ? getCheck : getCheckByUniqueKey
      const found = await find(deps, access.project, id)
      if (request.method === 'POST') requireFit(resource.body, body)
      return { access, found }
    })
}

/** The header, when there is one; else the body's `api_key`, as text whatever its type; lists and objects are no key. */
function apiKey(request: Request, body: unknown): string | null {
  const header = request.headers.get('x-api-key')
  if (header !== null) return header.trim()
  const inBody = (body as { readonly api_key?: unknown } | undefined)?.api_key
  return inBody === undefined || typeof inBody === 'object' ? null : String(inBody)
}

/** Fields of draft-ietf-httpapi-ratelimit-headers-11. @throws Refusal `over-limit` */
function limitRate(rateLimit: RateLimit, access: Access, headers: ResponseHeaders): void {
  const taken = rateLimit.take(access.lookup)
  if (taken === null) return
  headers['ratelimit-policy'] = `"api";q=${rateLimit.perMinute};w=60`
  headers.ratelimit = `"api";r=${taken.remaining};t=${taken.resetSeconds}`
  if (taken.allowed) return
  headers['retry-after'] = String(taken.retryAfterSeconds)
  throw new Refusal('over-limit', 'rate limit exceeded')
}
