/** Components that operations share: headers, error responses, and ways to send a key. */
import { Text, type TSchema, Type } from '../../../domain/schema.ts'
import { ENTITY_TAG } from './examples.ts'
import { type Answer, answerRef, type Header, headerRefs, json, plainText, schemaRef } from './parts.ts'

const UNAVAILABLE_WORDS = 'the database cannot be used at the moment, please try again'
const BUSY_WORDS = 'too many long answers are under way, please try again in a second'
const OVER_LIMIT_WORDS = 'rate limit exceeded'

const text = () => Text()
const count = () => Type.Integer({ minimum: 0 })

const HEADERS: Readonly<Record<string, Header>> = {
  'Access-Control-Allow-Origin': {
    description:
      'Pages of every origin may read the response. `OPTIONS` needs no key: the response is 204 with this header and the allowed methods.',
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
      'Requests per minute and key (draft-ietf-httpapi-ratelimit-headers-11). Absent when there is no limit or the key is unknown.',
    schema: text(),
    example: '"api";q=100;w=60',
  },
  RateLimit: {
    description:
      '`r` is the number of requests left; after `t` seconds the full number is available again. Absent when there is no limit or the key is unknown.',
    schema: text(),
    example: '"api";r=42;t=35',
  },
  'Retry-After': { description: 'Seconds after which the next request may succeed.', schema: count(), example: 1 },
  'Ping-Body-Limit': {
    description: 'Maximum number of bytes stored of a body. Absent if there is no limit.',
    schema: count(),
    example: 10_000,
  },
  'X-Dropped-Bodies': {
    description: 'Number of listed pings whose body was dropped by the size limit of the log (`PING_LOG_BYTES`).',
    schema: count(),
    example: 2,
  },
  'Cache-Control': {
    description:
      'Pings and badges must not be cached: `max-age=0, no-cache, no-store, must-revalidate, private`. A client may cache an answer that has an `ETag`, but must revalidate it; proxies must not cache it.',
    schema: text(),
    example: 'private, no-cache',
  },
  ETag: {
    description:
      'Identifies the answer (RFC 9110, 8.8.3). Send it back in `If-None-Match` to get 304 while the answer is unchanged.',
    schema: text(),
    example: ENTITY_TAG,
  },
  Vary: { description: 'The response depends on the key.', schema: text(), example: 'X-Api-Key' },
}

/** Headers that every response under `/api/` has, except responses from `status`. */
export const CORS = headerRefs('Access-Control-Allow-Origin', 'Access-Control-Allow-Methods')
/** Headers for every API response to a request with a valid key. */
export const API_HEADERS = { ...CORS, ...headerRefs('RateLimit-Policy', 'RateLimit') }
/** Headers for responses that a client may cache and revalidate. */
export const CONDITIONAL_HEADERS = { ...API_HEADERS, ...headerRefs('ETag', 'Cache-Control', 'Vary') }

/**
 * Returns an API error response.
 * @param words the error message for each case
 */
export function refusal(description: string, words: Readonly<Record<string, string>>): Answer {
  const examples = Object.entries(words).map(([when, error]) => [when, { error }] as const)
  return { description, headers: API_HEADERS, content: json(schemaRef('Error'), Object.fromEntries(examples)) }
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  NotModified: {
    description: '`If-None-Match` names the current answer. The request counts against the rate limit.',
    headers: CONDITIONAL_HEADERS,
  },
  Unauthorized: refusal('The key is missing, or does not allow this operation.', {
    'The key does not have 32 characters, or is not in the header and the body is longer than 65,536 bytes':
      'missing api key',
    'An unknown key, or a read-only key where a read-write key is required': 'wrong api key',
  }),
  Forbidden: refusal('The check belongs to another project, or the key does not allow this.', {
    "Another project's check": 'forbidden',
  }),
  NotFound: refusal('The resource does not exist, or the path is not valid.', { 'Not found': 'not found' }),
  MethodNotAllowed: {
    ...refusal('The path does not support this method. With a unique key, a check can only be read.', {
      'With a unique key': 'method not allowed',
    }),
    headers: { ...CORS, ...headerRefs('Allow') },
  },
  TooManyRequests: {
    ...refusal('The key has used up its requests for this minute.', { 'Too many requests': OVER_LIMIT_WORDS }),
    headers: { ...API_HEADERS, ...headerRefs('Retry-After') },
  },
  Unavailable: {
    ...refusal('The database cannot be used at the moment; nothing was changed. Try again.', {
      'Try again': UNAVAILABLE_WORDS,
    }),
    headers: { ...API_HEADERS, ...headerRefs('Retry-After') },
  },
  UnavailableOrBusy: {
    ...refusal('The database cannot be used at the moment, or too many long answers are under way. Try again.', {
      'Try again': UNAVAILABLE_WORDS,
      'Too many lists': BUSY_WORDS,
    }),
    headers: { ...API_HEADERS, ...headerRefs('Retry-After') },
  },
}

/** Error responses for every operation that requires a key. */
export const KEY_ERRORS = {
  401: answerRef('Unauthorized'),
  429: answerRef('TooManyRequests'),
  503: answerRef('Unavailable'),
}
/** Error responses for operations that read long lists. */
export const LIST_ERRORS = { ...KEY_ERRORS, 503: answerRef('UnavailableOrBusy') }
/** Error responses for operations on a single check. */
export const CHECK_ERRORS = { ...KEY_ERRORS, 403: answerRef('Forbidden'), 404: answerRef('NotFound') }

/** Response when a client requests badges or project metrics too often. Neither is part of the API, so the error is plain text. */
export const PUBLIC_OVER_LIMIT = plainText(
  'The address has used up its requests for this minute: 300 for badges, project metrics and public pages together, unless the operator has set another limit.',
  { 'Too many requests': OVER_LIMIT_WORDS },
  headerRefs('Retry-After'),
)
export const PUBLIC_UNAVAILABLE = plainText(
  'The database cannot be used at the moment. Try again.',
  { 'Try again': UNAVAILABLE_WORDS },
  headerRefs('Retry-After'),
)
export const PUBLIC_UNAVAILABLE_OR_BUSY = plainText(
  'The database cannot be used at the moment, or too many long answers are under way. Try again.',
  { 'Try again': UNAVAILABLE_WORDS, 'Too many lists': BUSY_WORDS },
  headerRefs('Retry-After'),
)

/** An OpenAPI security scheme: one way to send a key. */
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
    'A read-write key of a project (`odw_…`). Without this header, operations with a JSON body take the key from its field `api_key`.',
  ),
  readOnlyKey: byHeader(
    'X-Api-Key',
    'A read-only key of a project (`odr_…`). Responses omit everything that would let a client ping or change a check.',
  ),
  readOnlyBearer: asBearer('A read-only key of a project, as Prometheus sends it.'),
  metricsKey: byHeader('X-Metrics-Key', "The server's METRICS_KEY."),
  metricsBearer: asBearer("The server's METRICS_KEY."),
}

/** @param schemas schemas, keyed by name */
export function components(schemas: Readonly<Record<string, TSchema>>) {
  return { schemas, responses: ANSWERS, headers: HEADERS, securitySchemes: KEYS }
}

export const READ: Readonly<Record<string, readonly string[]>>[] = [{ readWriteKey: [] }, { readOnlyKey: [] }]
export const WRITE: Readonly<Record<string, readonly string[]>>[] = [{ readWriteKey: [] }]
export const OPEN: Readonly<Record<string, readonly string[]>>[] = []
