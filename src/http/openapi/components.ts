/** What operations share: headers, refusals, kinds of key. */
import type { ApiVersion, FlipsForm } from '../../domain/representation.ts'
import { Text, Type } from '../../domain/schema.ts'
import { type Answer, type Header, headerRefs, json, schemaRef } from './parts.ts'
import { schemas } from './schemas.ts'

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
    description: 'Requests a minute and key (draft-ietf-httpapi-ratelimit-headers-11). Absent when there is no limit.',
    schema: text(),
    example: '"api";q=100;w=60',
  },
  RateLimit: {
    description: '`r` requests are left, all of them again in `t` seconds. Absent when there is no limit.',
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
    description: 'A ping is never answered from a cache.',
    schema: text(),
    example: 'max-age=0, no-cache, no-store, must-revalidate, private',
  },
}

/** On every answer under `/api/` but those of `status`. */
export const CORS = headerRefs('Access-Control-Allow-Origin', 'Access-Control-Allow-Methods')
/** On whatever the API answers once the key is known. */
export const API_HEADERS = { ...CORS, ...headerRefs('RateLimit-Policy', 'RateLimit') }

/** A refusal of the API. @param words what it says, by when it says so */
export function refusal(description: string, words: Readonly<Record<string, string>>): Answer {
  const examples = Object.entries(words).map(([when, error]) => [when, { error }] as const)
  return { description, headers: API_HEADERS, content: json(schemaRef('Error'), Object.fromEntries(examples)) }
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  Unauthorized: {
    ...refusal('No key, or not one that opens this operation.', {
      'No key of 32 characters': 'missing api key',
      'An unknown key, or a read-only key where one may write': 'wrong api key',
    }),
    headers: CORS,
  },
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
    ...refusal('The key has used up its requests of this minute.', { 'Too many requests': 'rate limit exceeded' }),
    headers: { ...API_HEADERS, ...headerRefs('Retry-After') },
  },
  Unavailable: {
    ...refusal('The database cannot be used just now; nothing was changed. Try again.', {
      'Try again': 'the database cannot be used at the moment, please try again',
    }),
    headers: { ...API_HEADERS, ...headerRefs('Retry-After') },
  },
}

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
