/** What operations share: headers, refusals, kinds of key. */
import type { ApiVersion, FlipsForm } from '../../domain/representation.ts'
import { Text, Type } from '../../domain/schema.ts'
import { ENTITY_TAG } from './examples.ts'
import { type Answer, type Header, headerRefs, json, plainText, schemaRef } from './parts.ts'
import { schemas } from './schemas.ts'

const UNAVAILABLE_WORDS = 'the database cannot be used at the moment, please try again'
const BUSY_WORDS = 'too many long answers are under way, please try again in a second'
const OVER_LIMIT_WORDS = 'rate limit exceeded'

const text = () => Text()
const count = () => Type.Integer({ minimum: 0 })

const HEADERS: Readonly<Record<string, Header>> = {
  'Access-Control-Allow-Origin': {
    description:
      'Pages of every origin may read the answer. `OPTIONS` answers 204 with this and the methods, without a key.',
    schema: text(),
    example: '*',
  },
  'Access-Control-Allow-Methods': {
    description: 'The methods of the path.',
    schema: text(),
    example: 'GET, POST, OPTIONS',
  },
  Allow: { description: 'The methods of the path (RFC 9110, 10.2.1).', schema: text(), example: 'GET, POST' },
  'RateLimit-Policy': {
    description:
      'Requests a minute and key (draft-ietf-httpapi-ratelimit-headers-11). Absent when there is no limit, and when the key is not known.',
    schema: text(),
    example: '"api";q=100;w=60',
  },
  RateLimit: {
    description:
      '`r` requests are left, all of them again in `t` seconds. Absent when there is no limit, and when the key is not known.',
    schema: text(),
    example: '"api";r=42;t=35',
  },
  'Retry-After': { description: 'Seconds after which the next request may succeed.', schema: count(), example: 1 },
  'Ping-Body-Limit': {
    description: 'How many bytes of a body are kept. Absent when all are.',
    schema: count(),
    example: 10_000,
  },
  'X-Dropped-Bodies': {
    description: 'How many of the listed pings lost their body, because it was too much for the log of a check.',
    schema: count(),
    example: 2,
  },
  'Cache-Control': {
    description:
      'Pings and badges are never kept: `max-age=0, no-cache, no-store, must-revalidate, private`. An answer with an `ETag` may be kept by the client, which asks before it uses it again; no proxy keeps it.',
    schema: text(),
    example: 'private, no-cache',
  },
  ETag: {
    description:
      'Names the answer (RFC 9110, 8.8.3). Sent back in `If-None-Match`, it gets 304 while the answer is the same.',
    schema: text(),
    example: ENTITY_TAG,
  },
  Vary: { description: 'The answer depends on the key.', schema: text(), example: 'X-Api-Key' },
}

/** On every answer under `/api/` but those of `status`. */
export const CORS = headerRefs('Access-Control-Allow-Origin', 'Access-Control-Allow-Methods')
/** On whatever the API answers once the key is known. */
export const API_HEADERS = { ...CORS, ...headerRefs('RateLimit-Policy', 'RateLimit') }
/** On what a client may keep and ask about. */
export const CONDITIONAL_HEADERS = { ...API_HEADERS, ...headerRefs('ETag', 'Cache-Control', 'Vary') }

/** A refusal of the API. @param words what it says, by when it says so */
export function refusal(description: string, words: Readonly<Record<string, string>>): Answer {
  const examples = Object.entries(words).map(([when, error]) => [when, { error }] as const)
  return { description, headers: API_HEADERS, content: json(schemaRef('Error'), Object.fromEntries(examples)) }
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  NotModified: {
    description: 'The client has the current answer: `If-None-Match` names it. It counts against the rate limit.',
    headers: CONDITIONAL_HEADERS,
  },
  Unauthorized: refusal('No key, or not one that opens this operation.', {
    'No key of 32 characters; or a body of more than 65,536 bytes and no key in the header': 'missing api key',
    'An unknown key, or a read-only key where one may write': 'wrong api key',
  }),
  Forbidden: refusal("The check is another project's, or the key does not open this.", {
    "Another project's check": 'forbidden',
  }),
  NotFound: refusal('There is no such thing, or the path names nothing that could exist.', {
    'No such thing': 'not found',
  }),
  MethodNotAllowed: {
    ...refusal('The path has no such method: by its unique key a check can only be read.', {
      'Not by unique key': 'method not allowed',
    }),
    headers: { ...CORS, ...headerRefs('Allow') },
  },
  TooManyRequests: {
    ...refusal('The key has used up its requests of this minute.', { 'Too many requests': OVER_LIMIT_WORDS }),
    headers: { ...API_HEADERS, ...headerRefs('Retry-After') },
  },
  Unavailable: {
    ...refusal('The database cannot be used just now; nothing was changed. Try again.', {
      'Try again': UNAVAILABLE_WORDS,
    }),
    headers: { ...API_HEADERS, ...headerRefs('Retry-After') },
  },
  UnavailableOrBusy: {
    ...refusal('The database cannot be used just now, or too many long answers are under way. Try again.', {
      'Try again': UNAVAILABLE_WORDS,
      'Too many lists': BUSY_WORDS,
    }),
    headers: { ...API_HEADERS, ...headerRefs('Retry-After') },
  },
}

/** What strangers may ask for has a limit, too: as plain text, since it is not of the API. */
export const PUBLIC_OVER_LIMIT = plainText(
  'The address has used up its requests of this minute, 300 unless the operator has set another number, for badges and project metrics together.',
  { 'Too many requests': OVER_LIMIT_WORDS },
  headerRefs('Retry-After'),
)
export const PUBLIC_UNAVAILABLE = plainText(
  'The database cannot be used just now. Try again.',
  { 'Try again': UNAVAILABLE_WORDS },
  headerRefs('Retry-After'),
)
export const PUBLIC_UNAVAILABLE_OR_BUSY = plainText(
  'The database cannot be used just now, or too many long answers are under way. Try again.',
  { 'Try again': UNAVAILABLE_WORDS, 'Too many lists': BUSY_WORDS },
  headerRefs('Retry-After'),
)

/** How a key is sent. */
interface SecurityScheme {
  readonly type: 'apiKey' | 'http'
  readonly in?: 'header'
  readonly name?: string
  readonly scheme?: 'bearer'
  readonly description: string
}

const byHeader = (name: string, description: string): SecurityScheme => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
})
const asBearer = (description: string): SecurityScheme => ({ type: 'http', scheme: 'bearer', description })

const KEYS: Readonly<Record<string, SecurityScheme>> = {
  readWriteKey: byHeader(
    'X-Api-Key',
    'The read-write key of a project (`odw_…`). Operations with a JSON body also take it as `api_key` in there, when there is no such header.',
  ),
  readOnlyKey: byHeader(
    'X-Api-Key',
    'The read-only key of a project (`odr_…`). What it shows of a check lets nobody ping or write.',
  ),
  readOnlyBearer: asBearer('The read-only key of a project, as Prometheus sends it.'),
  metricsKey: byHeader('X-Metrics-Key', "The server's METRICS_KEY."),
  metricsBearer: asBearer("The server's METRICS_KEY."),
}

export function components(version: ApiVersion, form: FlipsForm) {
  return { schemas: schemas(version, form), responses: ANSWERS, headers: HEADERS, securitySchemes: KEYS }
}

export const READ: Readonly<Record<string, readonly string[]>>[] = [{ readWriteKey: [] }, { readOnlyKey: [] }]
export const WRITE: Readonly<Record<string, readonly string[]>>[] = [{ readWriteKey: [] }]
export const OPEN: Readonly<Record<string, readonly string[]>>[] = []
