/** Reads request bodies as bytes, enforces size limits, and ignores the Content-Type. */
import { Refusal } from '../domain/errors.ts'
import { PING_BODY_BYTES_MAX } from '../domain/ping/signal.ts'

/** Maximum size of an API request body, in bytes. A check's settings take a few kilobytes. */
export const API_BODY_LIMIT = 131_072

/** Maximum size of a ping body, in bytes. The server stops reading longer bodies at this size. */
export const REQUEST_BODY_LIMIT = PING_BODY_BYTES_MAX

/** Maximum body size for a client that has not sent a valid key yet, in bytes. */
export const STRANGERS_BODY_LIMIT = 65_536
/** Maximum number of fields in a form from a client that is not signed in. The longest forms on our pages have a few dozen fields. */
export const STRANGERS_FIELDS_LIMIT = 1_000

export const NOTHING = new Uint8Array()

/**
 * Reads a body. Bun drops the body of a GET or HEAD, because it would have no meaning there (RFC 9110, 9.3.1).
 * @throws Refusal `too-large`; before reading anything, if Content-Length exceeds the limit
 */
export async function readBytes(request: Request, limit = REQUEST_BODY_LIMIT): Promise<Uint8Array> {
  if (request.method === 'GET' || request.body === null) return NOTHING
  const announced = request.headers.get('content-length')
  if (Number(announced ?? 0) > limit) throw tooLarge(limit)
  const reading = announced === null ? readWithin(request.body, limit) : request.bytes()
  const bytes = await refuseDisconnect(request, reading)
  if (bytes.length > limit) throw tooLarge(limit)
  return bytes
}

/**
 * Turns a client disconnect into a refusal, because it is not an internal error.
 * @throws Refusal `invalid` if the client disconnects
 */
export async function refuseDisconnect<Result>(request: Request, reading: Promise<Result>): Promise<Result> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Refusal || !request.signal.aborted) throw error
    throw new Refusal('invalid', 'the client disconnected before the end of the body')
  }
}

/** Reads a body of unknown size. Stops at the limit, because an endless body would otherwise use up all memory. */
async function readWithin(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function invalidWhenTooLarge(error: unknown): never {
  throw error instanceof Refusal && error.code === 'too-large' ? new Refusal('invalid', error.message) : error
}

function tooLarge(limit: number): Refusal {
  return new Refusal('too-large', `the request body is too large, send at most ${limit} bytes`, { limit })
}

const AMPERSAND = 0x26

export function tooManyFields(limit: number): Refusal {
  return new Refusal('too-large', `the form has too many fields, send at most ${limit}`, { limit })
}

/**
 * Counts the fields in a form (WHATWG URL, 5.1) without reading them. Empty fields count, because they also take time to read.
 * @throws Refusal `too-large` for more than `limit`
 */
export function requireFewFields(bytes: Uint8Array, limit: number): void {
  let count = 1
  for (let at = bytes.indexOf(AMPERSAND); at >= 0; at = bytes.indexOf(AMPERSAND, at + 1)) {
    count++
    if (count > limit) throw tooManyFields(limit)
  }
}

/** Decoder that keeps a byte order mark, so that `JSON.parse` rejects it. */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws Refusal `invalid` for a body over the limit, because the API responds with 400 rather than 413 */
export function readApiBody(request: Request): Promise<Uint8Array> {
  return readBytes(request, API_BODY_LIMIT).catch(invalidWhenTooLarge)
}

/**
 * Parses a request body. An empty body counts as `{}`.
 * @param allowNull whether `null` also counts as `{}`, as it does for pause and resume
 * @throws Refusal `invalid` unless the bytes are a JSON object in UTF-8 whose strings are valid Unicode
 */
export function parseJsonObject(bytes: Uint8Array, allowNull = false): Record<string, unknown> {
  if (bytes.length === 0) return {}
  const value = parseJson(bytes)
  if (value === null && allowNull) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('invalid', 'json validation error: value is not an object')
  }
  return value as Record<string, unknown>
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(strict.decode(bytes))
    if (isWellFormed(value)) return value
  } catch {
    // Clients get the same message for every reason, including nesting that is too deep for the parser.
  }
  throw new Refusal('invalid', 'could not parse request body')
}

/**
 * Returns false if a string contains a lone surrogate, which is not valid Unicode. Checks nested values only as deep as the server stores
 * them.
 */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every((member) => typeof member !== 'string' || member.isWellFormed())
}
