import { expect, test } from 'bun:test'
import { BODY_END_BYTES, lastLine } from '../../../src/domain/check/trouble.ts'
import { bytes } from '../../support/store-builders.ts'

test.each([
  ['one\ntwo', 'two'],
  ['one\r\ntwo\r\n', 'two'],
  ['progress 10%\rprogress 99%\r', 'progress 99%'],
  ['error: disk full\n \t\n\n', 'error: disk full'],
  ['a  b\tc', 'a b c'],
  ['\u0007\u202egpj.exe', 'gpj.exe'],
  ['<b>&', '<b>&'],
  [`${'x'.repeat(79)}💾💾`, `${'x'.repeat(79)}…`],
])('the last line of %j is %j', (body, line) => {
  expect(lastLine(bytes(body))).toBe(line)
})

test('the last line has nothing that would allow pings, whole or in part', () => {
  const id = '94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b'
  expect(lastLine(bytes(`curl: (22) https://hc.example.org/ping/${id}`))).toBe(
    'curl: (22) https://hc.example.org/ping/…',
  )
  for (let length = 0; length < 60; length++) {
    const line = `${'x'.repeat(length)} https://hc.example.org/ping/${id} is what it was`
    expect(lastLine(bytes(line))).not.toContain(id.slice(0, 6))
    const cut = `https://hc.example.org/ping/${id} ${'y '.repeat(600)}`.slice(length).slice(0, BODY_END_BYTES)
    expect(lastLine(bytes(cut))).not.toContain('7b')
  }
  for (let kept = 9; kept <= id.length; kept++) {
    const stored = `curl: (22) https://hc.example.org/ping/${id.slice(0, kept)}`
    expect(lastLine(bytes(stored))).toBe('curl: (22) https://hc.example.org/ping/…')
  }
})

test.each([[null], ['']])('%j has no last line', (body) => {
  expect(lastLine(body === null ? null : bytes(body))).toBeNull()
})

test('bytes that are no text do not fail', () => {
  expect(lastLine(new Uint8Array([0xff, 0xfe, 0x0a, 0xc3]))).toBe('\ufffd')
})
