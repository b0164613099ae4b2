import { describe, expect, test } from 'bun:test'
import { REQUEST_BODY_LIMIT } from '../../../src/http/body.ts'
import { readBeginning } from '../../../src/http/ping/body-beginning.ts'

function post(body?: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/', { method: 'POST', headers, ...(body === undefined ? {} : { body }) })
}

describe('the beginning of a body', () => {
  /** An endless body; `sent` counts the bytes that were read. */
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

  test('is the whole of a short body', async () => {
    for (const headers of [{}, { 'content-length': '3' }]) {
      const { bytes, rest } = await readBeginning(post('abc', headers), 10)
      expect([new TextDecoder().decode(bytes), rest]).toEqual(['abc', null])
    }
    expect(await readBeginning(post(), 10)).toEqual({ bytes: new Uint8Array(), rest: null })
  })

  test('has the wanted length for a body of 2.5 MB, which is read to its end', async () => {
    const body = new Uint8Array(REQUEST_BODY_LIMIT).fill(7)
    for (const headers of [{}, { 'content-length': String(REQUEST_BODY_LIMIT) }]) {
      const { bytes, rest } = await readBeginning(post(body, headers), 10_000)
      expect([bytes.length, rest]).toEqual([10_000, null])
    }
  })

  test('of a longer body leaves a rest; with a Content-Length, no more is read than is kept', async () => {
    const unknown = endless()
    expect((await readBeginning(post(unknown.stream), 100_000)).rest).not.toBeNull()
    expect(unknown.state.sent).toBeLessThan(REQUEST_BODY_LIMIT + 5 * 65_536)

    const announced = endless()
    const request = post(announced.stream, { 'content-length': '1000000000' })
    const { bytes, rest } = await readBeginning(request, 100_000)
    expect([bytes.length, rest !== null]).toEqual([100_000, true])
    expect(announced.state.sent).toBeLessThan(7 * 65_536)
  })

  test('leaves a rest, which is dropped up to a limit', async () => {
    const { state, stream } = endless()
    const { rest } = await readBeginning(post(stream, { 'content-length': '1000000000' }), 1_000)
    await rest?.discard({ bytes: 1_000_000, ms: 60_000 })
    expect(state.sent).toBeWithin(1_000_000, 1_500_000)
  })

  test('leaves a rest, which is read for a limited time', async () => {
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
