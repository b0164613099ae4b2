import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../src/domain/errors.ts'
import { parseJsonObject, REQUEST_BODY_LIMIT, readApiBody, readBytes } from '../../src/http/body.ts'

function post(body?: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/', { method: 'POST', headers, ...(body === undefined ? {} : { body }) })
}

const object = async (body?: NonNullable<RequestInit['body']>, allowNull = false) =>
  parseJsonObject(await readApiBody(post(body)), allowNull)

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  )
  return error instanceof Refusal ? `${error.code}: ${error.message}` : `no refusal but ${error}`
}

const UNPARSABLE = 'invalid: could not parse request body'
const NO_OBJECT = 'invalid: json validation error: value is not an object'

describe('a JSON object', () => {
  test('is read with any Content-Type', async () => {
    for (const type of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded', 'image/png']) {
      expect(parseJsonObject(await readApiBody(post('{"a":[1,{"b":null}]}', { 'content-type': type })))).toEqual({
        a: [1, { b: null }],
      })
    }
  })

  test('is empty without a body', async () => {
    expect(await object()).toEqual({})
    expect(await object('')).toEqual({})
  })

  test('keeps the last of repeated names', async () => {
    expect(await object('{"name":1,"name":"last"}')).toEqual({ name: 'last' })
  })

  test('may have names such as __proto__, like any other', async () => {
    const value = await object('{"__proto__":{"name":"x"},"constructor":1}')
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect(value.name).toBeUndefined()
    expect(({} as Record<string, unknown>).name).toBeUndefined()
  })

  test('may be surrounded by white space and nothing else', async () => {
    expect(await object(' \r\n\t{} \n')).toEqual({})
    for (const text of ['{}x', '{}{}', '\u00a0{}', '\u0000{}']) expect(await refusal(object(text))).toBe(UNPARSABLE)
  })

  test('may hold text beyond the basic plane, NUL, and names with half a surrogate pair, which are not stored', async () => {
    expect(await object('{"a":"\\ud83d\\ude00 \\u0000"}')).toEqual({ a: '😀 \u0000' })
    expect(Object.keys(await object('{"\\ud800":1}'))).toEqual(['\ud800'])
  })
})

describe('a value that is not a JSON object', () => {
  test.each(['null', '[]', '[{}]', '"text"', '1', 'true', '1e999'])('is %s', async (text) => {
    expect(await refusal(object(text))).toBe(NO_OBJECT)
  })

  test('is null, unless null counts as no body', async () => {
    expect(await object('null', true)).toEqual({})
    expect(await refusal(object('[]', true))).toBe(NO_OBJECT)
  })
})

describe('a body that cannot be parsed', () => {
  test.each(['{', '{"a":}', "{'a':1}", '{"a":1,}', '{"a":NaN}', '{"a":01}', ' ', '{"a":"\n"}', 'name=x', '\ufeff{}'])(
    'is %j',
    async (text) => {
      expect(await refusal(object(text))).toBe(UNPARSABLE)
    },
  )

  test.each(['fffe7b007d00', '7b2261223a22ff227d', 'c0', '7b2261223a22eda080227d', '00'])(
    'is %s, which is not UTF-8 or not JSON',
    async (hex) => {
      expect(await refusal(object(Buffer.from(hex, 'hex')))).toBe(UNPARSABLE)
    },
  )

  test.each(['{"a":"\\ud800"}', '"\\ud800"', '{"a":"x\\udc00y"}', '{"a":"\\udc00\\ud800"}'])(
    'is %s, with half a surrogate pair',
    async (text) => {
      expect(await refusal(object(text))).toBe(UNPARSABLE)
    },
  )
})

describe('the size', () => {
  const TOO_LARGE = `too-large: the request body is too large, send at most ${REQUEST_BODY_LIMIT} bytes`

  test('is 2,621,440 bytes at most', async () => {
    expect(REQUEST_BODY_LIMIT).toBe(2_621_440)
    expect(await readBytes(post(new Uint8Array(REQUEST_BODY_LIMIT)))).toHaveLength(REQUEST_BODY_LIMIT)
    expect(await refusal(readBytes(post(new Uint8Array(REQUEST_BODY_LIMIT + 1))))).toBe(TOO_LARGE)
  })

  test('is counted without a Content-Length: an endless body is read up to the limit', async () => {
    let sent = 0
    let isCancelled = false
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536))
      },
      cancel() {
        isCancelled = true
      },
    })
    expect(await refusal(readBytes(post(endless)))).toBe(TOO_LARGE)
    expect(sent).toBeLessThan(REQUEST_BODY_LIMIT + 10 * 65_536)
    expect(isCancelled).toBe(true)
  })

  test('is refused by its Content-Length, before a byte is read', async () => {
    const endless = new ReadableStream({ pull: () => new Promise<void>(() => {}) })
    const request = post(endless, { 'content-length': String(REQUEST_BODY_LIMIT + 1) })
    expect(await refusal(readBytes(request))).toBe(TOO_LARGE)
  })
})

test('a client that disconnects in the middle gets a refusal, not an internal error', async () => {
  const gone = new AbortController()
  const request = new Request('http://localhost/', {
    method: 'POST',
    signal: gone.signal,
    body: new ReadableStream({ pull: (controller) => controller.error(new Error('The connection was closed.')) }),
  })
  gone.abort()
  expect(await refusal(readBytes(request))).toBe('invalid: the client disconnected before the end of the body')
})
