/** Converts every error during a request into a response. The table below maps refusals to HTTP statuses. */

import { Elysia } from 'elysia'
import { Refusal, type RefusalKind } from '../domain/errors.ts'
import { stackOf } from '../lib/errors.ts'
import type { Deps } from '../services/common/deps.ts'
import { crossOrigin } from './cors.ts'
import { NOT_SNIFFED } from './headers.ts'
import { targetOf } from './target.ts'

const STATUS: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'over-limit': 429,
  busy: 503,
  unavailable: 503,
}

const RETRY_AFTER_SECONDS: Readonly<Partial<Record<RefusalKind, number>>> = {
  busy: 1,
  // Value of `Retry-After`, in seconds. It is long enough for a lock to be released, and short enough for clients that retry for ten
  // seconds.
  unavailable: 5,
}

/** Thrown if the path does not support the request's method. */
export class MethodNotAllowed extends Error {
  override readonly name = 'MethodNotAllowed'

  constructor(readonly methods: readonly string[]) {
    super('method not allowed')
  }
}

/** @throws MethodNotAllowed unless the request uses one of the methods */
export function requireMethod({ method }: Request, methods: readonly string[]): void {
  if (!methods.includes(method)) throw new MethodNotAllowed(methods)
}

/** The response to a request that failed. */
interface Failure {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
  /** position of the mistake in a schedule, in UTF-16 code units */
  readonly place?: { readonly position: number; readonly length: number } | undefined
  /** true if the details of this request have been logged */
  readonly isLogged?: true
}

const NOT_FOUND: Failure = { status: 404, message: 'not found' }

/** Builds the plugin that answers errors. Mount it first: its hooks apply only to routes that are registered later. */
export function errors({ log, site }: Pick<Deps, 'log' | 'site'>) {
  const apiPaths = ['/api/', `${new URL(site.links.siteRoot).pathname}/api/`]
  return new Elysia({ name: 'errors' }).onError({ as: 'global' }, ({ error, code, request, set }) => {
    const failure = code === 'NOT_FOUND' ? NOT_FOUND : explain(error, log, request)
    const { pathname } = targetOf(request)
    const isApi = apiPaths.some((path) => pathname.startsWith(path))
    return isApi ? jsonAnswer(failure, set.headers) : textAnswer(failure)
  })
}

/**
 * Converts any error to a response, and logs it if the operator should know about it.
 * @param details for the log line
 */
export function explain(
  error: unknown,
  log: Deps['log'],
  request: Request,
  details: Readonly<Record<string, unknown>> = {},
): Failure {
  if (error instanceof Refusal) {
    const { kind, data } = error
    const failure = { status: STATUS[kind], message: error.message, headers: retryAfter(error), place: placeOf(error) }
    if (kind !== 'unavailable' || data.isLogged) return failure
    log('error', 'request refused', { method: request.method, reason: error.reason, ...details })
    return { ...failure, isLogged: true }
  }
  if (error instanceof MethodNotAllowed) {
    return { status: 405, message: error.message, headers: { allow: error.methods.join(', ') } }
  }
  log('error', 'unexpected error', { method: request.method, reason: stackOf(error), ...details })
  return { status: 500, message: 'internal error, it has been logged', isLogged: true }
}

function textAnswer({ status, message, headers }: Failure): Response {
  const type = { 'content-type': 'text/plain; charset=utf-8' }
  return new Response(message, { status, headers: { ...headers, ...type, ...NOT_SNIFFED } })
}

/** @param given headers that the route had set before it failed; for a path without a route, the function adds CORS headers */
function jsonAnswer({ status, message, headers, place }: Failure, given: Readonly<Record<string, unknown>>): Response {
  const hasCors = given['access-control-allow-origin'] !== undefined
  return Response.json(
    { error: message, ...place },
    { status, headers: { ...(hasCors ? {} : crossOrigin(['GET'])), ...headers, ...NOT_SNIFFED } },
  )
}

/**
 * Returns the status and headers for a page that redisplays a rejected form. The status is 422, unless the browser should wait before it
 * retries.
 */
export function explainRetry(refusal: Refusal): {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
} {
  const headers = retryAfter(refusal)
  return { status: 'retry-after' in headers ? STATUS[refusal.kind] : 422, headers }
}

function placeOf({ data: { position, length } }: Refusal): Failure['place'] {
  return position === undefined || length === undefined ? undefined : { position, length }
}

function retryAfter({ kind, data }: Refusal): Record<string, string> {
  const seconds = data.retryAfterSeconds ?? RETRY_AFTER_SECONDS[kind]
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}
