/**
 * An HTTP/1.1 exchange over a bare socket. `fetch` refuses a GET with a body, adds headers and normalises the path; recorded requests must
 * arrive byte for byte.
 */
import { connect } from 'node:net'

export interface WireRequest {
  readonly method: string
  /** request target, sent unchanged */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** body; `null` sends no Content-Length, an empty one sends 0 */
  readonly body: Uint8Array | null
}

export interface WireResponse {
  readonly status: number
  /** values by lower-case name; those of a repeated header are joined by a comma */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** @param host `name:port` */
export function exchange(host: string, request: WireRequest, timeoutSeconds = 30): Promise<WireResponse> {
  const { hostname, port } = new URL(`http://${host}`)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 80) })
    let received = Buffer.alloc(0)
    const fail = (cause: unknown): void => {
      socket.destroy()
      reject(cause)
    }
    const settle = (ended: boolean, cause: Error): void => {
      try {
        const response = readResponse(received, request.method, ended)
        if (response !== null) {
          socket.destroy()
          resolve(response)
        } else if (ended) fail(cause)
      } catch (unreadable) {
        fail(unreadable)
      }
    }
    socket.setTimeout(timeoutSeconds * 1000, () => fail(new Error(`no answer within ${timeoutSeconds} seconds`)))
    socket.on('connect', () => socket.write(serialize(host, request)))
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, typeof chunk === 'string' ? Buffer.from(chunk) : chunk])
      settle(false, new Error('incomplete answer'))
    })
    socket.on('close', () => settle(true, new Error(`closed after ${received.length} bytes of an answer`)))
    // A server may answer and close before it has read everything: the answer still counts.
    socket.on('error', (error) => settle(true, error))
  })
}

function serialize(host: string, request: WireRequest): Buffer {
  const lines = [`${request.method} ${request.target} HTTP/1.1`, `Host: ${host}`]
  for (const [name, value] of request.headers) lines.push(`${name}: ${value}`)
  const writes = ['POST', 'PUT', 'PATCH'].includes(request.method)
  if (request.body !== null || writes) lines.push(`Content-Length: ${request.body?.length ?? 0}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), request.body ?? Buffer.alloc(0)])
}

/** Parses a response; `null` while bytes are missing. @param ended no more bytes will arrive */
function readResponse(received: Buffer, method: string, ended: boolean): WireResponse | null {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? Number.NaN)
  if (Number.isNaN(status)) throw new Error(`not an HTTP answer: ${statusLine.slice(0, 100)}`)
  const rest = received.subarray(end + 4)
  if (status >= 100 && status < 200) return readResponse(rest, method, ended)

  const headers = readHeaders(lines)
  const body = readBody(rest, method, status, headers, ended)
  return body === null ? null : { status, headers, body }
}

function readHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const earlier = headers.get(name)
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`)
  }
  return headers
}

/** Reads the body. Its length depends on method, status, transfer coding, Content-Length or the end, in this order (RFC 9112, 6.3). */
function readBody(
  rest: Buffer,
  method: string,
  status: number,
  headers: ReadonlyMap<string, string>,
  ended: boolean,
): Buffer | null {
  if (method === 'HEAD' || status === 204 || status === 304) return Buffer.alloc(0)
  if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(rest)
  const length = headers.get('content-length')
  if (length === undefined) return ended ? rest : null
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : null
}

function readChunks(rest: Buffer): Buffer | null {
  const chunks: Buffer[] = []
  let position = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', position)
    if (lineEnd < 0) return null
    const size = Number.parseInt(rest.subarray(position, lineEnd).toString('latin1'), 16)
    if (Number.isNaN(size)) throw new Error('unreadable chunk size')
    const start = lineEnd + 2
    if (rest.length < start + size + 2) return null
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(rest.subarray(start, start + size))
    position = start + size + 2
  }
}
