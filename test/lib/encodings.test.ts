/** Encodings by name, and text in them. */
import { describe, expect, test } from 'bun:test'
import { decodePieces, decodeText, encodingOf, markedEncoding } from '../../src/lib/encodings.ts'

describe('the name of an encoding', () => {
  test.each([
    [
      'windows-1252',
      ['latin1', 'latin-1', 'Latin_1', 'iso_8859_1', 'ISO8859-1', 'cp1252', 'CP-1252', 'Win-1252', 'ANSI'],
    ],
    ['utf-8', ['utf8', 'UTF_8', 'utf-8-sig', 'cp65001']],
    ['utf-16le', ['utf-16le', 'UTF16LE', 'utf_16_le', 'utf16', 'UCS-2', 'cp1200']],
    ['utf-16be', ['UTF-16BE', 'utf16be']],
    ['utf-32le', ['utf-32', 'UTF32LE']],
    ['iso-8859-15', ['latin9', 'Latin-9', 'iso8859_15', 'l9']],
    ['windows-1251', ['cp1251', 'windows1251', '1251']],
    ['ibm866', ['cp866', 'IBM-866']],
    [
      'shift_jis',
      [
        'cp932',
        'Shift-JIS',
        'sjis',
        'ms932',
        'x-shift-jis',
        'x-ms-cp932',
        'x-windows-31j',
        'windows31j',
        'MS_Kanji',
        'csWindows31J',
      ],
    ],
    ['big5', ['x-big5', 'Big-5', 'cp950']],
    ['euc-jp', ['x-eucjp', 'x-euc-jp', 'eucjp']],
    ['iso-8859-8', ['iso-8859-8-e', 'iso88598e']],
    ['iso-8859-8-i', ['ISO-8859-8-I', 'iso88598i', 'csISO88598I']],
    ['gbk', ['cp936', 'GB2312', 'windows-936']],
    ['koi8-r', ['KOI8R', 'koi8_r']],
    ['euc-kr', ['euckr', 'cp949', 'uhc', 'x-windows-949']],
    ['iso-2022-jp', ['iso-2022-jp-2', 'cp50221']],
    ['windows-874', ['tis620', 'TIS-620']],
    ['macintosh', ['mac-roman', 'MacRoman', 'x-mac-roman']],
  ])('%s is found by what programs call it', (encoding, labels) => {
    expect(labels.map(encodingOf)).toEqual(labels.map(() => encoding))
  })

  test.each(['cp850', 'cp437', 'ibm850', 'utf-7', 'utf-9', '850', '', 'none', '1259', 'x-none', 'x-', 'cs', 'x-cp850'])(
    'is not guessed from %j',
    (label) => expect(encodingOf(label)).toBeNull(),
  )
})

test.each([
  ['utf-16le', [0xff, 0xfe, 0x61, 0]],
  ['utf-16be', [0xfe, 0xff, 0, 0x61]],
  ['utf-32le', [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff, 0, 0, 0, 0x61]],
  [null, [0xef, 0xbb, 0xbf, 0x61]],
  [null, [0, 0, 0xfe]],
  [null, []],
])('the mark of %s is known', (encoding, bytes) => {
  expect(markedEncoding(Uint8Array.from(bytes))).toBe(encoding)
})

test('text in UTF-32 is read without its mark, and what is no character is replaced', () => {
  const units = Uint32Array.of(0xfeff, 0x61, 0x1f600, 0x110000, 0xd800)
  const bytes = new Uint8Array(units.buffer)
  expect(decodeText(bytes, 'utf-32le', false)).toBe('a😀\ufffd\ufffd')
  expect(decodeText(bytes.subarray(4, 11), 'utf-32le', true)).toBe('a')
  expect(decodeText(Uint8Array.of(0, 0, 0, 0x61), 'utf-32be', false)).toBe('a')
})

test.each(['utf-8', 'utf-16le', 'utf-32le', 'shift_jis', 'gb18030', 'euc-kr', 'iso-2022-jp', 'windows-1252'])(
  'text in %s is the same in pieces that end within characters',
  (encoding) => {
    const bytes = Uint8Array.from({ length: 400 }, (_, n) => (n * n * 7 + n * 13) % 256)
    const whole = decodeText(bytes, encoding, false)
    for (const length of [1, 2, 3, 7, 399, 400, 401]) {
      expect([...decodePieces(bytes, encoding, length)].join('')).toBe(whole)
    }
  },
)
