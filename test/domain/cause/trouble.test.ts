import { describe, expect, test } from 'bun:test'
import { BODY_END_BYTES, lastLine } from '../../../src/domain/cause/trouble.ts'
import { bytes } from '../../support/store-builders.ts'

/** The end of a body, or all of it. */
const end = (text: string | Uint8Array, contentType: string | null = null) => {
  const all = typeof text === 'string' ? bytes(text) : text
  return { bytes: all.subarray(-BODY_END_BYTES), size: all.length, contentType }
}

test.each([
  ['one\ntwo', 'two'],
  ['one\r\ntwo\r\n', 'two'],
  ['progress 10%\rprogress 99%\r', 'progress 99%'],
  ['error: disk full\n \t\n\n', 'error: disk full'],
  ['a  b\tc', 'a b c'],
  ['\u0007\u202egpj.exe', 'gpj.exe'],
  ['<b>&', '<b>&'],
  ['\x1b[31mFatal: no space\x1b[0m\n', 'Fatal: no space'],
  ['copied 3 files\n-----\n=====\n', 'copied 3 files'],
  ['ошибка\n***', 'ошибка'],
  ['\n✗\n', '✗'],
  [`${'x'.repeat(79)}💾💾`, `${'x'.repeat(79)}…`],
])('the last line of %j is %j', (body, line) => {
  expect(lastLine(end(body))).toBe(line)
})

test('the last line has nothing that would allow pings, whole or in part', () => {
  const id = '94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b'
  expect(lastLine(end(`curl: (22) https://hc.example.org/ping/${id}`))).toBe('curl: (22) https://hc.example.org/ping/…')
  for (let length = 0; length < 60; length++) {
    const line = `${'x'.repeat(length)} https://hc.example.org/ping/${id} is what it was`
    expect(lastLine(end(line))).not.toContain(id.slice(0, 6))
    const cut = `https://hc.example.org/ping/${id} ${'y '.repeat(600)}`.slice(length).slice(0, BODY_END_BYTES)
    expect(lastLine(end(cut))).not.toContain('7b')
  }
  for (let kept = 9; kept <= id.length; kept++) {
    const stored = `curl: (22) https://hc.example.org/ping/${id.slice(0, kept)}`
    expect(lastLine(end(stored))).toBe('curl: (22) https://hc.example.org/ping/…')
  }
})

test('an empty body has no last line', () => {
  expect(lastLine(end(''))).toBeNull()
})

test('bytes that are no text do not fail', () => {
  expect(lastLine(end(new Uint8Array([0xff, 0xfd, 0x0a, 0xc3])))).toBe('\ufffd')
})

describe('the last line of a long body', () => {
  const long = 'A line before it.\r\n'.repeat(200)

  test.each([
    ['UTF-16', Buffer.from(`\ufeff${long}Disk full\r\n`, 'utf16le'), 'text/plain; charset=utf-16le'],
    [
      'UTF-16 that was cut within a character',
      Buffer.from(`\ufeff${long}Disk full!`, 'utf16le').subarray(0, -1),
      'text/plain; charset=utf-16le',
    ],
    [
      'a form with files',
      bytes(`--x\r\nContent-Disposition: form-data; name="log"; filename="log"\r\n\r\n${long}Disk full\r\n--x--\r\n`),
      'multipart/form-data; boundary="x"',
    ],
    [
      'an encoded form',
      bytes(`report=${encodeURIComponent(`${long}Disk full\n`)}`),
      'application/x-www-form-urlencoded',
    ],
  ])('is read in %s', (_, body, contentType) => {
    expect(lastLine(end(body, contentType))).toMatch(/^Disk full\ufffd?$/)
  })
})
