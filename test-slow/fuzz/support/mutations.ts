/** Valid requests with a few changed bytes. */
import fc, { type Arbitrary } from 'fast-check'
import type { CheckPair } from './check-pair.ts'

interface Mutated {
  /** bytes as characters, in separate packets */
  readonly parts: readonly string[]
  readonly breakOff: boolean
}

const PIECES = [
  ...[
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    '\n\n',
    '\0',
    ' ',
    '\t',
    ':',
    ';',
    ',',
    '/',
    '?',
    '#',
    '%',
    '*',
    '\x0b',
    '\x7f',
    '\xff',
  ],
  ...['HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'GET ', 'POST ', 'CONNECT ', 'Host: x\r\n', 'Connection: close\r\n'],
  ...['Content-Length: 0\r\n', 'Content-Length: 5\r\n', 'Content-Length: 999999999999\r\n', 'Content-Length: '],
  ...['Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: ', 'Expect: 100-continue\r\n', 'Upgrade: h2c\r\n'],
  ...[
    '0\r\n\r\n',
    'FFFFFFFF\r\n',
    'ffffffffffffffff\r\n',
    '5;a="\r\n',
    '-1\r\n',
    'A'.repeat(20_000),
    'a: b\r\n'.repeat(150),
  ],
]

type Change = (text: string) => string

/** @param at offset as a share of the text, so that it stays valid when the text shrinks */
function changeAt(at: number, change: (start: string, end: string) => string): Change {
  return (text) => {
    const place = Math.floor((text.length * at) / PLACES)
    return change(text.slice(0, place), text.slice(place))
  }
}

const PLACES = 1_000
const place = fc.integer({ min: 0, max: PLACES })
const length = fc.integer({ min: 1, max: 40 })

interface Named {
  readonly toString: () => string
  readonly change: Change
}

const named = (name: string, change: Change): Named => ({ toString: () => name, change })

const anyChange: Arbitrary<Named> = fc.oneof(
  fc.tuple(place, fc.constantFrom(...PIECES)).map(([at, piece]) =>
    named(
      `put in ${JSON.stringify(piece.slice(0, 30))}`,
      changeAt(at, (start, end) => start + piece + end),
    ),
  ),
  fc.tuple(place, length).map(([at, n]) =>
    named(
      `leave out ${n}`,
      changeAt(at, (start, end) => start + end.slice(n)),
    ),
  ),
  fc.tuple(place, length).map(([at, n]) =>
    named(
      `repeat ${n}`,
      changeAt(at, (start, end) => start + end.slice(0, n) + end),
    ),
  ),
  fc.tuple(place, fc.integer({ min: 0, max: 255 })).map(([at, code]) =>
    named(
      `byte ${code}`,
      changeAt(at, (start, end) => start + String.fromCharCode(code) + end.slice(1)),
    ),
  ),
  place.map((at) =>
    named(
      'cut',
      changeAt(at, (start) => start),
    ),
  ),
  place.map((at) =>
    named(
      'swap',
      changeAt(at, (start, end) => end + start),
    ),
  ),
)

export function mutations({ outer, inner }: CheckPair): Arbitrary<Mutated> {
  const right = fc.constantFrom(
    `GET ${outer} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET ${outer}/start?rid=c0ffee00-0000-4000-8000-000000000001 HTTP/1.1\r\nHost: x\r\nUser-Agent: curl\r\n\r\n`,
    `POST ${outer} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`,
    `POST ${outer}/fail HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5;a=b\r\nhello\r\n0\r\n\r\n`,
    `POST ${outer} HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    `POST /api/v3/checks/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"name": "x"}`,
    `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET /b/2/00000000-0000-4000-8000-000000000000.svg HTTP/1.0\r\nCookie: a=b\r\n\r\n`,
  )
  const cuts = fc.uniqueArray(place, { maxLength: 3 })
  return fc
    .tuple(right, fc.array(anyChange, { minLength: 1, maxLength: 4 }), cuts, fc.integer({ min: 0, max: 9 }))
    .map(([text, changes, cutAt, tenth]) => {
      const changed = changes.reduce<string>((before, { change }) => change(before), text)
      return { parts: inParts(changed, cutAt), breakOff: tenth === 0 }
    })
}

function inParts(text: string, cuts: readonly number[]): string[] {
  const places = cuts.map((at) => Math.floor((text.length * at) / PLACES)).toSorted((a, b) => a - b)
  return [0, ...places]
    .map((from, index) => text.slice(from, places[index] ?? text.length))
    .filter((part) => part !== '')
}
