/** Parses answers from the bytes of a server (RFC 9112). It is strict, because a lenient client would hide mistakes. */

export interface Answer {
  readonly status: number
  /** values by lower-case name; the last one of a repeated name */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

interface AnswerReader {
  /** @throws Error for bytes that aren't an HTTP answer */
  read(bytes: Buffer): Answer[]
  /** Call it when the connection is closed. @returns an answer that had no length; null when there is none */
  end(): Answer | null
}

interface Head {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly length: number
}

const NOTHING = Buffer.alloc(0)

/** @param isBodiless whether the next answer is to a `HEAD`; called once for each answer */
export function answerReader(isBodiless: () => boolean = () => false): AnswerReader {
  let left: Buffer = NOTHING
  const next = (isEnd: boolean): Answer | null => {
    const head = readHead(left)
    if (head === null) return null
    const { status, headers } = head
    // An interim answer precedes the final one (RFC 9110, 15.2).
    if (status < 200) {
      left = left.subarray(head.length)
      return next(isEnd)
    }
    const isEmpty = isBodiless() || status === 204 || status === 304
    const body = isEmpty ? { bytes: NOTHING, end: head.length } : readBody(left, head, isEnd)
    if (body === null) return null
    left = left.subarray(body.end)
    return { status, headers, body: body.bytes }
  }
  return {
    read(bytes) {
      left = left.length === 0 ? bytes : Buffer.concat([left, bytes])
      const answers: Answer[] = []
      while (left.length > 0) {
        const answer = next(false)
        if (answer === null) break
        answers.push(answer)
      }
      return answers
    },
    end: () => (left.length > 0 ? next(true) : null),
  }
}

function readHead(bytes: Buffer): Head | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (!(status >= 100)) throw new Error(`not an HTTP answer: ${JSON.stringify(first.slice(0, 200))}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) throw new Error(`not a header field: ${JSON.stringify(line.slice(0, 200))}`)
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return { status, headers, length: end + 4 }
}

interface Body {
  readonly bytes: Buffer
  /** offset at which the next answer begins */
  readonly end: number
}

/** @returns null while the body is incomplete */
function readBody(bytes: Buffer, { headers, length: start }: Head, isEnd: boolean): Body | null {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(bytes, start)
  const announced = headers.get('content-length')
  if (announced === undefined) return isEnd ? { bytes: bytes.subarray(start), end: bytes.length } : null
  if (!/^\d+$/.test(announced)) throw new Error(`not a length: ${announced}`)
  const end = start + Number(announced)
  return bytes.length < end ? null : { bytes: bytes.subarray(start, end), end }
}

function readChunks(bytes: Buffer, start: number): Body | null {
  const parts: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (Number.isNaN(size)) throw new Error('a chunk without a size')
    const end = lineEnd + 2 + size + 2
    if (bytes.length < end) return null
    if (size === 0) return { bytes: Buffer.concat(parts), end }
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = end
  }
}
