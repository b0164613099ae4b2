/**
 * Reads the body of a form with files (`multipart/form-data`, RFC 7578) as it arrives. Memory use does not depend on the size of the files.
 */

/** Thrown if the body is not a multipart form or is too long. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError'
}

export interface FormPart {
  /** name of the field */
  readonly name: string
  /** name of the file; null if the part is not a file */
  readonly fileName: string | null
  /** The content of the part. It must be read to the end before the next part is requested. */
  readonly chunks: AsyncIterable<Uint8Array>
}

const HEAD_LIMIT = 16_384
const LINE_END = '\r\n'

/**
 * Returns the boundary declared in a Content-Type.
 * @returns null if it is not the Content-Type of a multipart form
 */
export function boundaryOf(contentType: string | null): string | null {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*?boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ?? []
  return quoted ?? plain ?? null
}

/**
 * Yields the parts of a form.
 * @throws MultipartError
 */
export async function* formParts(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  const input = new Input(body)
  const first = Buffer.from(`--${boundary}`)
  const next = Buffer.from(`${LINE_END}--${boundary}`)
  await skip(input.until(first))
  while ((await input.line()) !== '--') {
    const head = await readHead(input)
    const chunks = input.until(next)
    yield { ...nameOf(head), chunks }
    // Skips the rest of the part if the caller has not read it.
    await skip(chunks)
  }
}

async function skip(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

async function readHead(input: Input): Promise<string> {
  let head = ''
  for (let line = await input.line(); line !== ''; line = await input.line()) {
    head += `${line}${LINE_END}`
    if (head.length > HEAD_LIMIT) throw new MultipartError('the head of a part is too long')
  }
  return head
}

function nameOf(head: string): Pick<FormPart, 'name' | 'fileName'> {
  const [, disposition = ''] = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(head) ?? []
  const [, name] = /;\s*name="([^"]*)"/i.exec(disposition) ?? []
  if (name === undefined) throw new MultipartError('a part has no name')
  const [, fileName = null] = /;\s*filename="([^"]*)"/i.exec(disposition) ?? []
  return { name, fileName }
}

class Input {
  readonly #chunks: AsyncIterator<Uint8Array>
  #kept = Buffer.alloc(0)

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]()
  }

  /** Reads up to the end of the line, or returns `--` if it comes next, because it follows the last boundary. */
  async line(): Promise<string> {
    for (;;) {
      if (this.#kept.subarray(0, 2).toString('latin1') === '--') return '--'
      const at = this.#kept.indexOf(LINE_END)
      if (at >= 0) return this.#take(at, LINE_END.length).toString('utf8')
      if (this.#kept.length > HEAD_LIMIT) throw new MultipartError('a line of a part is too long')
      await this.#fill()
    }
  }

  /** Reads the bytes up to the delimiter and drops the delimiter. */
  async *until(delimiter: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#kept.indexOf(delimiter)
      if (at >= 0) {
        const last = this.#take(at, delimiter.length)
        if (last.length > 0) yield last
        return
      }
      // The last bytes may be the beginning of the delimiter.
      const sure = this.#kept.length - delimiter.length
      if (sure > 0) yield this.#take(sure, 0)
      await this.#fill()
    }
  }

  #take(length: number, dropped: number): Buffer {
    const taken = this.#kept.subarray(0, length)
    this.#kept = this.#kept.subarray(length + dropped)
    return taken
  }

  async #fill(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (done) throw new MultipartError('the form ends too early')
    this.#kept = this.#kept.length === 0 ? Buffer.from(value) : Buffer.concat([this.#kept, value])
  }
}
