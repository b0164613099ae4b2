import { expect, test } from 'bun:test'
import { codeOf, messageOf, reasonOf, withoutPaths } from '../../src/lib/errors.ts'

test('an error is its message, and anything else its text', () => {
  expect(messageOf(new TypeError('broken'))).toBe('broken')
  expect(['text', 42, null, undefined].map(messageOf)).toEqual(['text', '42', 'null', 'undefined'])
})

test('the code of an error is that of the system or the engine; whatever has none has an empty one', () => {
  expect(codeOf(Object.assign(new Error('no'), { code: 'EACCES' }))).toBe('EACCES')
  expect([new Error('no'), { code: 'EACCES' }, 'EACCES', null].map(codeOf)).toEqual(['', '', '', ''])
})

test('the reason of an error of the system is in words, and that of any other error is its message and its cause', () => {
  const refused = Object.assign(new TypeError('Unable to connect. Is the computer able to access the url?'), {
    code: 'ECONNREFUSED',
  })
  expect(reasonOf(refused)).toBe('connection refused')
  expect(reasonOf(new Error('no', { cause: new Error('broken') }))).toBe('no: broken')
})

test('a message without the paths that the system names in it', () => {
  const missing = Object.assign(new Error("ENOENT: no such file or directory, open '/srv/secret'"), { syscall: 'open' })
  expect(withoutPaths(missing)).toBe('ENOENT: no such file or directory')
  expect(withoutPaths(new Error('other, open'))).toBe('other, open')
})
