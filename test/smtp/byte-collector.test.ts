import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ByteCollector } from '../../src/smtp/byte-collector.ts'

test('returns what was added, in order, whatever the size of the pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 8 }), (pieces) => {
      const collector = new ByteCollector(1_000_000)
      for (const piece of pieces) expect(collector.add(piece)).toBe(true)
      expect(Buffer.from(collector.bytes()).equals(Buffer.concat(pieces))).toBe(true)
      expect(collector.length).toBe(Buffer.concat(pieces).length)
    }),
  )
})

test('accepts exactly as many bytes as the limit', () => {
  const collector = new ByteCollector(20_000)
  expect(collector.add(new Uint8Array(19_999).fill(1))).toBe(true)
  expect(collector.add(new Uint8Array(2))).toBe(false)
  expect(collector.add(new Uint8Array([7]))).toBe(true)
  expect(collector.add(new Uint8Array(1))).toBe(false)
  expect([collector.length, collector.bytes().at(-1), collector.bytes()[0]]).toEqual([20_000, 7, 1])
})

test('copies its input, because a reader may reuse its buffer', () => {
  const collector = new ByteCollector(10)
  const piece = new Uint8Array([1, 2, 3])
  collector.add(piece)
  piece.fill(9)
  expect([...collector.bytes()]).toEqual([1, 2, 3])
})
