/** Creation, hashing and storage of keys. */
import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { hashApiKey, keyLookup, makeKey, storedKey } from '../../src/domain/project.ts'
import type { RandomBytes } from '../../src/lib/secrets/random-text.ts'
import { aProject, NOON } from '../support/builders.ts'

/** Returns the `given` bytes again and again. */
function fixedBytes(...given: number[]): RandomBytes {
  let position = 0
  return (length) => Uint8Array.from({ length }, () => given[position++ % given.length] ?? 0)
}

describe('a fresh key', () => {
  test.each([
    ['read-write', /^odw_[A-Za-z0-9]{28}$/],
    ['read-only', /^odr_[A-Za-z0-9]{28}$/],
    ['ping', /^[a-z0-9]{22}$/],
  ] as const)('that is %s looks like %p', (kind, shape) => {
    for (let i = 0; i < 50; i++) expect(makeKey(kind, randomBytes)).toMatch(shape)
    expect(new Set(Array.from({ length: 50 }, () => makeKey(kind, randomBytes))).size).toBe(50)
  })

  test('is made of the bytes it is given', () => {
    expect(makeKey('ping', fixedBytes(0, 25, 26, 35, 36))).toBe('az09aaz09aaz09aaz09aaz')
    expect(makeKey('read-write', fixedBytes(0, 25, 26, 51, 52, 61, 62))).toBe('odw_AZaz09AAZaz09AAZaz09AAZaz09A')
  })

  test('skips bytes that would favour some letters', () => {
    expect(makeKey('read-only', fixedBytes(248, 1, 255, 2, 247))).toBe(`odr_${'BC9'.repeat(10).slice(0, 28)}`)
    expect(makeKey('ping', fixedBytes(252, 1, 251))).toBe('b9'.repeat(11))
  })
})

describe('a key is stored', () => {
  const key = 'odw_0123456789abcdefghijklmnopqr'

  test('as an HMAC-SHA256 with the secret, in hex', () => {
    // RFC 4231, test case 2.
    expect(hashApiKey('what do ya want for nothing?', 'Jefe')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
    expect(hashApiKey(key, 'other')).not.toBe(hashApiKey(key, 'secret'))
  })

  test('so that a request need not say what kind of key it has', () => {
    expect(keyLookup('read-write', key, 'secret')).toBe(keyLookup('read-only', key, 'secret'))
    expect(keyLookup('read-write', key, 'secret')).toBe(hashApiKey(key, 'secret'))
  })

  test('as it is when it is for pings', () => {
    expect(keyLookup('ping', 'abc', 'secret')).toBe('abc')
  })

  test('with a hint of eight characters and nothing else', () => {
    const stored = storedKey(aProject({ id: 'p1' }), 'read-write', key, 'secret', NOON)
    const lookup = hashApiKey(key, 'secret')
    const rest = { hint: 'odw_0123', createdAt: NOON, name: '', lastUsedAt: null }
    expect(stored).toEqual({ lookup, projectId: 'p1', kind: 'read-write', ...rest })
    expect(JSON.stringify(stored)).not.toContain(key.slice(8))
  })
})
