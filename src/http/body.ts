/** Request bodies: read as bytes, within limits, whatever the client says they are. */
import { Refusal } from '../domain/errors.ts'

/** Of a check's settings, which take a few kilobytes. */
export const API_BODY_LIMIT = 131_072

/** As the peer: 2.5 MB of a ping, of which no more is waited for. */
export const REQUEST_BODY_LIMIT = 2_621_440

/** What is parsed for somebody who has shown no key yet. */
export const STRANGERS_BODY_LIMIT = 65_536

const NOTHING = new Uint8Array()

/**
 * Bun hands on no body with GET and HEAD, where it has no meaning (RFC 9110, 9.3.1).
 * @throws Refusal `too-large`; announced sizes are refused before a byte is read
 */
export async function readBytes(request: Request, limit = REQUEST_BODY_LIMIT): Promise<Uint8Array> {
  if (request.method === 'GET' || request.body === null) return NOTHING
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  const bytes = await arrival(request, limit)
  if (bytes.length > limit) throw tooLarge(limit)
  return bytes
}

function arrival(request: Request, limit: number): Promise<Uint8Array> {
  const isAnnounced = request.headers.has('content-length')
  return unbroken(request, isAnnounced || request.body === null ? request.bytes() : counted(request.body, limit))
}

/** @throws Refusal when the client goes away, which is no mistake of ours */
async function unbroken<Result>(request: Request, reading: Promise<Result>): Promise<Result> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Refusal || !request.signal.aborted) throw error
    throw new Refusal('invalid', 'the request broke off')
  }
}

/** A body of unknown size is not gathered beyond the limit: many of them at once would take all memory. */
async function counted(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** How a body starts, which is all that a ping keeps of it. */
export interface Beginning {
  readonly bytes: Uint8Array
  /** null once the body has ended; else it is longer than {@link REQUEST_BODY_LIMIT}, and the connection is to be closed */
  readonly rest: RestOfBody | null
}

/**
 * Reads a body to its end, but keeps only the first bytes. Of one that is longer than {@link REQUEST_BODY_LIMIT} it reads
 * no more than tells so: the job has run, however much it has to say. What is not read yet waits in the client.
 * @param length bytes to keep, at most {@link REQUEST_BODY_LIMIT}
 * @throws Refusal `invalid` when the client goes away before that
 */
export async function readBeginning(request: Request, length: number): Promise<Beginning> {
  if (request.method === 'GET' || request.body === null) return { bytes: NOTHING, rest: null }
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced <= length) return { bytes: await unbroken(request, request.bytes()), rest: null }
  const enough = announced > REQUEST_BODY_LIMIT ? length : REQUEST_BODY_LIMIT + 1
  return unbroken(request, begin(request.body.getReader(), length, enough))
}

async function begin(body: BodyReader, length: number, enough: number): Promise<Beginning> {
  const chunks: Uint8Array[] = []
  let size = 0
  while (size < enough) {
    const { done, value } = await body.read()
    if (done) return { bytes: Buffer.concat(chunks), rest: null }
    if (size < length) chunks.push(value.subarray(0, length - size))
    size += value.length
  }
  return { bytes: Buffer.concat(chunks), rest: new RestOfBody(body) }
}

type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>

/** Clients that read no answer before they have sent everything are given so much room and time to do that. */
const DISCARDED_BYTES = 64 * 1024 * 1024
const DISCARDED_MS = 10_000

/** What is left of a body that nobody wants to read. */
export class RestOfBody {
  readonly #body: BodyReader

  constructor(body: BodyReader) {
    this.#body = body
  }

  /**
   * Takes in what the client still sends, within limits, and forgets it. Closing the connection before would reset it, and
   * many a client would never see its answer.
   */
  async discard(limits = { bytes: DISCARDED_BYTES, ms: DISCARDED_MS }): Promise<void> {
    // A read that is cancelled ends as if the body had.
    const timer = setTimeout(() => this.#body.cancel().catch(() => {}), limits.ms)
    try {
      for (let size = 0; size < limits.bytes; ) {
        const { done, value } = await this.#body.read()
        if (done) return
        size += value.length
      }
    } catch {
      // The client has gone away; its ping is on disk.
    } finally {
      clearTimeout(timer)
    }
  }
}

function invalidWhenTooLarge(error: unknown): never {
  throw error instanceof Refusal && error.code === 'too-large' ? new Refusal('invalid', error.message) : error
}

function tooLarge(limit: number): Refusal {
  return new Refusal('too-large', `the request body is too large, send at most ${limit} bytes`)
}

/** A byte order mark stays in the text, where it is no JSON. */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws Refusal `invalid` for a body over the limit: the API has always answered 400 where pings answer 413 */
export function readApiBody(request: Request): Promise<Uint8Array> {
  return readBytes(request, API_BODY_LIMIT).catch(invalidWhenTooLarge)
}

/**
 * The bytes as a JSON object, whatever their Content-Type; none are an empty object.
 * @param allowNull pause and resume take `null` for no body
 * @throws Refusal `invalid` for bytes that are no UTF-8 or no JSON, for text that is no Unicode, and for other values
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
    // Neither the position nor the reason is part of the contract, and nesting too deep for the parser ends here too.
  }
  throw new Refusal('invalid', 'could not parse request body')
}

/** False when a string, at any depth that we would store, holds half of a surrogate pair: that is no Unicode text. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every((member) => typeof member !== 'string' || member.isWellFormed())
}
