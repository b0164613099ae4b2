import { describe, expect, test } from 'bun:test'
import { isPasskeyId, knownTransports, userHandle } from '../../../src/domain/account/passkey.ts'

describe('the id of a passkey', () => {
  test.each(['A', 'a-_9', 'x'.repeat(1364)])('may be %j', (id) => expect(isPasskeyId(id)).toBe(true))
  test.each(['', 'a b', 'a=', 'a/b', 'ä', '\u0000', 'x'.repeat(1365)])('may not be %j', (id) =>
    expect(isPasskeyId(id)).toBe(false),
  )
})

test('The ways to a passkey are kept as the browser names them, without what no browser says', () => {
  expect(knownTransports(['usb', 'smart-card', 'usb', '', '<b>', 'x'.repeat(33)])).toEqual(['usb', 'smart-card'])
  expect(knownTransports(Array.from({ length: 20 }, (_, n) => `way-${'x'.repeat(n)}`))).toHaveLength(8)
})

test('The handle of an account is its id in 16 bytes, which differ for each account', () => {
  const handle = userHandle('01234567-89ab-cdef-0123-456789abcdef')
  expect(Buffer.from(handle, 'base64url').toString('hex')).toBe('0123456789abcdef0123456789abcdef')
  expect(userHandle('01234567-89ab-cdef-0123-456789abcdee')).not.toBe(handle)
})
