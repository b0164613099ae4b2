/** Finds text encodings by the names that programs use for them and decodes text. */

/**
 * Names that Python, Java and Windows use but that the Encoding Standard (4.2) does not list, in lower case and without punctuation. Code
 * pages that the standard does not support, such as 437 and 850, are omitted.
 */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...['utf16', 'ucs2', '1200'].map((name) => [name, 'utf-16le'] as const),
  ['utf16le', 'utf-16le'],
  ...['utf16be', '1201'].map((name) => [name, 'utf-16be'] as const),
  ...['utf32', 'utf32le', 'ucs4', '12000'].map((name) => [name, 'utf-32le'] as const),
  ...['utf32be', '12001'].map((name) => [name, 'utf-32be'] as const),
  ...['utf8sig', 'utf8mb4', '65001'].map((name) => [name, 'utf-8'] as const),
  ...['ansi', 'usascii'].map((name) => [name, 'windows-1252'] as const),
  ...['latin9', 'latin0', '28605'].map((name) => [name, 'iso-8859-15'] as const),
  ['28591', 'iso-8859-1'],
  ['macroman', 'macintosh'],
  ['koi8r', 'koi8-r'],
  ['koi8u', 'koi8-u'],
  ['eucjp', 'euc-jp'],
  ['euckr', 'euc-kr'],
  ...['shiftjis', 'windows31j', 'mskanji'].map((name) => [name, 'shift_jis'] as const),
  ['iso88598e', 'iso-8859-8'],
  ['iso88598i', 'iso-8859-8-i'],
  ...['iso2022jp', 'iso2022jp1', 'iso2022jp2', 'junet', '50220', '50221', '50222'].map(
    (name) => [name, 'iso-2022-jp'] as const,
  ),
  ['51932', 'euc-jp'],
  ['uhc', 'euc-kr'],
  ['tis620', 'windows-874'],
  ['932', 'shift_jis'],
  ['936', 'gbk'],
  ['949', 'euc-kr'],
  ['950', 'big5'],
])

/**
 * Returns the name of an encoding that can be decoded; null for an unknown label. Ignores the prefixes `x-` and `cs`, which are common in
 * emails.
 */
export function encodingOf(label: string): string | null {
  const given = label.trim().toLowerCase()
  if (given === 'utf-8' || given === 'utf8') return 'utf-8'
  return knownEncoding(given) ?? knownEncoding(given.replace(/^(?:x-(?:ms-)?|cs)/, ''))
}

function knownEncoding(given: string): string | null {
  const bare = given.replace(/[^a-z0-9]/g, '')
  const page = bare.replace(/^(?:cp|windows|win|ms|ibm)(?=\d)/, '')
  const other = OTHER_NAMES.get(bare) ?? OTHER_NAMES.get(page)
  if (other !== undefined) return other
  return standardName(given) ?? standardName(bare) ?? (/^(?:125[0-8]|874)$/.test(page) ? `windows-${page}` : null)
}

function standardName(label: string): string | null {
  try {
    return textDecoder(label).encoding
  } catch {
    return null
  }
}

/** @throws RangeError for an unknown label */
function textDecoder(label: string): TextDecoder {
  // Bun's types list only some of the labels that it supports.
  return new TextDecoder(label as Bun.Encoding)
}

/** Returns the encoding indicated by a byte order mark (Unicode 15, 23.8); null if there is none, or if it indicates UTF-8. */
export function markedEncoding(bytes: Uint8Array): string | null {
  const first = bytes[0]
  if (first === 0xff && bytes[1] === 0xfe) return bytes[2] === 0 && bytes[3] === 0 ? 'utf-32le' : 'utf-16le'
  if (first === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return first === 0 && bytes[1] === 0 && bytes[2] === 0xfe && bytes[3] === 0xff ? 'utf-32be' : null
}

/** Returns the size of a code unit in bytes. The size of every character is a multiple of it. */
export function unitOf(encoding: string): 1 | 2 | 4 {
  if (encoding.startsWith('utf-16')) return 2
  return encoding.startsWith('utf-32') ? 4 : 1
}

/**
 * Decodes text and removes its byte order mark. Invalid bytes become U+FFFD.
 * @param encoding see {@link encodingOf}
 * @param isCut true if an incomplete character at the end should be dropped
 */
export function decodeText(bytes: Uint8Array, encoding: string, isCut: boolean): string {
  if (unitOf(encoding) === 4) return decodeUtf32(bytes, encoding === 'utf-32le')
  return textDecoder(encoding).decode(bytes, { stream: isCut })
}

/** Decodes the bytes in pieces of `length` bytes. If joined, the pieces equal the result of {@link decodeText} for all bytes. */
export function* decodePieces(bytes: Uint8Array, encoding: string, length: number): Generator<string> {
  if (unitOf(encoding) === 4) {
    yield decodeText(bytes, encoding, false)
    return
  }
  const decoder = textDecoder(encoding)
  for (let at = 0; at < bytes.length; at += length) {
    yield decoder.decode(bytes.subarray(at, at + length), { stream: at + length < bytes.length })
  }
}

/** Decodes UTF-32, for which the platform has no decoder. */
function decodeUtf32(bytes: Uint8Array, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let text = ''
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const codePoint = view.getUint32(at, isLittleEndian)
    text += codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '\ufffd'
  }
  return text.toWellFormed().replace(/^\ufeff/, '')
}
