/** Compression: encodings that a browser accepts, and the same bytes after decompression. */
import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { pack, packPieces } from '../../../src/http/web/packing.ts'

const TEXT = 'a row of a list '.repeat(10_000)
const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync }

async function* pieces(fail = false) {
  for (const piece of TEXT.match(/.{1,5000}/g) ?? []) yield new TextEncoder().encode(piece)
  if (fail) throw new Error('the list could not be read')
}

test.each(['br', 'gzip'] as const)('%s gives the same text back, whole and in pieces', async (encoding) => {
  const whole = await pack(new TextEncoder().encode(TEXT), encoding)
  expect(whole.length).toBeLessThan(TEXT.length / 50)
  expect(UNPACK[encoding](whole).toString()).toBe(TEXT)
  const packed = await Array.fromAsync(packPieces(pieces(), encoding))
  expect(UNPACK[encoding](Buffer.concat(packed)).toString()).toBe(TEXT)
})

test('an error in the middle reaches the reader', async () => {
  await expect(Array.fromAsync(packPieces(pieces(true), 'br'))).rejects.toThrow('the list could not be read')
})

test('whoever leaves in the middle ends the source', async () => {
  let isEnded = false
  async function* endless() {
    try {
      for (;;) yield crypto.getRandomValues(new Uint8Array(50_000))
    } finally {
      isEnded = true
    }
  }
  for await (const _ of packPieces(endless(), 'gzip')) break
  await Bun.sleep(0)
  expect(isEnded).toBe(true)
})
