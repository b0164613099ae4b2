/** Generated requests: well-formed HTTP with valid or invalid content. */
import fc, { type Arbitrary } from 'fast-check'
import { fill, type Lookup, utf8 } from './template.ts'

export type Kind = 'ping' | 'api' | 'badge' | 'metrics' | 'mail link' | 'page'

/** Access that the key in a request gives; `none` without a key, with an invalid one, or with one of another kind. */
export type Access = 'write' | 'read' | 'stranger' | 'none'

/** A generated request. Texts contain bytes as characters, and placeholders. */
export interface GeneratedRequest {
  readonly kind: Kind
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly access: Access
  readonly body: string
  readonly isChunked: boolean
  /** whether to check its effect */
  readonly isVerified: boolean
}

export interface FilledRequest extends GeneratedRequest {
  readonly bytes: Buffer
}

export function fillRequest(request: GeneratedRequest, lookup: Lookup, port: number): FilledRequest {
  const target = fill(request.target, lookup)
  const body = fill(request.body, lookup)
  const headers = request.headers.map(([name, value]) => [name, fill(value, lookup)] as const)
  const framed = [...headers, ...framing(request, body)]
  const lines = [`Host: 127.0.0.1:${port}`, ...framed.map(([name, value]) => `${name}: ${value}`)]
  const head = `${request.method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
  const bytes = Buffer.from(head + (request.isChunked ? chunked(body) : body), 'latin1')
  return { ...request, target, headers, body, bytes }
}

function framing({ isChunked, method }: GeneratedRequest, body: string): [string, string][] {
  if (isChunked) return [['Transfer-Encoding', 'chunked']]
  return body !== '' || method === 'POST' ? [['Content-Length', String(body.length)]] : []
}

const CHUNK = 1000

function chunked(body: string): string {
  const chunks: string[] = []
  for (let at = 0; at < body.length; at += Math.max(CHUNK, body.length / 8)) {
    const chunk = body.slice(at, at + Math.max(CHUNK, body.length / 8))
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  }
  return `${chunks.join('')}0\r\n\r\n`
}

/** Methods that Bun's web server supports. It doesn't answer others, see `broken-http.test.ts`. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'LOCK']

/** Generates a method, mostly the usual one. */
export function methodFor(usual: string): Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom('GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PUT') },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  )
}

/** Ordinary and hostile text. */
export const hostileText: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '\0',
      'a\0b',
      '\n',
      'a\r\nX-Injected: yes',
      '\ufeff',
      '\uffff',
      '\u202e',
      'e\u0301',
      "' OR 1=1 --",
      '"; DROP TABLE checks; --',
      '<script>alert(1)</script>',
      '#{7*7}',
      '../../etc/passwd',
      '%00',
      '%s%s%n',
      '__proto__',
      'constructor',
      'NaN',
      'null',
      '*',
      '-1',
      '1e999',
      '9'.repeat(40),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('long', 'wide'), fc.constantFrom(99, 100, 101, 200, 201, 500, 501, 2_000))
      .map(([what, n]) => `{{${what}:${n}}}`),
  },
)

function isControl(code: number): boolean {
  return code < 0x20 || code === 0x7f
}

function replaceBytes(text: string, replace: (byte: string, code: number) => string): string {
  return Array.from(text, (byte) => replace(byte, byte.charCodeAt(0))).join('')
}

/** Encodes text as a part of a path or query. Bytes beyond ASCII stay unencoded, which servers must handle. */
export function inTarget(text: string): string {
  return replaceBytes(utf8(text), (byte, code) =>
    isControl(code) || byte === ' ' || byte === '#' ? `%${code.toString(16).padStart(2, '0')}` : byte,
  )
}

export const hostilePart: Arbitrary<string> = hostileText.map(inTarget)

/** Generates `?…` or nothing. @param values known parameters with their values */
export function queryOf(values: Readonly<Record<string, Arbitrary<string>>>): Arbitrary<string> {
  const known = Object.entries(values).map(([name, value]) => fc.tuple(fc.constant(name), fc.oneof(value, hostilePart)))
  const pair = fc.oneof(...known, fc.tuple(hostilePart, hostilePart)).map((parts) => parts.join('='))
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: fc.array(pair, { maxLength: 4 }).map((pairs) => `?${pairs.join('&')}`) },
  )
}

/** Generates a path, unchanged or varied: unnecessary encoding, doubled slashes, dots, an absolute URL. */
export function varied(path: Arbitrary<string>): Arbitrary<string> {
  const variations: readonly ((path: string) => string)[] = [
    (path) => path.replace(/[a-z](?=[^{}]*(?:\{|$))/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    (path) => `${path}/`,
    (path) => path.replace(/\/$/, ''),
    (path) => `/${path}`,
    (path) => path.replace('/', '/./'),
    (path) => path.replace('/', '/x/../'),
    (path) => `${path}%00`,
    (path) => `${path};v=1`,
    (path) => `${path}%2f`,
    (path) => path.toUpperCase().replace(/\{\{.*?\}\}/g, (place) => place.toLowerCase()),
    (path) => `http://example.org${path}`,
    (path) => `${path}?`,
  ]
  return fc.oneof(
    { weight: 9, arbitrary: path },
    { weight: 1, arbitrary: fc.tuple(path, fc.constantFrom(...variations)).map(([text, vary]) => vary(text)) },
  )
}

const headerValue: Arbitrary<string> = fc.oneof(
  hostileText.map((text) => replaceBytes(utf8(text), (byte, code) => (isControl(code) && byte !== '\t' ? '' : byte))),
  fc.constantFrom(
    'application/json',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'application/x-www-form-urlencoded',
    'text/plain; charset=utf-7',
    'gzip, br',
    'bytes=0-0,-1',
    'a=%zz; b=j:{',
    '203.0.113.7, 10.0.0.1',
    '[2001:db8::1]:80',
    'for="[::1]";proto=https',
    'https',
    'W/"x"',
    'Basic YTpi',
    'Bearer ',
    'Thu, 01 Jan 1970 00:00:00 GMT',
  ),
)

export const headers: Arbitrary<[string, string][]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<[string, string][]>([]) },
  {
    weight: 2,
    arbitrary: fc.array(
      fc.tuple<[string, string]>(
        fc.constantFrom(
          'Accept',
          'Accept-Encoding',
          'Authorization',
          'Content-Type',
          'Cookie',
          'Forwarded',
          'If-None-Match',
          'If-Modified-Since',
          'Origin',
          'Range',
          'Referer',
          'User-Agent',
          'X-Forwarded-For',
          'X-Forwarded-Host',
          'X-Forwarded-Proto',
          'X-HTTP-Method-Override',
          'X-Original-URL',
          '__proto__',
          'constructor',
        ),
        headerValue,
      ),
      { maxLength: 3 },
    ),
  },
)

const REQUEST = { headers: [], access: 'none', body: '', isChunked: false, isVerified: false } as const

/** Builds a request. Missing fields are empty. */
export function generatedRequest(
  kind: Kind,
  method: string,
  target: string,
  rest: Partial<GeneratedRequest> = {},
): GeneratedRequest {
  return { ...REQUEST, kind, method, target, ...rest }
}

/** True for one request in eight. */
export const anyIsVerified: Arbitrary<boolean> = fc.integer({ min: 0, max: 7 }).map((n) => n === 1)
export const isChunked: Arbitrary<boolean> = fc.integer({ min: 0, max: 9 }).map((n) => n === 1)
