/** Networks in settings, and the addresses that they contain. */
import { describe, expect, test } from 'bun:test'
import { authority, canonicalAddress, isInNetwork, parseNetwork } from '../../../src/lib/network/network.ts'

describe('an address', () => {
  test.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '192.0.2.7', false],
    ['2001:db8::/32', '2001:DB8:0:0::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['::1', '::1', true],
    ['::1', '::2', false],
    ['127.0.0.0/8', '::ffff:127.0.0.1', true],
    ['::ffff:192.0.2.7', '192.0.2.7', true],
  ])('of %s: %s? %p', (network, address, isIn) => {
    expect(isInNetwork(address, parseNetwork(network))).toBe(isIn)
  })
})

describe('a setting', () => {
  test.each(['', 'localhost', '10.0.0.0/33', '::/129', '10.0.0.0/', '/8', '10.0.0.0/8/8', '10.0.0.256', '2001:db8'])(
    'of %p is no network',
    (text) => {
      expect(() => parseNetwork(text)).toThrow()
    },
  )

  // Notations of C libraries; a trusted address must not be guessed from them.
  test.each(['10', '10/8', '10.1', '010.0.0.1', '0x7f000001', '0x7f.0.0.1'])('of %p is not guessed at', (text) => {
    expect(() => parseNetwork(text)).toThrow()
  })
})

describe('the canonical form', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::1', '::1'],
  ])('of %s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical)
  })

  test.each(['', 'localhost', '1', '0x7f.1', '010.0.0.1', '1.2.3', '1.2.3.4:80', '[::1]', '2001:db8::1::2'])(
    'of %p is none',
    (text) => {
      expect(canonicalAddress(text)).toBeNull()
    },
  )
})

test.each([
  ['db.example.org', 5432, 'db.example.org:5432'],
  ['192.0.2.7', 80, '192.0.2.7:80'],
  ['2001:db8::1', 5432, '[2001:db8::1]:5432'],
])('%s with port %i is %s in a URL', (host, port, expected) => {
  expect(authority(host, port)).toBe(expected)
})
