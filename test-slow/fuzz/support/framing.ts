/** Combines every way to declare the length of a body, and computes the end of the body by RFC 9112, 6.3. */

interface Framed {
  readonly name: string
  readonly text: string
  /** whether the request must not be executed */
  readonly isRefused: boolean
  /** whether the second request may be executed: only when it follows the body and is not inside it */
  readonly isInnerFree: boolean
}

const LAST_CHUNK = '0\r\n\r\n'

type Meaning = 'none' | 'right' | 'wrong'

/** Transfer codings: only plain `chunked` is valid. */
const CODINGS: readonly (readonly [lines: string, meaning: Meaning])[] = [
  ['', 'none'],
  ['Transfer-Encoding: chunked\r\n', 'right'],
  ['Transfer-Encoding:chunked\r\n', 'right'],
  ['transfer-encoding: \t Chunked \t\r\n', 'right'],
  ['Transfer-Encoding: xchunked\r\n', 'wrong'],
  ['Transfer-Encoding: chunkedx\r\n', 'wrong'],
  ['Transfer-Encoding: identity\r\n', 'wrong'],
  ['Transfer-Encoding: chunked, identity\r\n', 'wrong'],
  ['Transfer-Encoding: chunked, chunked\r\n', 'wrong'],
  ['Transfer-Encoding: gzip, chunked\r\n', 'wrong'],
  ['Transfer-Encoding: "chunked"\r\n', 'wrong'],
  ['Transfer-Encoding: chunked;q=1\r\n', 'wrong'],
  ['Transfer-Encoding: \x0bchunked\r\n', 'wrong'],
  ['Transfer-Encoding: chunked\x00\r\n', 'wrong'],
  ['Transfer-Encoding : chunked\r\n', 'wrong'],
  [' Transfer-Encoding: chunked\r\n', 'wrong'],
  ['Transfer-Encoding:\r\n chunked\r\n', 'wrong'],
  ['Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', 'wrong'],
  ['Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n', 'wrong'],
  ['X: y\rTransfer-Encoding: chunked\r\n', 'wrong'],
  ['X: y\nTransfer-Encoding: chunked\r\n', 'wrong'],
]

interface Length {
  readonly lines: string
  readonly meaning: Meaning
  /** the declared length, when it is valid */
  readonly bytes: number
}

function lengthsFor(whole: number): readonly Length[] {
  const right = (lines: string, bytes: number): Length => ({ lines, meaning: 'right', bytes })
  const wrong = (lines: string): Length => ({ lines, meaning: 'wrong', bytes: 0 })
  return [
    { lines: '', meaning: 'none', bytes: 0 },
    right(`Content-Length: ${whole}\r\n`, whole),
    right(`content-length:${whole}\r\n`, whole),
    right(`Content-Length: 000${whole} \r\n`, whole),
    right(`Content-Length: ${whole}\r\nContent-Length: ${whole}\r\n`, whole),
    right(`Content-Length: ${LAST_CHUNK.length}\r\n`, LAST_CHUNK.length),
    right('Content-Length: 0\r\n', 0),
    wrong(`Content-Length: ${whole}\r\nContent-Length: 0\r\n`),
    wrong(`Content-Length: 0\r\nContent-Length: ${whole}\r\n`),
    wrong(`Content-Length: ${whole}, 0\r\n`),
    wrong(`Content-Length: +${whole}\r\n`),
    wrong(`Content-Length: -${whole}\r\n`),
    wrong(`Content-Length: 0x${whole.toString(16)}\r\n`),
    wrong(`Content-Length: ${whole}.0\r\n`),
    wrong(`Content-Length: ${whole} x\r\n`),
    wrong(`Content-Length: ${whole}\x00\r\n`),
    wrong('Content-Length: \r\n'),
    wrong(`Content-Length : ${whole}\r\n`),
    wrong(`Content-Length: ${2n ** 64n + BigInt(whole)}\r\n`),
  ]
}

/** @param target of the first request @param inner the request that follows an empty chunked body */
export function framings(target: string, inner: string): Framed[] {
  const body = LAST_CHUNK + inner
  return CODINGS.flatMap(([coding, codingMeaning]) =>
    lengthsFor(body.length).flatMap((length) =>
      [coding + length.lines, length.lines + coding].map((lines): Framed => {
        const isBoth = codingMeaning === 'right' && length.meaning !== 'none'
        const isPlain = !isBoth && codingMeaning !== 'wrong' && length.meaning !== 'wrong'
        const end = codingMeaning === 'right' ? LAST_CHUNK.length : length.bytes
        return {
          name: JSON.stringify(lines),
          text: `POST ${target} HTTP/1.1\r\nHost: x\r\n${lines}\r\n${body}`,
          // By RFC 9112, 6.1, a server may read both at once as chunked if it then closes the connection.
          isRefused: codingMeaning === 'wrong' || length.meaning === 'wrong',
          isInnerFree: isPlain && end === LAST_CHUNK.length,
        }
      }),
    ),
  )
}
