/** Memory used for a message while it arrives. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { MessageMemory } from '../../src/smtp/message-memory.ts'
import { rejection } from '../support/store-builders.ts'

const LIMIT = 20_000
const ones = (length: number) => new Uint8Array(length).fill(1)

async function* inTurn(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

/** Returns a copy of the message made of these pieces. */
function received(pieces: AsyncIterable<Uint8Array>, limit = LIMIT): Promise<Buffer> {
  const memory = new MessageMemory({ messageBytes: limit, smallMessageBytes: limit, largeMessages: 1 })
  return memory.receive(pieces, limit, async ({ beginning, rest }) => Buffer.concat([beginning, ...rest]))
}

test('a message is what arrived, in order, whatever the size of the pieces', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 8 }), async (pieces) => {
      const message = await received(inTurn(pieces), 1_000_000)
      expect(message.equals(Buffer.concat(pieces))).toBe(true)
    }),
  )
})

test('a message may have exactly as many bytes as the limit', async () => {
  const message = await received(inTurn([ones(19_999), new Uint8Array([7])]))
  expect([message.length, message.at(-1), message[0]]).toEqual([20_000, 7, 1])
  const over = rejection(received(inTurn([ones(19_999), ones(2)])))
  expect(await over).toMatchObject({ responseCode: 552, message: 'the message is too large' })
})

test('the pieces are copied, because a reader may reuse its buffer', async () => {
  async function* reused(): AsyncGenerator<Uint8Array> {
    const buffer = new Uint8Array([1, 2, 3])
    yield buffer
    buffer.fill(9)
  }
  expect([...(await received(reused()))]).toEqual([1, 2, 3])
})

test('what follows the first megabyte is in pieces of half a megabyte, whatever the size of the pieces that arrived', async () => {
  const bytes = Uint8Array.from({ length: 2_500_000 }, (_, n) => n % 251)
  const [MEGABYTE, HALF] = [1_048_576, 524_288]
  for (const [arrived, rest] of [
    [1_000, []],
    [MEGABYTE, []],
    [MEGABYTE + 1, [1]],
    [MEGABYTE + HALF, [HALF]],
    [2_500_000, [HALF, HALF, 2_500_000 - 2 * MEGABYTE]],
  ] as const) {
    for (const size of [100_003, 700_000, arrived]) {
      async function* pieces(): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < arrived; at += size) yield bytes.subarray(at, Math.min(at + size, arrived))
      }
      const memory = new MessageMemory({ messageBytes: arrived, smallMessageBytes: arrived, largeMessages: 1 })
      const message = await memory.receive(pieces(), arrived, async (it) => it)
      expect(message.rest.map(({ length }) => length)).toEqual([...rest])
      expect(Buffer.concat([message.beginning, ...message.rest]).equals(bytes.subarray(0, arrived))).toBe(true)
    }
  }
})
