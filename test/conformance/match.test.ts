/** Tests that each matcher accepts correct values and, above all, can fail. */
import { describe, expect, test } from 'bun:test'
import { Temporal } from 'temporal-polyfill'
import type { Expectation, Json } from './case.ts'
import { textMatches } from './match.ts'
import { jsonDifferences } from './match-json.ts'
import { responseDifferences } from './match-response.ts'
import { readSvg } from './svg.ts'
import { fill, fillAll, MissingVariable, type Variables } from './template.ts'

const uuid = '0ee79bfd-1c26-4d34-8cd8-c9ff7a31b28e'
const variables: Variables = { uuid, name: 'a.b*c', base_url: 'http://127.0.0.1:8000', one: 'b2', two: 'a1' }

const text = (expected: string, got: Json, document: Json = null) => textMatches(expected, got, variables, document)
const json = (expected: Json, got: Json) => jsonDifferences(expected, got, variables)

function isoIn(seconds: number): string {
  const instant = Temporal.Now.instant().add({ seconds })
  return instant.toString({ smallestUnit: 'second' }).replace('Z', '+00:00')
}

describe('a text', () => {
  const accepted: readonly [expected: string, got: Json][] = [
    ['OK', 'OK'],
    ['<any>', null],
    ['<number>', 1.5],
    ['<uuid>', uuid],
    ['{{base_url}}/ping/<uuid>', `http://127.0.0.1:8000/ping/${uuid}`],
    ['<iso-seconds>', '2026-01-02T03:04:05+00:00'],
    ['<iso-micros>', '2026-01-02T03:04:05.000001+00:00'],
    ['<iso-micros>', '2026-01-02T03:04:05+00:00'],
    ['<sha1hex>', 'a'.repeat(40)],
    ['<ip>', '::1'],
    ['<sig>/<slug>', 'abc_-123/x'],
    ['n = <int>', 'n = 12'],
    ['<regex:^\\d{4}-{{name}}$>', '2026-a.b*c'],
    ['<set:GET, {{one}}>', 'b2,GET'],
    ['<now-seconds>', isoIn(-60)],
    ['<now-micros>', isoIn(60).replace('+', '.000001+')],
    ['<weekday:12345>', '2026-03-27T23:59:59+00:00'],
  ]
  test.each(accepted)('%s accepts %j', (expected, got) => {
    expect(text(expected, got)).toBe(true)
  })

  const refused: readonly [expected: string, got: Json][] = [
    ['OK', 'OK\n'],
    ['OK', 'ok'],
    ['OK', null],
    ['a.c', 'abc'],
    ['<number>', true],
    ['<number>', '1'],
    ['<uuid>', uuid.toUpperCase()],
    ['<uuid>', `${uuid} `],
    ['{{base_url}}/ping/<uuid>', `https://127.0.0.1:8000/ping/${uuid}`],
    ['<iso-seconds>', '2026-01-02T03:04:05Z'],
    ['<iso-seconds>', '2026-01-02T03:04:05.000001+00:00'],
    ['<iso-micros>', '2026-01-02T03:04:05.001+00:00'],
    ['<sha1hex>', 'a'.repeat(41)],
    ['<ip>', 'localhost'],
    ['<regex:{{name}}>', 'aXbbc'],
    ['<regex:^x$>', 7],
    ['<set:GET, POST>', 'GET'],
    ['<set:GET>', 'GET, GET'],
    ['<now-seconds>', isoIn(-400)],
    ['<now-seconds>', isoIn(400)],
    ['<now-seconds>', isoIn(0).replace('+', '.000001+')],
    ['<now-seconds>', '9999-99-99T99:99:99+00:00'],
    ['<now-micros>', isoIn(0).replace('+00:00', 'Z')],
    ['<weekday:12345>', '2026-03-28T00:00:00+00:00'],
    ['<weekday:12345>', 'Friday'],
  ]
  test.each(refused)('%s refuses %j', (expected, got) => {
    expect(text(expected, got)).toBe(false)
  })

  test('an offset is counted from another member of the same answer, exactly', () => {
    const answer = { last_ping: '2026-03-29T01:00:00+00:00', other: null }
    expect(text('<iso-offset:/last_ping:3600>', '2026-03-29T02:00:00+00:00', answer)).toBe(true)
    expect(text('<iso-offset:/last_ping:-60>', '2026-03-29T00:59:00+00:00', answer)).toBe(true)
    expect(text('<iso-offset:/last_ping:3600>', '2026-03-29T02:00:01+00:00', answer)).toBe(false)
    expect(text('<iso-offset:/other:3600>', '2026-03-29T02:00:00+00:00', answer)).toBe(false)
    expect(text('<iso-offset:/missing:3600>', '2026-03-29T02:00:00+00:00', answer)).toBe(false)
  })
})

describe('a JSON value', () => {
  test('equal values have no differences', () => {
    const value = { a: [1, 'x', null, true, { b: {} }], '{{one}}': '{{two}}' }
    expect(json(value, { a: [1, 'x', null, true, { b: {} }], b2: 'a1' })).toEqual([])
  })

  test('missing and unexpected members are named', () => {
    expect(json({ a: 1, b: 2 }, { a: 1, c: 3 })).toEqual(['/c: unexpected, value 3', '/b: missing, expected 2'])
  })

  test('the place of a difference is a JSON pointer', () => {
    expect(json({ a: [{ b: 1 }] }, { a: [{ b: 2 }] })).toEqual(['/a/0/b: expected 1, got 2'])
  })

  const different: readonly [expected: Json, got: Json][] = [
    [1, true],
    [0, false],
    [1, '1'],
    ['1', 1],
    [null, false],
    [null, ''],
    [[], {}],
    [{}, []],
    [{}, null],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ toString: '<any>' }, {}],
  ]
  test.each(different)('%j is not %j', (expected, got) => {
    expect(json(expected, got)).not.toEqual([])
  })

  test('$unordered accepts the items in any order, each once', () => {
    const expected = { $unordered: [{ n: 1 }, { n: 2 }] }
    expect(json(expected, [{ n: 2 }, { n: 1 }])).toEqual([])
    expect(json(expected, [{ n: 1 }])).toEqual(['/: expected an array of 2, got 1'])
    expect(json(expected, [{ n: 1 }, { n: 1 }])).toEqual([
      '/: nothing matches expected item 1; the nearest differs:',
      '  /1/n: expected 2, got 1',
    ])
  })

  test('an offset inside $unordered is counted within its own item', () => {
    const item = { at: '<iso-seconds>', next: '<iso-offset:/at:60>' }
    const got = [{ at: '2026-01-01T00:00:00+00:00', next: '2026-01-01T00:01:00+00:00' }]
    expect(json({ $unordered: [item] }, got)).toEqual([])
    expect(json([item], got)).not.toEqual([])
  })

  test('$subset compares only the members it names', () => {
    expect(json({ $subset: { a: 1 } }, { a: 1, b: 2 })).toEqual([])
    expect(json({ $subset: { a: 1 } }, { a: 2 })).toEqual(['/a: expected 1, got 2'])
    expect(json({ $subset: { a: null } }, {})).toEqual(['/a: missing, expected null'])
    expect(json({ $subset: { a: 1 } }, [1])).toEqual(['/a: missing, expected 1'])
  })

  test('$all requires all of its expectations', () => {
    const expected = { $all: ['<iso-seconds>', '<regex:^2026>'] }
    expect(json(expected, '2026-01-01T00:00:00+00:00')).toEqual([])
    expect(json(expected, '2027-01-01T00:00:00+00:00')).toHaveLength(1)
  })

  test('$len compares the length and both ends', () => {
    const expected = { $len: 3, $first: { n: 3 }, $last: { n: 1 } }
    expect(json(expected, [{ n: 3 }, 'whatever', { n: 1 }])).toEqual([])
    expect(json(expected, [{ n: 3 }, { n: 1 }])).toEqual(['/: expected an array of 3, got 2'])
    expect(json(expected, [{ n: 3 }, { n: 2 }, { n: 2 }])).toEqual(['/2/n: expected 1, got 2'])
  })

  test('a variable that was not captured is a difference, not a crash', () => {
    expect(json({ a: '{{lost}}' }, { a: 'x' })).toEqual(['/a: expected "{{lost}}", got "x" (no value for {{lost}})'])
  })
})

describe('a template', () => {
  test('functions work on variables', () => {
    expect(fill('{{sorted:one,two}} {{upper:uuid}} {{nodash:uuid}}', variables)).toBe(
      `a1,b2 ${uuid.toUpperCase()} ${uuid.replaceAll('-', '')}`,
    )
    expect(fill('{{quote:base_url}} {{quote:name}}', variables)).toBe('http%3A%2F%2F127.0.0.1%3A8000 a.b%2Ac')
    expect(fill('{{unique_key:uuid}}', variables)).toBe('35ff3fc60ec4e2c38d61f7f08496c7dfa18c4960')
  })

  test('a later time has the form of a timestamp', () => {
    const at = { s: '2026-12-31T23:59:30+00:00', u: '2026-12-31T23:59:30.120000+00:00' }
    expect(fill('{{plus:s,60}}', at)).toBe('2027-01-01T00:00:30+00:00')
    expect(fill('{{plus:u,-30}}', at)).toBe('2026-12-31T23:59:00.120000+00:00')
    expect(() => fill('{{plus:name,1}}', variables)).toThrow(MissingVariable)
  })

  test('an epoch is counted from now', () => {
    expect(Math.abs(Number(fill('{{epoch:-60}}', {})) - (Date.now() / 1000 - 60))).toBeLessThan(2)
  })

  test('unknown variables and functions are refused', () => {
    expect(() => fill('{{lost}}', variables)).toThrow('no value for {{lost}}')
    expect(() => fill('{{lower:uuid}}', variables)).toThrow('no value for {{lower:uuid}}')
    expect(() => fill('{{toString}}', variables)).toThrow(MissingVariable)
  })

  test('all strings of a JSON value are filled, including names', () => {
    expect(fillAll({ '{{one}}': ['{{two}}', 1, null, true] }, variables)).toEqual({ b2: ['a1', 1, null, true] })
  })
})

describe('an answer', () => {
  const answer = (body: string | Uint8Array, headers: Record<string, string> = {}, status = 200) => ({
    status,
    headers: new Map(Object.entries(headers)),
    body: Buffer.from(body),
  })
  const check = (expected: Partial<Expectation>, got: ReturnType<typeof answer>) =>
    responseDifferences({ status: 200, ...expected }, got, variables)

  test('the status must be the recorded one, or one of them', () => {
    expect(check({}, answer(''))).toEqual([])
    expect(check({ status: [200, 201] }, answer('', {}, 201))).toEqual([])
    expect(check({ status: 201 }, answer(''))).toEqual(['status: expected 201, got 200'])
  })

  test('of Content-Type only the media type is compared, other headers are compared whole', () => {
    const headers = { 'content-type': 'Text/Plain; charset=utf-8', allow: 'GET; x' }
    expect(check({ headers: { 'Content-Type': 'text/plain', Allow: 'GET; x' } }, answer('', headers))).toEqual([])
    expect(check({ headers: { Allow: 'GET' } }, answer('', headers))).toHaveLength(1)
    expect(check({ headers: { 'Content-Type': 'text/html' } }, answer('', headers))).toHaveLength(1)
  })

  test('a header can be required or forbidden', () => {
    expect(check({ headers: { Vary: '<any>' } }, answer(''))).toEqual(['header Vary: missing, expected "<any>"'])
    expect(check({ headers: { Vary: null } }, answer(''))).toEqual([])
    expect(check({ headers: { Vary: null } }, answer('', { vary: 'x' }))).toHaveLength(1)
  })

  test('a body that is not JSON is distinguished from one that differs', () => {
    expect(check({ json: { a: 1 } }, answer('{"a":1}'))).toEqual([])
    expect(check({ json: { a: 1 } }, answer('{"a":2}'))).toEqual(['/a: expected 1, got 2'])
    expect(check({ json: { a: 1 } }, answer('OK'))).toEqual(['body: expected JSON, got "OK"'])
    expect(check({ json: null }, answer('null'))).toEqual([])
    expect(check({ json: '<any>' }, answer(new Uint8Array([0x22, 0xff, 0x22])))).toHaveLength(1)
  })

  test('text, parts, bytes, length and digest are all compared', () => {
    const sha256 = '565339bc4d33d72817b583024112eb7f5cdf3e5eef0252d6ec1b9c9a94e12bb3'
    expect(check({ text: 'OK', text_contains: ['K'], hex: '4f4b', length: 2, sha256 }, answer('OK'))).toEqual([])
    expect(check({ text: 'OK', text_contains: ['K'], hex: '4f4b', length: 2, sha256 }, answer('NOT'))).toHaveLength(5)
  })

  test('an SVG must contain the expected texts', () => {
    const svg = '<svg><text x="1">up &amp; well</text></svg>'
    expect(check({ svg: ['up & well'] }, answer(svg))).toEqual([])
    expect(check({ svg: ['down'] }, answer(svg))).toEqual(['svg: no text "down"'])
    expect(check({ svg: [] }, answer('<svg>'))).toEqual(['svg: svg is never closed'])
  })
})

describe('an SVG', () => {
  test('declaration, comment, prefix and CDATA are read', () => {
    const source =
      '<?xml version="1.0"?>\n<!-- a --><s:svg xmlns:s="u">\n a\n  b <![CDATA[<x>]]><s:g/>&#x41;&#66;</s:svg>\n'
    expect(readSvg(source)).toEqual(['a b', '<x>', 'AB'])
  })

  const malformed = [
    '',
    'up',
    '<html></html>',
    '<svg>',
    '<svg></g>',
    '<svg><g></svg></g>',
    '<svg></svg><svg></svg>',
    '<svg>a & b</svg>',
    '<svg>&nbsp;</svg>',
    '<svg a=1></svg>',
    '<svg a="<"></svg>',
    '<svg a="1" a="2"></svg>',
    '<svg a="1"b="2"></svg>',
    '<svg><!-- a -- b --></svg>',
    '<svg></svg>up',
  ]
  test.each(malformed)('%j is refused', (source) => {
    expect(readSvg(source)).toBeString()
  })
})
