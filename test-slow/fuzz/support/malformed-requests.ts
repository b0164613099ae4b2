/** Malformed and unusual requests, grouped by what RFC 9112 allows a server to do. */

/** A request as packets of bytes as characters. */
export type Shape = (outer: string, inner: string) => readonly string[]

const NO_SUCH = '/nowhere'

/** @param rest headers, an empty line and the body */
const post =
  (rest: string): Shape =>
  (outer) => [`POST ${outer} HTTP/1.1\r\nHost: x\r\n${rest}`]
const get =
  (rest: string): Shape =>
  (outer) => [`GET ${outer} HTTP/1.1\r\nHost: x\r\n${rest}`]
const line =
  (first: (outer: string) => string): Shape =>
  (outer) => [`${first(outer)}\r\nHost: x\r\n\r\n`]
const bytes =
  (text: string): Shape =>
  () => [text]
const chunks = (text: string): Shape => post(`Transfer-Encoding: chunked\r\n\r\n${text}`)

/** Requests that must be refused or not answered, and have no effect. */
export const REFUSED: Readonly<Record<string, Shape>> = {
  'a chunk with a size in C notation': chunks('0x2\r\nhi\r\n0\r\n\r\n'),
  'a chunk with a signed size': chunks('+2\r\nhi\r\n0\r\n\r\n'),
  'a chunk of negative size': chunks('-2\r\nhi\r\n0\r\n\r\n'),
  'a space before the size of a chunk': chunks(' 2\r\nhi\r\n0\r\n\r\n'),
  'a chunk without a size': chunks('\r\nhi\r\n0\r\n\r\n'),
  'a chunk with only an extension': chunks(';a=b\r\n\r\n'),
  'a line feed in the extension of a chunk': chunks('2;a\nx\r\nhi\r\n0\r\n\r\n'),
  'chunks that end in line feeds': chunks('2\nhi\n0\n\n'),
  'a chunk that is longer than its size': chunks('2\r\nhiho\r\n0\r\n\r\n'),
  'a chunk without a line end': chunks('2\r\nhiXX0\r\n\r\n'),
  'a chunk of more than 64 bits': chunks('FFFFFFFFFFFFFFFF2\r\nhi\r\n0\r\n\r\n'),
  'a chunk of more than 32 bits': chunks('100000002\r\nhi\r\n0\r\n\r\n'),
  'an extension of 100,000 characters': chunks(`2;${'a'.repeat(100_000)}\r\nhi\r\n0\r\n\r\n`),
  'chunks in HTTP/1.0': (outer, inner) => [
    `POST ${outer} HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
  ],
  'a Content-Length of 5 GB': post('Content-Length: 5000000000\r\n\r\nhi'),
  'no Host': (outer) => [`GET ${outer} HTTP/1.1\r\n\r\n`],
  'lines that end in line feeds': (outer) => [`GET ${outer} HTTP/1.1\nHost: x\n\n`],
  'a bare carriage return in a header': get('A: b\rX-Injected: c\r\n\r\n'),
  'a bare line feed in a header': get('A: b\nX-Injected: c\r\n\r\n'),
  'NUL in a header': get('A: b\0c\r\n\r\n'),
  'NUL in the name of a header': get('A\0: c\r\n\r\n'),
  'NUL in the target': line((outer) => `GET ${outer}\0 HTTP/1.1`),
  'a control character in the target': line((outer) => `GET ${outer}?\x01 HTTP/1.1`),
  'a space in the target': line((outer) => `GET ${outer} x HTTP/1.1`),
  'a space in the name of a header': get('A b: c\r\n\r\n'),
  'a space after the name of a header': get('A : c\r\n\r\n'),
  'a header without a colon': get('abc\r\n\r\n'),
  'a header without a name': get(': c\r\n\r\n'),
  'a folded header': get('A: b\r\n c\r\n\r\n'),
  'a folded first header': (outer) => [`GET ${outer} HTTP/1.1\r\n Host: x\r\n\r\n`],
  'a tab instead of a space': line((outer) => `GET\t${outer}\tHTTP/1.1`),
  'a method with an invalid character': line((outer) => `G@T ${outer} HTTP/1.1`),
  'a method in lower case': line((outer) => `get ${outer} HTTP/1.1`),
  'an unknown method': line((outer) => `FOO ${outer} HTTP/1.1`),
  'a method of 5,000 characters': line((outer) => `${'A'.repeat(5_000)} ${outer} HTTP/1.1`),
  'no version': (outer) => [`GET ${outer}\r\n\r\n`],
  'HTTP/0.9': (outer) => [`GET ${outer}\r\n`],
  'HTTP/2.0': line((outer) => `GET ${outer} HTTP/2.0`),
  'HTTP/9.9': line((outer) => `GET ${outer} HTTP/9.9`),
  'another protocol': line((outer) => `GET ${outer} ICAP/1.0`),
  'the preface of HTTP/2': bytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'),
  'a TLS ClientHello': bytes('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  'an SSH banner': bytes('SSH-2.0-x\r\n'),
  'SMTP commands': bytes('EHLO x\r\nMAIL FROM:<a@example.org>\r\n'),
  'only line ends': bytes('\r\n'.repeat(1_000)),
  'only NUL': bytes('\0'.repeat(1_000)),
  '300 headers': get(`${'A: b\r\n'.repeat(300)}\r\n`),
  '100,000 headers': get(`${'A: b\r\n'.repeat(100_000)}\r\n`),
  'a header of a million bytes': get(`A: ${'b'.repeat(1_000_000)}\r\n\r\n`),
  'a header name of a million bytes': get(`${'b'.repeat(1_000_000)}: a\r\n\r\n`),
  'a target of a million bytes': line((outer) => `GET ${outer}?${'b'.repeat(1_000_000)} HTTP/1.1`),
  'a million bytes without a line end': bytes('GET /'.padEnd(1_000_000, 'x')),
  'the target *': line(() => 'OPTIONS * HTTP/1.1'),
  CONNECT: (_, inner) => [`CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n`, inner.replace('/ping/', '/')],
  'half a body': post('Content-Length: 100\r\n\r\nhalf'),
  'half a chunk': chunks('64\r\nhalf'),
  'half a header': (outer) => [`POST ${outer} HTTP/1.1\r\nHost: x\r\nContent-Le`],
}

/** Requests that must be answered exactly once, because the second request is part of the body of the first. */
export const ONE: Readonly<Record<string, Shape>> = {
  'a plain request': get('\r\n'),
  'a request a byte at a time': (outer) => [...`POST ${outer} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi`],
  'a chunk a byte at a time': (outer) => [
    ...`POST ${outer} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`,
  ],
  'a chunk size of 10,000 digits': chunks(`${'0'.repeat(9_999)}2\r\nhi\r\n0\r\n\r\n`),
  'a request in the body of a GET': (outer, inner) => [
    `GET ${outer} HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
  ],
  'a request in the chunks of a GET': (outer, inner) => [
    `GET ${outer} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
  ],
  ...Object.fromEntries(
    ['DELETE', 'OPTIONS', 'PUT', 'PATCH', 'TRACE'].map((method): [string, Shape] => [
      `a request in the body of ${method}`,
      (outer, inner) => [`${method} ${outer} HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`],
    ]),
  ),
  'a request in a body that is not read': (_, inner) => [
    `POST ${NO_SUCH} HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
  ],
  'a request in a body that is not read, later': (_, inner) => [
    `POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\n\r\n`,
    inner,
  ],
  'a request in chunks that is not read': (_, inner) => [
    `POST ${NO_SUCH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n`,
    `${inner}\r\n0\r\n\r\n`,
  ],
  'a request in a body that is too large to be read': (outer, inner) => [
    `POST ${outer} HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n`,
    inner.padEnd(3_000_000, 'x'),
  ],
  'a request in the extension of a chunk': (outer, inner) => [
    `POST ${outer} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;${inner.replaceAll('\r\n', ' ')}\r\nhi\r\n0\r\n\r\n`,
  ],
  'a request after one that closes': (outer, inner) => [
    `GET ${outer} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    inner,
  ],
  'a request after one in HTTP/1.0': (outer, inner) => [`GET ${outer} HTTP/1.0\r\nHost: x\r\n\r\n`, inner],
  'an upgrade to WebSocket': get(
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
  ),
  'an upgrade to HTTP/2': get(
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
  ),
  'an expectation': post('Expect: 100-continue\r\nContent-Length: 2\r\n\r\nhi'),
  'an unknown expectation': post('Expect: x\r\nContent-Length: 2\r\n\r\nhi'),
  'an absolute URL': line((outer) => `GET http://example.org${outer} HTTP/1.1`),
  'bytes beyond ASCII in the target': line((outer) => `GET ${outer}?\xff\xfe HTTP/1.1`),
  'a long target': line((outer) => `GET ${outer}?${'b'.repeat(12_000)} HTTP/1.1`),
  ...Object.fromEntries(
    ['', 'a b', '[', 'x:99999', '%zz', '\xfc', 'u@h', `${'x'.repeat(3_000)}`, '<script>', '::1'].map(
      (host): [string, Shape] => [
        `the Host ${JSON.stringify(host.slice(0, 20))}`,
        (outer) => [`GET ${outer} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
      ],
    ),
  ),
}

/**
 * Requests of which the first may be executed; bytes after it must be refused or dropped. Bun's web server doesn't support trailers, and it
 * closes the connection when a request arrives before the previous one is answered. Neither lets a request through.
 */
export const ONE_AT_MOST: Readonly<Record<string, Shape>> = {
  'a trailer': chunks('2\r\nhi\r\n0\r\nX-A: b\r\n\r\n'),
  'a trailer that changes the length': (outer, inner) => [
    `POST ${outer} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: ${inner.length}\r\n\r\n`,
  ],
  'a request instead of a trailer': (outer, inner) => [
    `POST ${outer} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${inner}`,
  ],
  'a request after two letters instead of a trailer': (outer, inner) => [
    `POST ${outer} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nab${inner}`,
  ],
  'a request instead of a trailer, later': (_, inner) => [
    `POST ${NO_SUCH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n`,
    `ab${inner}`,
  ],
  'a trailer of a million bytes': chunks(`2\r\nhi\r\n0\r\nX-A: ${'b'.repeat(1_000_000)}\r\n\r\n`),
  'two Hosts': get('Host: y\r\n\r\n'),
  'line ends before the request': (outer) => [`\r\n\r\nGET ${outer} HTTP/1.1\r\nHost: x\r\n\r\n`],
  'HTTP/1.2': line((outer) => `GET ${outer} HTTP/1.2`),
  'two spaces': line((outer) => `GET  ${outer} HTTP/1.1`),
  'a space after the size of a chunk': chunks('2 \r\nhi\r\n0\r\n\r\n'),
}
