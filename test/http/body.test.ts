import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../src/domain/errors.ts'
import { parseJsonObject, REQUEST_BODY_LIMIT, readApiBody, readBeginning, readBytes } from '../../src/http/body.ts'

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
  test('is read whatever the request says of its type', async () => {
    for (const type of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded', 'image/png']) {
      expect(parseJsonObject(await readApiBody(post('{"a":[1,{"b":null}]}', { 'content-type': type })))).toEqual({
        a: [1, { b: null }],
      })
    }
  })

  test('without any body is empty', async () => {
    expect(await object()).toEqual({})
    expect(await object('')).toEqual({})
  })

  test('keeps the last of equal names', async () => {
    expect(await object('{"name":1,"name":"last"}')).toEqual({ name: 'last' })
  })

  test('has names of prototypes as names like all others', async () => {
    const value = await object('{"__proto__":{"name":"x"},"constructor":1}')
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect(value.name).toBeUndefined()
    expect(({} as Record<string, unknown>).name).toBeUndefined()
  })

  test('may be surrounded by blanks but not by anything else', async () => {
    expect(await object(' \r\n\t{} \n')).toEqual({})
    for (const text of ['{}x', '{}{}', '\u00a0{}', '\u0000{}']) expect(await refusal(object(text))).toBe(UNPARSABLE)
  })

  test('holds text beyond the basic plane, a NUL and names with half a character, which nobody stores', async () => {
    expect(await object('{"a":"\\ud83d\\ude00 \\u0000"}')).toEqual({ a: '😀 \u0000' })
    expect(Object.keys(await object('{"\\ud800":1}'))).toEqual(['\ud800'])
  })
})

describe('no JSON object', () => {
  test.each(['null', '[]', '[{}]', '"text"', '1', 'true', '1e999'])('is %s', async (text) => {
    expect(await refusal(object(text))).toBe(NO_OBJECT)
  })

  test('is null, unless null stands for no body', async () => {
    expect(await object('null', true)).toEqual({})
    expect(await refusal(object('[]', true))).toBe(NO_OBJECT)
  })
})

describe('nothing that can be parsed', () => {
  test.each(['{', '{"a":}', "{'a':1}", '{"a":1,}', '{"a":NaN}', '{"a":01}', ' ', '{"a":"\n"}', 'name=x', '\ufeff{}'])(
    'is %j',
    async (text) => {
      expect(await refusal(object(text))).toBe(UNPARSABLE)
    },
  )

  test.each(['fffe7b007d00', '7b2261223a22ff227d', 'c0', '7b2261223a22eda080227d', '00'])(
    'is in the bytes %s, which are no UTF-8 or no JSON',
    async (hex) => {
      expect(await refusal(object(Buffer.from(hex, 'hex')))).toBe(UNPARSABLE)
    },
  )

  test.each(['{"a":"\\ud800"}', '"\\ud800"', '{"a":"x\\udc00y"}', '{"a":"\\udc00\\ud800"}'])(
    'is half a character, %s',
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

  test('is counted where none is announced: no more than the limit is gathered, were the body endless', async () => {
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

  test('is refused by what is announced, before a byte is read', async () => {
    const endless = new ReadableStream({ pull: () => new Promise<void>(() => {}) })
    const request = post(endless, { 'content-length': String(REQUEST_BODY_LIMIT + 1) })
    expect(await refusal(readBytes(request))).toBe(TOO_LARGE)
  })
})

describe('the beginning of a body', () => {
  /** Endless; `sent` tells how many bytes were asked for. */
  function endless() {
    const state = { sent: 0, isCancelled: false }
    const stream = new ReadableStream({
      pull(controller) {
        state.sent += 65_536
        controller.enqueue(new Uint8Array(65_536))
      },
      cancel() {
        state.isCancelled = true
      },
    })
    return { state, stream }
  }

  test('is all of a short one', async () => {
    for (const headers of [{}, { 'content-length': '3' }]) {
      const { bytes, rest } = await readBeginning(post('abc', headers), 10)
      expect([new TextDecoder().decode(bytes), rest]).toEqual(['abc', null])
    }
    expect(await readBeginning(post(), 10)).toEqual({ bytes: new Uint8Array(), rest: null })
  })

  test('is as much as was asked for of one of 2.5 MB, which is read to its end', async () => {
    const body = new Uint8Array(REQUEST_BODY_LIMIT).fill(7)
    for (const headers of [{}, { 'content-length': String(REQUEST_BODY_LIMIT) }]) {
      const { bytes, rest } = await readBeginning(post(body, headers), 10_000)
      expect([bytes.length, rest]).toEqual([10_000, null])
    }
  })

  test('of a longer one leaves a rest; announced, no more is read than is kept', async () => {
    const unknown = endless()
    expect((await readBeginning(post(unknown.stream), 100_000)).rest).not.toBeNull()
    expect(unknown.state.sent).toBeLessThan(REQUEST_BODY_LIMIT + 5 * 65_536)

    const announced = endless()
    const request = post(announced.stream, { 'content-length': '1000000000' })
    const { bytes, rest } = await readBeginning(request, 100_000)
    expect([bytes.length, rest !== null]).toEqual([100_000, true])
    expect(announced.state.sent).toBeLessThan(7 * 65_536)
  })

  test('leaves a rest that is dropped up to a limit', async () => {
    const { state, stream } = endless()
    const { rest } = await readBeginning(post(stream, { 'content-length': '1000000000' }), 1_000)
    await rest?.discard({ bytes: 1_000_000, ms: 60_000 })
    expect(state.sent).toBeWithin(1_000_000, 1_500_000)
  })

  test('leaves a rest that is waited for so long and no longer', async () => {
    let isCancelled = false
    const stalled = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(1_000)),
      pull: () => new Promise<void>(() => {}),
      cancel() {
        isCancelled = true
      },
    })
    const { rest } = await readBeginning(post(stalled, { 'content-length': '3000000' }), 1_000)
    await rest?.discard({ bytes: 1_000_000, ms: 1 })
    expect(isCancelled).toBe(true)
  })
})

test('a client that goes away in the middle has broken off, which is no error of ours', async () => {
  const gone = new AbortController()
  const request = new Request('http://localhost/', {
    method: 'POST',
    signal: gone.signal,
    body: new ReadableStream({ pull: (controller) => controller.error(new Error('The connection was closed.')) }),
  })
  gone.abort()
  expect(await refusal(readBytes(request))).toBe('invalid: the request broke off')
})
