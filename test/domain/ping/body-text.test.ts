/** Bodies as text: encodings and forms. */
import { describe, expect, test } from 'bun:test'
import { decodeStart, endText, isBinary, readingType, startText } from '../../../src/domain/ping/body-text.ts'
import { classify } from '../../../src/domain/ping/classify.ts'
import { aCheck, aSignal, bytes } from '../../support/builders.ts'

const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const utf32 = (text: string) =>
  new Uint8Array(Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0).buffer)
const FORM = 'application/x-www-form-urlencoded'

/** A body as `curl -F` sends it. */
const MULTIPART = [
  '--b0undary',
  'Content-Disposition: form-data; name="host"',
  '',
  'db1',
  '--b0undary',
  'Content-Disposition: form-data; name="log"; filename="backup.log"',
  'Content-Type: text/plain',
  '',
  'copied\n-----',
  '--b0undary',
  'Content-Disposition: form-data; name="dump"; filename="dump.gz"',
  'Content-Type: application/octet-stream',
  '',
  '\x1f\x00\x02',
  '--b0undary--',
  '',
].join('\r\n')

const read = (body: Uint8Array, header: string | null) =>
  startText({ bytes: body, size: body.length, contentType: readingType(header, body) })

describe('a body', () => {
  test.each([
    ['UTF-16 with its mark', utf16('\ufeffFailed: ä\r\n'), null, 'Failed: ä\r\n'],
    ['big-endian UTF-16 with its mark', utf16be('\ufeffFailed: ä'), 'text/plain', 'Failed: ä'],
    ['UTF-16 with its mark, called UTF-8', utf16('\ufeffFailed'), 'text/plain; charset=utf-8', 'Failed'],
    ['UTF-16 by its charset', utf16('Failed: ä'), 'text/plain; charset=UTF-16LE', 'Failed: ä'],
    ['UTF-8 with its mark', bytes('\ufeffFailed: ä'), null, 'Failed: ä'],
    ['Latin-1', Buffer.from('Gr\xf6\xdfe', 'latin1'), 'text/plain; charset="iso-8859-1"', 'Größe'],
    ['koi8-r', Uint8Array.of(0xcf, 0xdb, 0xc9, 0xc2, 0xcb, 0xc1), "text/plain;charset='KOI8-R'", 'ошибка'],
    ['Shift JIS', Uint8Array.of(0x8e, 0xb8, 0x94, 0x73), 'text/plain; charset=shift_jis', '失敗'],
    ['UTF-32 with its mark', utf32('\ufeffFailed: ä'), null, 'Failed: ä'],
    ['Latin-1, as Python calls it', Buffer.from('Gr\xf6\xdfe', 'latin1'), 'text/plain; charset=latin-1', 'Größe'],
    [
      'one charset of two',
      Buffer.from('Gr\xf6\xdfe', 'latin1'),
      'text/plain;charset=;CharSet = "CP1252";charset=x',
      'Größe',
    ],
    ['a code page of DOS', Uint8Array.of(0x47, 0x72, 0x94, 0xe1, 0x65), 'text/plain; charset=cp850', 'Gr\ufffd\ufffde'],
    ['UTF-8, called Latin-1', bytes('Größe'), 'text/plain; charset=iso-8859-1', 'Größe'],
    ['UTF-8, called UTF-16', bytes('Failed'), 'text/plain; charset=utf-16', 'Failed'],
    ['a charset that nobody knows', bytes('Größe'), 'text/plain; charset=utf-9', 'Größe'],
    [
      'an encoded form',
      bytes('status=ok&report=Backup+failed%0ADisk+full%21&empty='),
      FORM,
      'status=ok\nreport=Backup failed\nDisk full!\nempty',
    ],
    [
      'a form with files',
      bytes(MULTIPART),
      'multipart/form-data; boundary=b0undary',
      'host=db1\ncopied\n-----\n(dump.gz)',
    ],
    [
      'a form with files behind an empty line',
      bytes(`\r\n${MULTIPART}`),
      'multipart/form-data; boundary=b0undary',
      'host=db1\ncopied\n-----\n(dump.gz)',
    ],
    [
      'a form with files whose lines end without a CR',
      bytes(MULTIPART.replaceAll('\r\n', '\n')),
      'multipart/form-data; boundary=b0undary',
      'host=db1\ncopied\n-----\n(dump.gz)',
    ],
    [
      'a form with files whose header lacks the boundary',
      bytes(MULTIPART),
      'multipart/form-data',
      'host=db1\ncopied\n-----\n(dump.gz)',
    ],
    [
      'a body of several parts',
      bytes('--b\r\nContent-Type: text/plain\r\n\r\nFailed\r\n--b--\r\n'),
      'Multipart/Mixed; boundary="b"',
      'Failed',
    ],
    ['text with backspaces', bytes('F\bFA\bAIL | \b\b/ \b\bed\n\b\bend 9%\b\b10%\b'), null, 'FAIL ed\nend 10%'],
    ['a form that says something else', bytes('Done: a=b'), 'multipart/form-data; boundary=b0undary', 'Done: a=b'],
    [
      'colours',
      bytes('\x1b[1;31mFatal:\x1b[0m \x1b]8;;https://example.org\x1b\\disk\x1b]8;;\x07 full'),
      null,
      'Fatal: disk full',
    ],
    ['a sequence that does not end', bytes('one \x1b]0;title\ntwo'), null, 'one \ntwo'],
  ])('in %s is read', (_, body, header, text) => {
    expect(read(body, header)).toBe(text)
  })

  test.each([['Copied 5 + 3 files & more'], ['key=value'], ['{"a":"b&c=d"}'], ['rate=5%\nnext line'], ['']])(
    'that curl calls a form and is none is read as it is: %j',
    (text) => {
      expect(readingType(FORM, bytes(text))).toBeNull()
    },
  )

  test('of a long form keeps what is known of it', () => {
    const begin = bytes(MULTIPART).subarray(0, 130)
    expect(startText({ bytes: begin, size: 5_000, contentType: 'multipart/form-data; boundary="b0undary"' })).toBe(
      'host=db1',
    )
    const end = bytes(MULTIPART).subarray(-40)
    expect(endText({ bytes: end, size: 5_000, contentType: 'multipart/form-data; boundary="b0undary"' })).toContain(
      '\x1f',
    )
  })

  test('is no binary file in UTF-16', () => {
    const body = utf16('\ufeffFailed')
    for (const contentType of [null, readingType(null, body)]) {
      expect(isBinary({ bytes: body, size: body.length, contentType })).toBe(false)
    }
    expect(isBinary({ bytes: Uint8Array.of(0x1f, 0x8b, 0), size: 3, contentType: null })).toBe(true)
  })

  test('is cut before the character in which its beginning ends', () => {
    expect(decodeStart({ bytes: bytes('aä').subarray(0, 2), size: 3, contentType: null })).toBe('a')
    const contentType = 'text/plain; charset=utf-16le'
    expect(decodeStart({ bytes: utf16('ab').subarray(0, 3), size: 4, contentType })).toBe('a')
  })

  test('of a hundred thousand parts is read in no more time than it has bytes', () => {
    const contentType = 'multipart/form-data; boundary="x"'
    const body = bytes('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(20_000))
    expect(startText({ bytes: body, size: body.length, contentType }).split('\n').length).toBeLessThanOrEqual(100)
  })
})

test.each([
  ['UTF-16', utf16('\ufeffBackup FAILED'), null],
  ['Latin-1', Buffer.from('\xe9t\xe9 FAILED', 'latin1'), 'text/plain; charset=latin1'],
  ['an encoded form', bytes('report=It+FAILED%21'), FORM],
  ['colours', bytes('it \x1b[31mFAI\x1b[1mLED'), null],
  ['Latin-1 that is called a form', Buffer.from('\xfcber FAILED', 'latin1'), `${FORM}; charset=iso-8859-1`],
])('keywords are found in %s', (_, body, header) => {
  const signal = aSignal({ method: 'POST', body, contentType: readingType(header, body) })
  expect(classify(aCheck({ filterHttpBody: true, failureKw: 'FAILED' }), signal).kind).toBe('fail')
})
