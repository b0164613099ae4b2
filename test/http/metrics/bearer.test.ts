import { expect, test } from 'bun:test'
import { bearerToken } from '../../../src/http/metrics/bearer.ts'

test.each([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['BEARER  abc', 'abc'],
  ['Bearer a b', 'a b'],
  ['Bearer', null],
  ['Bearerabc', null],
  ['Basic abc', null],
  ['abc', null],
  ['', null],
])('%j carries %j', (authorization, token) => {
  expect(bearerToken(new Headers({ authorization }))).toBe(token)
})

test('without the header there is no token', () => {
  expect(bearerToken(new Headers())).toBeNull()
})
