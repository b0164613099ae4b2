/** Values as PostgreSQL reads them. */
import { expect, test } from 'bun:test'
import { parameterOf } from '../../../../src/store/engine/postgres/values.ts'

test('a list is an array: texts are in quotes, bytes in hexadecimal digits', () => {
  expect(parameterOf([1, -2, 1.5, Number.POSITIVE_INFINITY, null])).toBe('{1,-2,1.5,Infinity,NULL}')
  expect(parameterOf(['a', '', 'NULL', null])).toBe('{"a","","NULL",NULL}')
  expect(parameterOf([new Uint8Array([0, 255]), new Uint8Array(0), null])).toBe('{"\\\\x00ff","\\\\x",NULL}')
  expect(parameterOf([new Uint8Array([1, 2, 3, 4]).subarray(1, 3)])).toBe('{"\\\\x0203"}')
  expect(parameterOf([])).toBe('{}')
})

test('nothing in a text ends it or begins another one', () => {
  expect(parameterOf(['a","b', '{1,2}', '\\', '\\"', "'; --", 'é\n\t€'])).toBe(
    '{"a\\",\\"b","{1,2}","\\\\","\\\\\\"","\'; --","é\n\t€"}',
  )
})

test('what is no list stays as it is', () => {
  const bytes = new Uint8Array([1])
  expect([1, 'a', null, bytes].map(parameterOf)).toEqual([1, 'a', null, bytes])
})
