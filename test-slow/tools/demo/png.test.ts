/** Pictures are compressed again without a change to their pixels. */
import { expect, test } from 'bun:test'
import { deflateSync, inflateSync } from 'node:zlib'
import { repackPng } from '../../../scripts/demo/png.ts'

const [WIDTH, HEIGHT] = [3, 5]
const STRIDE = WIDTH * 3

const chunk = (type: string, data: Uint8Array) => {
  const typed = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(Bun.hash.crc32(typed))
  return Buffer.concat([length, typed, checksum])
}
/** @param colours 2: red, green and blue */
const png = (rows: Uint8Array, colours = 2) => {
  const header = Buffer.from([0, 0, 0, WIDTH, 0, 0, 0, HEIGHT, 8, colours, 0, 0, 0])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.of())])
}

/** Predictions by each filter of the format, in the order of their numbers. */
const FILTERS: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => Math.floor((left + above) / 2),
  (left, above, corner) =>
    [left, above, corner].toSorted(
      (a, b) => Math.abs(left + above - corner - a) - Math.abs(left + above - corner - b),
    )[0] ?? 0,
]

test('a picture whose rows are filtered in every way has the same pixels afterwards', () => {
  const pixels = Array.from({ length: STRIDE * HEIGHT }, (_, index) => (index * index * 37 + index * 11) % 256)
  const at = (row: number, index: number) => (row < 0 || index < 0 ? 0 : (pixels[row * STRIDE + index] ?? 0))
  const filtered = FILTERS.flatMap((filter, row) => [
    row,
    ...Array.from({ length: STRIDE }, (_, index) => {
      const guess = filter(at(row, index - 3), at(row - 1, index), index < 3 ? 0 : at(row - 1, index - 3))
      return (at(row, index) - guess + 256) % 256
    }),
  ])
  const plain = FILTERS.flatMap((_, row) => [0, ...pixels.slice(row * STRIDE, (row + 1) * STRIDE)])
  const again = repackPng(png(Uint8Array.from(filtered)))
  const length = again.readUInt32BE(33)
  expect([...inflateSync(again.subarray(41, 41 + length))]).toEqual(plain)
  expect(again.subarray(0, 33)).toEqual(png(Uint8Array.from(plain)).subarray(0, 33))
  expect(again.subarray(-12)).toEqual(chunk('IEND', Buffer.of()))
})

test('a picture of another format is refused', () => {
  expect(() => repackPng(png(new Uint8Array(HEIGHT), 3))).toThrow('another format')
})
