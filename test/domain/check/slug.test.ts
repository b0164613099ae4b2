/** Slugs: which are valid, and what is derived from a name. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isSlug, slugify } from '../../../src/domain/check/slug.ts'

test.each([
  ['db-backup_2', true],
  ['0', true],
  ['-', true],
  ['', false],
  ['Backup', false],
  ['a b', false],
  ['a.b', false],
  ['é', false],
  ['a\n', false],
  ['a/b', false],
])('%p may stand in a ping URL: %p', (text, may) => {
  expect(isSlug(text)).toBe(may)
})

describe('a name makes a slug', () => {
  test.each([
    ['DB Backup', 'db-backup'],
    ['  many   blanks\t\n ', 'many-blanks'],
    ['a - b -- c', 'a-b-c'],
    ['-_a_b_-', 'a_b'],
    ['Crème brûlée', 'creme-brulee'],
    ['ﬁle №5', 'file-no5'],
    ['100% done!', '100-done'],
    ['a/b.c', 'abc'],
    ['İstanbul', 'istanbul'],
    ['резервная копия', ''],
    ['копия db', 'db'],
    ['💾', ''],
    ['', ''],
    ['a\u00a0b', 'a-b'],
  ])('%p: %p', (name, slug) => {
    expect(slugify(name)).toBe(slug)
  })

  test('that is empty or valid, and stays the same when derived again', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), (name) => {
      const slug = slugify(name)
      expect(slug).toMatch(/^(?:[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)?$/)
      expect(slugify(slug)).toBe(slug)
    })
    fc.assert(property, { numRuns: 500 })
  })
})

test('no slug is longer than 100 characters, whatever the name', () => {
  expect([isSlug('a'.repeat(100)), isSlug('a'.repeat(101))]).toEqual([true, false])
  // A ligature becomes three letters.
  expect(slugify('\ufb03'.repeat(100))).toBe('ffi'.repeat(34).slice(0, 100))
  expect(slugify(`${'a'.repeat(99)} b`)).toBe('a'.repeat(99))
})
