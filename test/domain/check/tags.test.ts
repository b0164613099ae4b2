/** Tags. */
import { describe, expect, test } from 'bun:test'
import { hasTags, splitTags } from '../../../src/domain/check/tags.ts'

test.each([
  ['', []],
  ['   ', []],
  ['prod', ['prod']],
  ['  prod   db ', ['prod', 'db']],
  ['b a b', ['b', 'a']],
  ['prod Prod', ['prod', 'Prod']],
  ['db@dc1 a/b ä *', ['db@dc1', 'a/b', 'ä', '*']],
])('%p has the tags %p', (text, tags) => {
  expect(splitTags(text)).toEqual(tags)
})

describe('a check', () => {
  test.each([
    ['prod db', ['prod'], true],
    ['prod db', ['db', 'prod'], true],
    ['prod db', ['prod', 'web'], false],
    ['prod', ['pro'], false],
    ['pro', ['prod'], false],
    ['prod', ['PROD'], false],
    ['prod db', ['prod db'], false],
    ['prod', [''], false],
    ['prod', [], true],
    ['', [], true],
  ])('tagged %p has all of %p: %p', (tags, wanted, has) => {
    expect(hasTags(tags, wanted)).toBe(has)
  })
})
