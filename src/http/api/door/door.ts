/**
 * The steps that every request to the API passes through. The first step that fails determines the response:
 *
 * 1. the path, 404 if the id in it is malformed                                          `endpoint`
 * 2. the method, 405; `OPTIONS` is answered here                                         `endpoint`
 * 3. the key in the header, 401                                                          `door`
 * 4. the key's rate limit, 429; rejected requests also count, because they cost work too `door`
 * 5. the key's right, 401                                                                `door`
 * 6. the body, 400; a key in the body passes through steps 3 to 5 now                    `door`
 * 7. the check, 404 or 403                                                               `checkDoor`
 * 8. the schema of the body or the query, 400                                            the route
 *
 * The key is checked before the body is read, so that clients without a valid key cannot make the server parse large bodies. The check is
 * looked up before the schema is applied, as in Healthchecks, because its clients create a check if an update returns 404. The hooks
 * destructure the members that they use: the framework reads the hooks' source, and parses the cookies, headers and query of every request
 * if a hook uses the whole context.
 */
import { type Context, Elysia, status } from 'elysia'
import { type Actor, type KeyActor, type Right, rightOf } from '../../../domain/actor.ts'
import type { CheckWithChannels } from '../../../domain/check/representation.ts'
import { Refusal } from '../../../domain/errors.ts'
import { fits } from '../../../domain/schema.ts'
import type { RateLimit } from '../../../lib/limits/rate-limit.ts'
import { getCheck, getCheckByUniqueKey } from '../../../services/checks/checks.ts'
import { getKeyActor, missingKey } from '../../../services/projects/keys.ts'
import { parseJsonObject, readApiBody, STRANGERS_BODY_LIMIT } from '../../body.ts'
import { socketAddressOf } from '../../client.ts'
import { crossOrigin } from '../../cors.ts'
import type { HttpDeps } from '../../deps.ts'
import { MethodNotAllowed } from '../../errors.ts'
import { NOT_SNIFFED } from '../../headers.ts'
import { targetOf } from '../../target.ts'
import type { ListAnswers } from '../lists/list-answers.ts'
import { CheckUniqueKey, CheckUuid } from './path-parameters.ts'

/** An API path, and the methods that it accepts. */
export interface Resource {
  /** path below `/api/v<n>`; `:id` identifies a check: by its UUID or, for read-only methods, by its unique key */
  readonly path: string
  /** the right that each method requires; a `GET` requires `write` if its response would show a reader how to ping or change something */
  readonly methods: Readonly<Record<string, Right>>
  /** true if `null` counts as an empty body, as in pause and resume requests */
  readonly allowNull?: true
  /**
   * true if a `POST` without the trailing slash also returns the list. Healthchecks redirects such a request, which turns it into a `GET`,
   * and clients rely on that. The server does not read the body.
   */
  readonly listedByPost?: true
}

/** Data that {@link checkDoor} passes to its route handlers. */
export interface CheckRequest {
  readonly actor: Actor
  readonly found: CheckWithChannels
}

/** Dependencies of the API endpoints. */
export interface ApiDeps extends HttpDeps {
  /** lists cached in memory; all API versions share them, and therefore share one memory limit */
  readonly lists: ListAnswers
}

/** Runs steps 1 and 2. Add the resource's routes to the returned instance, because copying routes from another instance is slow. */
export function endpoint(resource: Resource) {
  return (
    new Elysia()
      .derive(({ request, params, set }) => {
        const methods = methodsOf(resource, params?.id)
        const names = methods.map(([name]) => name)
        Object.assign(set.headers, crossOrigin(names, request), NOT_SNIFFED)
        if (request.method === 'OPTIONS') return status(204)
        const method = isListedByPost(resource, request) ? 'GET' : request.method
        const [, right] = methods.find(([name]) => name === method) ?? []
        if (right === undefined) throw new MethodNotAllowed(names)
        return { right }
      })
      // The hook above does not run for methods without a route. This catch-all route makes it run for every method, and the hook then
      // rejects the ones that are not allowed.
      .all(resource.path, () => {}, { parse: 'none', detail: { hide: true } })
  )
}

/** Runs steps 3 to 6 for an endpoint that needs a key. Route handlers receive `actor`, and `body` for validation. */
export function door(deps: ApiDeps, resource: Resource) {
  return (
    endpoint(resource)
      // `readBody` reads the body after the key has been checked. This parser prevents the framework from reading it earlier.
      .onParse(() => null)
      .derive(async ({ request, right, server, set }): Promise<{ actor: KeyActor; body: unknown }> => {
        const { address } = deps.clients.read(request.headers, socketAddressOf(request, server))
        const by = { right, address, headers: set.headers }
        const key = request.headers.get('x-api-key')
        const known = key === null ? null : await admit(deps, key.trim(), by)
        const body = await readBody(request, resource, known !== null)
        return { body, actor: known ?? (await admit(deps, keyIn(body), by)) }
      })
  )
}

/** Runs steps 3 to 7: like {@link door}, but also looks up the check in the path. */
export function checkDoor(deps: ApiDeps, resource: Resource) {
  return door(deps, resource).derive(async ({ actor, params: { id = '' } }) => {
    const find = fits(CheckUuid, id) ? getCheck : getCheckByUniqueKey
    return { found: await find(deps, actor, id) }
  })
}

/**
 * Returns the path's methods and the right that each one requires.
 * @throws Refusal `not-found` if the id is malformed, or if it is a unique key and the path has no read-only method
 */
function methodsOf({ path, methods }: Resource, id: string | undefined): readonly (readonly [string, Right])[] {
  const all = Object.entries(methods)
  if (!path.includes(':id') || fits(CheckUuid, id)) return all
  const reading = fits(CheckUniqueKey, id) ? all.filter(([, right]) => right === 'read') : []
  if (reading.length === 0) throw new Refusal('not-found', 'not found')
  return reading
}

function isListedByPost({ listedByPost }: Resource, request: Request): boolean {
  return listedByPost === true && request.method === 'POST' && !targetOf(request).pathname.endsWith('/')
}

interface Asked {
  readonly right: Right
  /** the client's address; null if unknown */
  readonly address: string | null
  /** response headers */
  readonly headers: Context['set']['headers']
}

/** Runs steps 3 to 5 for a key. */
async function admit(deps: ApiDeps, key: string | null, { right, address, headers }: Asked): Promise<KeyActor> {
  const actor = await getKeyActor(deps, key, address)
  limitRate(deps.rateLimit, actor, headers)
  // Healthchecks does not distinguish a read-only key from a wrong key.
  if (right === 'write' && rightOf(actor) === 'read') throw new Refusal('unauthorized', 'wrong api key')
  return actor
}

/**
 * Counts a request, and sets the headers of draft-ietf-httpapi-ratelimit-headers-11.
 * @throws Refusal `over-limit`
 */
function limitRate(rateLimit: RateLimit, { by }: KeyActor, headers: Context['set']['headers']): void {
  const taken = rateLimit.take(by.lookup)
  if (taken === null) return
  headers['ratelimit-policy'] = `"api";q=${rateLimit.perMinute};w=60`
  headers.ratelimit = `"api";r=${taken.remaining};t=${taken.resetSeconds}`
  if (!taken.allowed)
    throw new Refusal('over-limit', 'rate limit exceeded', { retryAfterSeconds: taken.retryAfterSeconds })
}

/**
 * Reads the body of a `POST`. Ignores the bodies of other methods.
 * @param isKnown whether the header contained a valid key; if not, the body may contain the key
 */
async function readBody(
  request: Request,
  { allowNull, listedByPost }: Resource,
  isKnown: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  if (request.method !== 'POST' || listedByPost) return {}
  const bytes = await readApiBody(request)
  if (!isKnown && bytes.length > STRANGERS_BODY_LIMIT) throw missingKey()
  return parseJsonObject(bytes, allowNull)
}

/** Returns the body's `api_key` as a string; null if it is missing, a list or an object. */
function keyIn({ api_key: key }: Readonly<Record<string, unknown>>): string | null {
  return key === undefined || typeof key === 'object' ? null : String(key)
}
