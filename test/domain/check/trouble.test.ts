import { expect, test } from 'bun:test'
import { lastLine } from '../../../src/domain/check/trouble.ts'
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

test.each([[null], ['']])('%j has no last line', (body) => {
  expect(lastLine(body === null ? null : bytes(body))).toBeNull()
})

test('bytes that are no text do not fail', () => {
  expect(lastLine(new Uint8Array([0xff, 0xfe, 0x0a, 0xc3]))).toBe('\ufffd')
})
