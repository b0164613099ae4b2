/** Public ids: their form, and which one follows when one is taken. */
import { expect, test } from 'bun:test'
import { followingPublicId, isPublicId, makePublicId } from '../../../src/domain/check/public-id.ts'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

test('a public id has eight small letters and digits', () => {
  const made = Array.from({ length: 1_000 }, () => makePublicId(random))
  expect(made.every(isPublicId)).toBe(true)
  expect(new Set(made).size).toBe(1_000)
})

test.each([
  ['aaaaaaaa', 'aaaaaaab'],
  ['aaaaaa9z', 'aaaaaaa0'],
  ['0000000z', '00000010'],
  ['zzzzzzzz', '00000000'],
])('after %s comes %s', (publicId, next) => {
  expect(followingPublicId(publicId)).toBe(next)
})

test.each(['', 'aaaaaaa', 'aaaaaaaaa', 'aaaaaaaA', 'aaaa-aaa', 'aaaaaaaa\n', 'ааaaaaaa'])('%p is none', (text) => {
  expect(isPublicId(text)).toBe(false)
})
