/** The ping endpoint: every URL form and every method; bytes in, `OK` out once they are on disk. */
import { Elysia } from 'elysia'
import { SEARCHED_BYTES } from '../domain/classify.ts'
import type { Signal, SignalTarget } from '../domain/signal.ts'
import { parseRid } from '../domain/uuid.ts'
import type { Deps } from '../services/deps.ts'
import type { PingReceiver } from '../services/pings.ts'
import { REQUEST_BODY_LIMIT, readBeginning } from './body.ts'
import { NEVER_CACHED } from './cache.ts'
import type { Client, ClientReader } from './client.ts'
import { CROSS_ORIGIN_PINGS } from './cors.ts'
import { type PingPath, parsePingPath } from './ping-path.ts'
import { restOf, socketAddressOf } from './target.ts'

const UA_LIMIT = 200

export interface PingDeps extends Pick<Deps, 'pingBodyLimit'> {
  readonly pings: PingReceiver
  readonly clients: ClientReader
}

export function ping({ pings, clients, pingBodyLimit }: PingDeps) {
  const answers = createAnswers(pingBodyLimit)
  const bytesRead = Math.max(pingBodyLimit ?? REQUEST_BODY_LIMIT, SEARCHED_BYTES)
  return new Elysia().all(
    '/ping/*',
    async ({ request, params, server }) => {
      const path = parsePingPath(restOf(params))
      if (path.kind === 'no-route') return answers['not-found']()
      if (isPreflight(request)) return answers.preflight()
      if (path.kind === 'bad-slug') return answers.badUrl()
      const query = queryOf(request.url)
      // Asked for first: once the client has hung up, nobody knows it any more.
      const socketAddress = socketAddressOf(request, server)
      const client = clients.read(request.headers, socketAddress)
      const { bytes, rest } = await readBeginning(request, bytesRead)
      const body = { body: cut(bytes, pingBodyLimit), searched: bytes.length === 0 ? null : bytes }
      const isUnderstood = path.isValid && query.isValid
      const signal = isUnderstood ? toSignal(path, query.rid, request, client, body) : null
      const outcome = await pings.receive(toTarget(path, query.create), signal)
      const answer = outcome === 'rejected' && !path.isValid ? answers.badUrl() : answers[outcome]()
      if (rest === null) return answer
      await rest.discard()
      answer.headers.set('connection', 'close')
      return answer
    },
    { parse: 'none', detail: { hide: true } },
  )
}

/** What a browser asks before a page's `fetch` (Fetch standard, CORS-preflight request); the job has not run yet. */
function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method')
}

type Target = Extract<PingPath, { kind: 'target' }>

function toTarget({ id, pingKey, slug }: Target, create: boolean): SignalTarget {
  return id === null ? { kind: 'slug', pingKey, slug, create } : { kind: 'id', id }
}

function toSignal(
  path: Target,
  rid: string | null,
  request: Request,
  client: Client,
  body: Pick<Signal, 'body' | 'searched'>,
): Signal {
  return {
    action: path.action,
    exitStatus: path.exitStatus,
    rid,
    scheme: client.scheme,
    method: request.method,
    ua: (request.headers.get('user-agent') ?? '').slice(0, UA_LIMIT),
    remoteAddr: client.address,
    ...body,
    mail: null,
  }
}

interface Query {
  readonly rid: string | null
  readonly create: boolean
  readonly isValid: boolean
}

const NO_QUERY: Query = { rid: null, create: false, isValid: true }

/** The last `rid` counts, and only `create=1` creates. */
function queryOf(url: string): Query {
  const start = url.indexOf('?')
  if (start < 0) return NO_QUERY
  const query = new URLSearchParams(url.slice(start))
  const given = query.getAll('rid').at(-1)
  const rid = given === undefined ? null : parseRid(given)
  return { rid, create: query.getAll('create').at(-1) === '1', isValid: given === undefined || rid !== null }
}

/** Copied when it is cut, so that the rest does not stay in memory with it. */
function cut(bytes: Uint8Array, limit: number | null): Uint8Array | null {
  if (bytes.length === 0 || limit === 0) return null
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
    // Made once: taking over a Headers costs half of reading an object.
    const headers = new Headers(fields)
    return () => new Response(text, { status, headers })
  }
  return {
    preflight: answer(null, 204, CROSS_ORIGIN_PINGS),
    ok: answer('OK', 200, accepted),
    created: answer('Created', 201, accepted),
    badUrl: answer('invalid url format', 400, common),
    rejected: answer('invalid uuid format', 400, common),
    'not-found': answer('not found', 404, common),
    ambiguous: answer('ambiguous slug', 409, common),
  }
}
