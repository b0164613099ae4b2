/** Hostile bodies are refused, change nothing, and never cause an internal error. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { processorMs } from '../support/processor-time.ts'
import { testApp } from '../support/test-app.ts'
import { type Target, target } from './hostile-target.ts'

let on: Target
beforeAll(async () => {
  on = await target()
})
afterAll(() => on.close())

/** Sends the same body to create and to update. */
async function refusedBody(body: string | Uint8Array): Promise<number[]> {
  const call = { key: on.t.keys.apiKey, body }
  return [await on.refused('POST', '/api/v3/checks/', call), await on.refused('POST', `/api/v3/checks/${on.id}`, call)]
}

const STRINGS = [
  'channels',
  'desc',
  'failure_kw',
  'name',
  'schedule',
  'slug',
  'start_kw',
  'subject',
  'subject_fail',
  'success_kw',
  'tags',
  'tz',
]
const NUMBERS = ['grace', 'timeout']
const FLAGS = ['filter_subject', 'filter_body', 'filter_http_body', 'filter_default_fail', 'manual_resume']
const FIELDS = [...STRINGS, ...NUMBERS, ...FLAGS, 'methods', 'unique']

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)

describe('a body', () => {
  test.each([
    ['a lone surrogate', '{"name":"\\ud800"}'],
    ['a reversed pair', '{"desc":"\\udc00\\ud800"}'],
    ['a BOM', '\ufeff{"name":"x"}'],
    ['a trailing comma', '{"name":"x",}'],
    ['two objects', '{"name":"x"}{"name":"y"}'],
    ['a comment', '{"name":"x"/**/}'],
    ['a bare NUL', '\u0000'],
    ['a NUL after it', '{"name":"x"}\u0000'],
    ['a form', 'name=x&timeout=60'],
    ['XML', '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'],
    ['only blanks', ' \n\t'],
    ['an open string', `{"name":"${'x'.repeat(100_000)}`],
    ['open brackets', '['.repeat(1_000_000)],
    ['an array of objects', '[{"name":"x"}]'],
    ['a number', '1e999'],
  ])('with %s', async (_, body) => {
    expect(await refusedBody(body)).toEqual([400, 400])
  })

  test.each([
    'ff',
    'fffe7b007d00',
    '7b226e616d65223a22c3227d',
    '7b226e616d65223a22f4908080227d',
    '1f8b0800',
    '7b2200ff',
  ])('of the bytes %s, which are not UTF-8', async (hex) => {
    expect(await refusedBody(Buffer.from(hex, 'hex'))).toEqual([400, 400])
  })

  test('of 10 MB', async () => {
    const body = new Uint8Array(10_000_000).fill(0x20)
    expect(await refusedBody(body)).toEqual([400, 400])
  })

  test('nested 100,000 deep in any field, within a short time', async () => {
    const start = processorMs()
    for (const field of FIELDS) {
      expect(await refusedBody(`{"${field}":${nested(100_000)}}`)).toEqual([400, 400])
    }
    expect(await refusedBody(`{"name":${nested(50_000, '{"a":[', ']}')}}`)).toEqual([400, 400])
    expect(await refusedBody(nested(1_000_000))).toEqual([400, 400])
    expect(processorMs() - start).toBeLessThan(5_000)
  })

  test('with a key that is nested, or that imitates a string', async () => {
    for (const value of [nested(50_000), '{"toString":1,"valueOf":1}', '{"length":32}', '["x"]']) {
      expect(await on.refused('POST', '/api/v3/checks/', { body: `{"api_key":${value}}` })).toBe(401)
    }
  })

  test('of the wrong type in any field', async () => {
    const wrong = (fields: readonly string[], values: readonly string[]) =>
      fields.flatMap((field) => values.map((value) => `{"${field}":${value}}`))
    const bodies = [
      ...wrong(FIELDS, ['null', '{}', '{"__proto__":"x"}', '[[]]', '[null]', '["\\u0000"]', '1.5']),
      ...wrong([...STRINGS, ...FLAGS, 'methods', 'unique'], ['0', '-0', '1e999', '9223372036854775808']),
      ...wrong([...NUMBERS, ...FLAGS, 'unique'], ['"60"', '""', '"true"', '"\\u0000"']),
      ...wrong([...NUMBERS, ...STRINGS, 'methods', 'unique'], ['true', 'false']),
      ...wrong(NUMBERS, [
        '[]',
        '0',
        '-0',
        '59',
        '31536001',
        '1e999',
        '-1e999',
        '9223372036854775808',
        '60.5',
        '1e-400',
        '5e324',
      ]),
      ...wrong(STRINGS, ['[]', '["x"]']),
    ]
    for (const body of bodies) expect([body, ...(await refusedBody(body))]).toEqual([body, 400, 400])
  })

  test('with a value that is too long or unusual', async () => {
    const bodies = [
      ...['name', 'slug', 'schedule', 'start_kw', 'subject', 'success_kw'].map((field) => ({
        [field]: 'x'.repeat(10_000),
      })),
      { tags: Array.from({ length: 1000 }, (_, i) => `tag${i}`).join(' ') },
      { slug: 'UPPER' },
      { slug: 'x\n' },
      { slug: 'a\u0000' },
      { slug: 'ｓ' },
      { tz: 'x'.repeat(100_000) },
      { tz: '../../etc/passwd' },
      { tz: '' },
      { schedule: '' },
      { schedule: '\u0000 * * * *' },
      { schedule: '* '.repeat(50) },
      { schedule: '*/0 * * * *' },
      { schedule: '0-59/99999999999999999999 99 * * *' },
      { channels: ','.repeat(100_000) },
      { channels: '\u0000' },
      { channels: on.id },
      { methods: 'GET' },
      { unique: ['__proto__'] },
      { unique: ['constructor'] },
      { unique: Array(10_000).fill('uuid') },
    ]
    for (const body of bodies) expect(await refusedBody(JSON.stringify(body))).toEqual([400, 400])
  })

  test('whose last of two equal names is wrong', async () => {
    expect(await refusedBody('{"timeout":60,"timeout":1}')).toEqual([400, 400])
  })

  test('of random JSON is accepted or refused, and never fails', async () => {
    const known = fc.constantFrom(...FIELDS, '__proto__', 'constructor', 'api_key', 'x')
    const spec = fc.dictionary(known, fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.double()), {
      maxKeys: 4,
    })
    const other = await testApp()
    const property = fc.asyncProperty(fc.oneof(spec, fc.jsonValue()), async (json) => {
      const { status } = await other.call('POST', '/api/v3/checks/', { key: other.keys.apiKey, json })
      expect([200, 201, 400]).toContain(status)
    })
    await fc.assert(property, { numRuns: 500 })
    expect(other.log).toEqual([])
    await other.close()
  })

  test('of random bytes is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (body) => {
        expect(await on.refused('POST', '/api/v3/checks/', { key: on.t.keys.apiKey, body })).toBe(400)
      }),
      { numRuns: 300 },
    )
  })
})

describe('names such as __proto__', () => {
  test('are names like any other', async () => {
    const other = await testApp()
    const body =
      '{"__proto__":{"name":"evil","timeout":1},"constructor":{"prototype":{"evil":1}},"hasOwnProperty":1,"name":"Job"}'
    const check = await other.json('POST', '/api/v3/checks/', { key: other.keys.apiKey, body })
    expect(check).toMatchObject({ name: 'Job', timeout: 86_400 })
    expect(({} as Record<string, unknown>).evil).toBeUndefined()
    await other.close()
  })
})
