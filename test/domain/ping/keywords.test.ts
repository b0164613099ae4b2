/** Lists of keywords. */
import { describe, expect, test } from 'bun:test'
import { findKeyword, splitKeywords } from '../../../src/domain/ping/keywords.ts'

test.each([
  ['', []],
  [' , ,', []],
  ['done', ['done']],
  [' done ,all  well,', ['done', 'all  well']],
  ['a,a', ['a', 'a']],
])('%p is a list of %p', (list, words) => {
  expect(splitKeywords(list)).toEqual(words)
})

describe('a keyword', () => {
  test.each([
    ['all done now', 'done', true],
    ['undone', 'done', true],
    ['all Done', 'done', false],
    ['b', 'a, b', true],
    ['a, b', 'c', false],
    ['a.b', 'a?b', false],
    ['aXb', 'a.b', false],
    ['all  well', 'all well', false],
    ['donee\u0301', 'é', false],
    ['', 'a', false],
  ])('in %p, of %p: %p', (text, list, found) => {
    expect(findKeyword(text, list) !== null).toBe(found)
  })

  test('of an empty list is never found, not even in an empty text', () => {
    for (const list of ['', ' ', ',', ' , '])
      expect([findKeyword('', list), findKeyword(' , ', list)]).toEqual([null, null])
  })

  test('is the first of its list, where it first stands', () => {
    expect(findKeyword('b a b a', 'x, a, b')).toEqual({ word: 'a', at: 2 })
  })
})
