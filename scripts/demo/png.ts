/** Makes PNGs of a browser smaller. The browser compresses them fast, and pages have large areas of one colour. */
import { deflateSync, inflateSync } from 'node:zlib'

/** Bytes of the signature (PNG, 5.2). */
const SIGNATURE = 8
/** Bytes around the data of a chunk: its length, its type, its checksum (PNG, 5.3). */
const AROUND = 12
/** Bytes of red, green and blue. */
const BYTES_PER_PIXEL = 3
const TRUECOLOUR = 2

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

/**
 * Returns the same picture in fewer bytes: no row is filtered, and everything is compressed as well as deflate can.
 * @param png 8 bits for each of red, green and blue, not interlaced
 * @throws Error for another PNG
 */
export function repackPng(png: Buffer): Buffer {
  const chunks = readChunks(png)
  const { width, height } = readHeader(chunks)
  const rows = unfilter(inflateSync(dataOf(chunks)), width * BYTES_PER_PIXEL, height)
  const data = deflateSync(rows, { level: 9, memLevel: 9 })
  const others = chunks.filter(({ type }) => type === 'IHDR')
  return Buffer.concat([
    png.subarray(0, SIGNATURE),
    ...[...others, { type: 'IDAT', data }, { type: 'IEND', data: Buffer.alloc(0) }].map(writeChunk),
  ])
}

function readChunks(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + AROUND
  }
  return chunks
}

function readHeader(chunks: readonly Chunk[]): { readonly width: number; readonly height: number } {
  const header = chunks.find(({ type }) => type === 'IHDR')?.data
  const [bits, colours, , , interlaced] = header?.subarray(8) ?? []
  if (!header || bits !== 8 || colours !== TRUECOLOUR || interlaced !== 0) throw new Error('the PNG has another format')
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4) }
}

function dataOf(chunks: readonly Chunk[]): Buffer {
  return Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
}

/** Returns the rows with the filter "none" (PNG, 9.2). @param stride bytes of a row without that of its filter */
function unfilter(filtered: Buffer, stride: number, height: number): Buffer {
  const rows = Buffer.alloc(filtered.length)
  for (let row = 0; row < height; row += 1) {
    const begin = row * (stride + 1) + 1
    const filter = filtered[begin - 1] ?? 0
    for (let index = 0; index < stride; index += 1) {
      const at = begin + index
      const left = index < BYTES_PER_PIXEL ? 0 : (rows[at - BYTES_PER_PIXEL] ?? 0)
      const above = row === 0 ? 0 : (rows[at - stride - 1] ?? 0)
      const aboveLeft = row === 0 || index < BYTES_PER_PIXEL ? 0 : (rows[at - stride - 1 - BYTES_PER_PIXEL] ?? 0)
      rows[at] = (filtered[at] ?? 0) + predicted(filter, left, above, aboveLeft)
    }
  }
  return rows
}

function predicted(filter: number, left: number, above: number, aboveLeft: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  return filter === 4 ? paeth(left, above, aboveLeft) : 0
}

/** Returns the neighbour that is nearest to `left + above - aboveLeft` (PNG, 9.4). */
function paeth(left: number, above: number, aboveLeft: number): number {
  const distances = [Math.abs(above - aboveLeft), Math.abs(left - aboveLeft), Math.abs(left + above - 2 * aboveLeft)]
  const least = Math.min(...distances)
  return [left, above, aboveLeft][distances.indexOf(least)] ?? 0
}

function writeChunk({ type, data }: Chunk): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(Bun.hash.crc32(typed))
  return Buffer.concat([length, typed, checksum])
}
