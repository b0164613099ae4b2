/** Reads the part of a request body that is stored with the ping. If the body is too long, the client may still finish sending it. */
import { NOTHING, REQUEST_BODY_LIMIT, refuseDisconnect } from '../body.ts'

/** The beginning of a request body. Only this part is stored with the ping. */
interface Beginning {
  readonly bytes: Uint8Array
  /**
   * unread part of a body that exceeds {@link REQUEST_BODY_LIMIT}, so that the caller can close the connection; null if the entire body was
   * read
   */
  readonly rest: UnreadBody | null
}

/**
 * Reads a body to the end, but keeps only the first bytes. Reading stops once a body exceeds {@link REQUEST_BODY_LIMIT}. Exceeding the
 * limit is not an error: the job has run, so its ping counts.
 * @param length bytes to keep, at most {@link REQUEST_BODY_LIMIT}
 * @throws Refusal `invalid` if the client disconnects while the body is being read
 */
export async function readBeginning(request: Request, length: number): Promise<Beginning> {
  if (request.method === 'GET' || request.body === null) return { bytes: NOTHING, rest: null }
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced <= length) return { bytes: await refuseDisconnect(request, request.bytes()), rest: null }
  const enough = announced > REQUEST_BODY_LIMIT ? length : REQUEST_BODY_LIMIT + 1
  return refuseDisconnect(request, readFirst(request.body.getReader(), length, enough))
}

async function readFirst(body: BodyReader, length: number, enough: number): Promise<Beginning> {
  const chunks: Uint8Array[] = []
  let size = 0
  while (size < enough) {
    const { done, value } = await body.read()
    if (done) return { bytes: Buffer.concat(chunks), rest: null }
    if (size < length) chunks.push(value.subarray(0, length - size))
    size += value.length
  }
  return { bytes: Buffer.concat(chunks), rest: new UnreadBody(body) }
}

type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>

/**
 * Number of bytes that the client may still send within {@link DISCARDED_MS}. Some clients do not read the response until they have sent
 * the entire body.
 */
const DISCARDED_BYTES = 64 * 1024 * 1024
const DISCARDED_MS = 10_000

class UnreadBody {
  readonly #body: BodyReader

  constructor(body: BodyReader) {
    this.#body = body
  }

  /**
   * Reads and discards the rest of the body, within limits. If the server closed the connection immediately, the connection would be reset,
   * and many clients would never see the response.
   */
  async discard(limits = { bytes: DISCARDED_BYTES, ms: DISCARDED_MS }): Promise<void> {
    // After `cancel`, a pending read reports that the body has ended.
    const timer = setTimeout(() => this.#body.cancel().catch(() => {}), limits.ms)
    try {
      for (let size = 0; size < limits.bytes; ) {
        const { done, value } = await this.#body.read()
        if (done) return
        size += value.length
      }
    } catch {
      // The client has disconnected, but its ping is on disk.
    } finally {
      clearTimeout(timer)
    }
  }
}
