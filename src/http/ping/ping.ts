/** The ping endpoint, for every URL format and method. It answers `OK` once the ping is on disk. */
import { Elysia } from 'elysia'
import { readingType } from '../../domain/ping/body-text.ts'
import { SEARCHED_BYTES } from '../../domain/ping/classify.ts'
import { type Signal, type SignalTarget, userAgent } from '../../domain/ping/signal.ts'
import { REQUEST_BODY_LIMIT } from '../body.ts'
import { type Client, socketAddressOf } from '../client.ts'
import { CROSS_ORIGIN_PINGS } from '../cors.ts'
import type { HttpDeps } from '../deps.ts'
import { NEVER_CACHED } from '../headers.ts'
import { restOf } from '../target.ts'
import { readBeginning } from './body-beginning.ts'
import { type PingPath, parsePingPath } from './ping-path.ts'
import { NO_QUERY, type PingQuery, parseAskedSilence, parsePingQuery } from './ping-query.ts'
import { refusedPath } from './refused-path.ts'

export function ping({ pings, clients, refusedNotes, pingBodyLimit, now }: HttpDeps) {
  const answers = createAnswers(pingBodyLimit)
  const bytesRead = Math.max(pingBodyLimit ?? REQUEST_BODY_LIMIT, SEARCHED_BYTES)
  return new Elysia().all(
    '/ping/*',
    async ({ request, params, server }) => {
      const path = parsePingPath(restOf(params))
      if (path.kind === 'no-route') {
        noteRefused(refusedNotes, request, restOf(params))
        return answers['not-found']()
      }
      if (isPreflight(request)) return answers.preflight()
      if (path.kind === 'bad-slug') {
        noteRefused(refusedNotes, request, restOf(params))
        return answers.badUrl()
      }
      const query = parsePingQuery(request.url, now)
      const silence = path.asks && parseAskedSilence(path.asks, queryOf(request))
      // Look up the address before reading the body, because the address is not available after the client disconnects.
      const socketAddress = socketAddressOf(request, server)
      const client = clients.read(request.headers, socketAddress)
      const { bytes, rest } = await readBeginning(request, bytesRead)
      const body = bodyOf(request, bytes, pingBodyLimit)
      const signal =
        path.isValid && query.isValid && silence !== null
          ? toSignal(path, query, request, client, silence ? { ...body, silence } : body)
          : null
      const outcome = await pings.receive(toTarget(path, query), signal)
      if (outcome === 'ambiguous') refusedNotes.note(toTarget(path, NO_QUERY), path.slug)
      else if (outcome === 'rejected' || outcome === 'not-found') noteRefused(refusedNotes, request, restOf(params))
      const answer =
        outcome === 'rejected'
          ? answers.refused(path.isValid && silence !== null ? query.problem : null)
          : answers[outcome]()
      if (rest === null) return answer
      await rest.discard()
      answer.headers.set('connection', 'close')
      return answer
    },
    { parse: 'none', detail: { hide: true } },
  )
}

/**
 * Returns whether the request is a preflight, which a browser sends before a page's `fetch` (Fetch standard, CORS-preflight request). A
 * preflight does not mean that the job has run.
 */
function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method')
}

/** @param path the part after `/ping/`, or the entire path for any other URL; without the query */
export function noteRefused(notes: HttpDeps['refusedNotes'], request: Request, path: string): void {
  if (isPreflight(request)) return
  const refused = refusedPath(path, queryOf(request))
  if (refused) notes.note(refused.target, refused.tail)
}

/** Returns the query, including its `?`; '' if there is none. */
function queryOf({ url }: Request): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start)
}

type Target = Extract<PingPath, { kind: 'target' }>

function toTarget({ id, pingKey, slug }: Target, { create, timing }: PingQuery): SignalTarget {
  return id === null ? { kind: 'slug', pingKey, slug, create, timing } : { kind: 'id', id }
}

function toSignal(path: Target, query: PingQuery, request: Request, client: Client, body: SignalBody): Signal {
  return {
    action: path.action,
    exitStatus: path.exitStatus,
    occurredAt: query.occurredAt,
    rid: query.rid,
    scheme: client.scheme,
    method: request.method,
    ua: userAgent(request.headers.get('user-agent') ?? ''),
    remoteAddr: client.address,
    ...body,
    mail: null,
  }
}

type SignalBody = Pick<Signal, 'body' | 'contentType' | 'searched' | 'silence'>

const NO_BODY: SignalBody = { body: null, contentType: null, searched: null }

function bodyOf({ headers }: Request, bytes: Uint8Array, limit: number | null): SignalBody {
  if (bytes.length === 0) return NO_BODY
  return { body: cut(bytes, limit), contentType: readingType(headers.get('content-type'), bytes), searched: bytes }
}

/** Truncates a body to `limit` bytes. Copies the bytes that it keeps, because a view would keep the entire body in memory. */
function cut(bytes: Uint8Array, limit: number | null): Uint8Array | null {
  if (limit === 0) return null
  return limit === null || bytes.length <= limit ? bytes : bytes.slice(0, limit)
}

function createAnswers(pingBodyLimit: number | null) {
  const common = {
    'content-type': 'text/plain; charset=utf-8',
    ...NEVER_CACHED,
    expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
  }
  const accepted = {
    ...common,
    'access-control-allow-origin': '*',
    ...(pingBodyLimit === null ? {} : { 'ping-body-limit': String(pingBodyLimit) }),
  }
  const answer = (text: string | null, status: number, fields: Record<string, string>) => {
    // Build these headers once: `Response` copies a `Headers` object twice as fast as a plain object.
    const headers = new Headers(fields)
    return () => new Response(text, { status, headers })
  }
  const badUrl = answer('invalid url format', 400, common)
  return {
    preflight: answer(null, 204, CROSS_ORIGIN_PINGS),
    ok: answer('OK', 200, accepted),
    created: answer('Created', 201, accepted),
    badUrl,
    refused: (problem: string | null) => (problem === null ? badUrl() : answer(problem, 400, common)()),
    'not-found': answer('not found', 404, common),
    ambiguous: answer('ambiguous slug', 409, common),
  }
}
