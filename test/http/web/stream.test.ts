import { expect, test } from 'bun:test'
import type { ServerEvent } from '../../../src/http/web/route.ts'
import { eventBytes, eventStream, type StreamRules } from '../../../src/http/web/stream.ts'

const NEVER = new Promise<never>(() => {})
const rules = (over: Partial<StreamRules> = {}): StreamRules => ({
  mayGoOn: async () => true,
  pause: () => NEVER,
  signal: new AbortController().signal,
  ...over,
})

async function* of(...events: ServerEvent[]): AsyncGenerator<ServerEvent> {
  yield* events
}

/** Events that never arrive. It records that its reader has closed the stream. */
function silence(): { readonly events: AsyncIterable<ServerEvent>; readonly isClosed: () => boolean } {
  let closed = false
  const iterator: AsyncIterator<ServerEvent> = {
    next: () => NEVER,
    async return() {
      closed = true
      return { done: true, value: undefined }
    },
  }
  return { events: { [Symbol.asyncIterator]: () => iterator }, isClosed: () => closed }
}

/** Returns the text without comments. */
const textOf = async (stream: ReadableStream<Uint8Array>) => (await new Response(stream).text()).replaceAll(':\n\n', '')

test('the first bytes, and so the headers, are sent before anything happens', async () => {
  const { events } = silence()
  const reader = eventStream(events, rules()).getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe(':\n\n')
  await reader.cancel()
})

test('events have names and data; a line end in the data starts no new field', async () => {
  const stream = eventStream(of({ data: 'a' }, { event: 'ping', data: 'b\nevent: forged\r\nc\rd' }), rules())
  expect(await textOf(stream)).toBe('data: a\n\nevent: ping\ndata: b\ndata: event: forged\ndata: c\ndata: d\n\n')
})

test('a quiet stream shows after some pauses that it is alive', async () => {
  const { events } = silence()
  let pauses = 0
  const pause = async () => {
    pauses += 1
  }
  const reader = eventStream(events, rules({ pause })).getReader()
  await reader.read()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe(':\n\n')
  expect(pauses).toBeGreaterThanOrEqual(5)
  await reader.cancel()
})

test('a stream asks after each pause, and ends when its reader may not read it any more', async () => {
  const { events, isClosed } = silence()
  let asked = 0
  const mayGoOn = async () => ++asked < 3
  expect(await textOf(eventStream(events, rules({ pause: async () => {}, mayGoOn })))).toBe('')
  expect(asked).toBe(3)
  expect(isClosed()).toBe(true)
})

test('a stream asks before each message too', async () => {
  let asked = 0
  const mayGoOn = async () => ++asked < 2
  expect(await textOf(eventStream(of({ data: 'a' }, { data: 'secret' }), rules({ mayGoOn })))).toBe('data: a\n\n')
})

test('bytes are sent as they are, with the ids of their events', async () => {
  async function* bytes() {
    yield eventBytes([
      { event: 'counts', data: '1' },
      { id: 'x~1', data: 'a' },
    ])
  }
  expect(await textOf(eventStream(bytes(), rules()))).toBe('event: counts\ndata: 1\n\nid: x~1\ndata: a\n\n')
})

test('an error of what makes the events breaks the stream off', async () => {
  async function* broken(): AsyncGenerator<ServerEvent> {
    yield { data: 'a' }
    throw new Error('no more')
  }
  await expect(textOf(eventStream(broken(), rules()))).rejects.toThrow('no more')
})

test('what makes the events is closed when it fails', async () => {
  const { events, isClosed } = silence()
  const next = () => Promise.reject(new Error('no more'))
  const broken = { ...events[Symbol.asyncIterator](), next }
  await expect(textOf(eventStream({ [Symbol.asyncIterator]: () => broken }, rules()))).rejects.toThrow('no more')
  expect(isClosed()).toBe(true)
})

test('what makes the events learns that the browser has left', async () => {
  const { events, isClosed } = silence()
  const leaving = new AbortController()
  const text = textOf(eventStream(events, rules({ signal: leaving.signal })))
  leaving.abort()
  expect(await text).toBe('')
  expect(isClosed()).toBe(true)
})
