/** Compresses responses for browsers, off the event loop. */
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

/** Supported content encodings, best first. */
const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Returns the best encoding that the browser accepts (RFC 9110, 12.5.3); null if the server supports none of them. */
export function chooseEncoding(accepted: string | null): Encoding | null {
  const offers = (accepted ?? '').split(',').map((offer) => offer.trim().toLowerCase())
  const names = offers.filter((offer) => !/;\s*q=0(?:\.0*)?$/.test(offer)).map((offer) => offer.split(';')[0])
  return ENCODINGS.find((encoding) => names.includes(encoding)) ?? null
}

/** Parameters that favor speed, because pages are compressed for each request. The window is large enough for a list of a thousand rows. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 19 } }

export function pack(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return encoding === 'br' ? promisify(brotliCompress)(bytes, BROTLI) : promisify(gzip)(bytes)
}

/** Compresses pieces as fast as the client reads them. */
export async function* packPieces(pieces: AsyncGenerator<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array> {
  const packer = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip()
  const source = Readable.from(pieces)
  source.on('error', (error) => packer.destroy(error))
  source.pipe(packer)
  try {
    yield* packer
  } finally {
    source.destroy()
    packer.destroy()
  }
}
