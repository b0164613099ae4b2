/** Everything that can go wrong with a request, as an answer: the one place where reasons become numbers and words. */
import { Elysia, ParseError } from 'elysia'
import { Refusal, type RefusalCode } from '../domain/errors.ts'
import type { Deps } from '../services/deps.ts'
import { crossOrigin } from './cors.ts'
import { NOT_SNIFFED } from './sniffing.ts'
import { targetOf } from './target.ts'

const STATUS: Readonly<Record<RefusalCode, number>> = {
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

const RETRY_AFTER_SECONDS: Readonly<Partial<Record<RefusalCode, number>>> = {
  busy: 1,
  // Long enough for a lock to be released, and short enough for `curl --retry 5`.
  unavailable: 5,
}

/** Thrown where a path exists but not for this method. */
export class MethodNotAllowed extends Error {
  override readonly name = 'MethodNotAllowed'

  constructor(readonly methods: readonly string[]) {
    super('method not allowed')
  }
}

/** @throws MethodNotAllowed unless the request comes by one of the methods */
export function requireMethod({ method }: Request, methods: readonly string[]): void {
  if (!methods.includes(method)) throw new MethodNotAllowed(methods)
}

interface Failure {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

const NOT_FOUND: Failure = { status: 404, message: 'not found' }

/** Mounted first: hooks reach only what is registered after them. */
export function errors({ log, site }: Pick<Deps, 'log' | 'site'>) {
  const apiPaths = ['/api/', `${new URL(site.links.siteRoot).pathname}/api/`]
  return new Elysia({ name: 'errors' }).onError({ as: 'global' }, ({ error, code, request, set }) => {
    // Elysia wraps what a parser throws.
    const reason = error instanceof ParseError ? error.cause : error
    const failure = code === 'NOT_FOUND' ? NOT_FOUND : explain(reason, log, request)
    const { pathname } = targetOf(request)
    const isApi = apiPaths.some((path) => pathname.startsWith(path))
    return isApi ? jsonAnswer(failure, set.headers) : textAnswer(failure)
  })
}

function explain(error: unknown, log: Deps['log'], request: Request): Failure {
  if (error instanceof Refusal) {
    if (error.code === 'unavailable' && !error.isLogged) {
      log('error', 'request refused', { method: request.method, reason: error.reason })
    }
    const seconds = error.retryAfterSeconds ?? RETRY_AFTER_SECONDS[error.code]
    const headers = seconds === undefined ? {} : { 'retry-after': String(seconds) }
    return { status: STATUS[error.code], message: error.message, headers }
  }
  if (error instanceof MethodNotAllowed) {
    return { status: 405, message: error.message, headers: { allow: error.methods.join(', ') } }
  }
  log('error', 'unexpected error', {
    method: request.method,
    reason: error instanceof Error ? error.stack : String(error),
  })
  return { status: 500, message: 'internal error, it has been logged' }
}

function textAnswer({ status, message, headers }: Failure): Response {
  const type = { 'content-type': 'text/plain; charset=utf-8' }
  return new Response(message, { status, headers: { ...headers, ...type, ...NOT_SNIFFED } })
}

/** @param given what the route had set before it failed; a path that is no route gets the CORS headers here */
function jsonAnswer({ status, message, headers }: Failure, given: Readonly<Record<string, unknown>>): Response {
  const isFramed = given['access-control-allow-origin'] !== undefined
  return Response.json(
    { error: message },
    { status, headers: { ...(isFramed ? {} : crossOrigin(['GET'])), ...headers, ...NOT_SNIFFED } },
  )
}
