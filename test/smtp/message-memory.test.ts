/** What is kept of a message while it arrives. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { MessageMemory } from '../../src/smtp/message-memory.ts'
import { rejection } from '../support/store-builders.ts'

const LIMIT = 20_000
const ones = (length: number) => new Uint8Array(length).fill(1)

async function* inTurn(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

/** A copy of the message that is made of these pieces. */
function received(pieces: AsyncIterable<Uint8Array>, limit = LIMIT): Promise<Buffer> {
  const memory = new MessageMemory({ messageBytes: limit, smallMessageBytes: limit, largeMessages: 1 })
  return memory.receive(pieces, limit, async (message) => Buffer.from(message))
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
