import { expect, test } from 'bun:test'
import { hash32 } from '../../src/lib/hash.ts'

// Words are stored with scopes made of it, so it must never change.
test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('%j has the FNV-1a of the specification', (text, hash) => {
  expect(hash32(text)).toBe(hash)
})
