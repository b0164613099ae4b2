import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { createClientReader } from '../../src/http/client.ts'

const PROXY = '10.0.0.1'
const reader = createClientReader(['10.0.0.0/8', '2001:db8:ffff::/48', '192.0.2.7'])

function address(forwarded: string, socketAddress: string | null = PROXY): string | null {
  return reader.read(new Headers({ 'x-forwarded-for': forwarded }), socketAddress).address
}

function scheme(proto: string, socketAddress: string | null = PROXY): string {
  return reader.read(new Headers({ 'x-forwarded-proto': proto }), socketAddress).scheme
}

describe('behind a trusted proxy', () => {
  test('the client is the rightmost address that is not a trusted proxy; anything to its left may be made up', () => {
    expect(address('203.0.113.9')).toBe('203.0.113.9')
    expect(address('1.1.1.1, 203.0.113.9')).toBe('203.0.113.9')
    expect(address('1.1.1.1, 203.0.113.9, 10.2.3.4, 192.0.2.7')).toBe('203.0.113.9')
    expect(address('10.9.9.9, 203.0.113.9, 10.2.3.4')).toBe('203.0.113.9')
  })

  test('if all addresses are proxies, the first one is the client', () => {
    expect(address('10.5.5.5, 10.6.6.6')).toBe('10.5.5.5')
  })

  test('the address after a trusted single address is not trusted', () => {
    expect(address('1.1.1.1, 192.0.2.8')).toBe('192.0.2.8')
    expect(address('1.1.1.1, 192.0.2.7')).toBe('1.1.1.1')
  })

  test('addresses get one spelling: IPv6 short, IPv4-mapped IPv6 as IPv4', () => {
    expect(address('2001:DB8:0:0::1')).toBe('2001:db8::1')
    expect(address('::ffff:203.0.113.9')).toBe('203.0.113.9')
    expect(address('::FFFF:cb00:7109')).toBe('203.0.113.9')
    expect(address('1.1.1.1, ::ffff:10.0.0.5')).toBe('1.1.1.1')
    expect(address('1.1.1.1, 2001:db8:ffff:1::9')).toBe('1.1.1.1')
  })

  test('ports are removed', () => {
    expect(address('203.0.113.9:51234')).toBe('203.0.113.9')
    expect(address('[2001:db8::1]:51234')).toBe('2001:db8::1')
    expect(address('[2001:db8::1]')).toBe('2001:db8::1')
  })

  test('white space does not matter', () => {
    expect(address('  1.1.1.1 ,\t203.0.113.9  ')).toBe('203.0.113.9')
  })

  test.each([
    'unknown',
    '',
    ' ',
    ',',
    '1.1.1.1,',
    '1.1.1.1, _hidden',
    '1.1.1.1, 300.1.1.1',
    '1',
    '0x7f.1',
    '010.1.1.1',
    '1.2.3',
    '203.0.113.9:port',
    '[203.0.113.9',
    'a'.repeat(5000),
    '2001:db8::1::2',
  ])('without an address where one is expected, as in %j, the client is the proxy itself', (forwarded) => {
    expect(address(forwarded)).toBe(PROXY)
  })

  test('garbage to the left of a proxy is not believed: the client is that proxy', () => {
    expect(address('garbage, 10.7.7.7')).toBe('10.7.7.7')
  })

  test('without a header, the client is the proxy itself', () => {
    expect(reader.read(new Headers(), PROXY)).toEqual({ address: PROXY, scheme: 'http' })
  })

  test('only X-Forwarded-Proto makes the scheme https', () => {
    expect(scheme('https')).toBe('https')
    expect(['http', 'ftp', '', 'https, http', 'javascript:'].map((proto) => scheme(proto))).toEqual(
      Array(5).fill('http'),
    )
  })

  test('the proxy may have an IPv4-mapped IPv6 address', () => {
    expect(address('203.0.113.9', '::ffff:10.0.0.1')).toBe('203.0.113.9')
  })
})

describe('without a trusted proxy', () => {
  test('headers are ignored: the client may have made them up', () => {
    expect(address('1.1.1.1', '203.0.113.50')).toBe('203.0.113.50')
    expect(address('1.1.1.1', '11.0.0.1')).toBe('11.0.0.1')
    expect(address('1.1.1.1', '2001:DB8::5')).toBe('2001:db8::5')
    expect(scheme('https', '203.0.113.50')).toBe('http')
  })

  test('headers are ignored when the address of the socket is unknown', () => {
    expect(address('1.1.1.1', null)).toBeNull()
    expect(address('1.1.1.1', 'garbage')).toBeNull()
    expect(scheme('https', null)).toBe('http')
  })

  test('an empty list trusts nobody', () => {
    const nobody = createClientReader([])
    expect(nobody.read(new Headers({ 'x-forwarded-for': '1.1.1.1' }), '127.0.0.1').address).toBe('127.0.0.1')
  })
})

describe('whether an address is a trusted proxy', () => {
  test('is decided by the listed addresses and networks, whatever the spelling', () => {
    const trusted = ['10.0.0.1', '::ffff:10.9.9.9', '192.0.2.7', '2001:db8:ffff::1', '2001:DB8:FFFF:0:0:0:0:2']
    expect(trusted.filter((each) => !reader.isTrusted(each))).toEqual([])
    const others = ['11.0.0.1', '192.0.2.8', '2001:db8::1', '127.0.0.1', '::1', '::ffff:11.0.0.1']
    expect(others.filter((each) => reader.isTrusted(each))).toEqual([])
  })

  test.each([
    '',
    'garbage',
    '10',
    '10.0.0.1:80',
    '10.0.0.1, 10.0.0.2',
    '010.0.0.1',
    '0x0a.0.0.1',
    '10.0.0.0/8',
    'x'.repeat(5_000),
  ])('%j is no address, so it is none', (text) => {
    expect(reader.isTrusted(text)).toBe(false)
  })

  test('an empty list trusts nobody', () => {
    expect(createClientReader([]).isTrusted('127.0.0.1')).toBe(false)
  })
})

test('by default, loopback and private networks are trusted and nothing else is', () => {
  const byDefault = createClientReader(readConfig({}).trustedProxies)
  const seen = (socket: string) => byDefault.read(new Headers({ 'x-forwarded-for': '1.1.1.1' }), socket).address
  const near = [
    '127.0.0.1',
    '127.8.8.8',
    '::1',
    '10.1.1.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    'fd00::1',
    'fe80::1',
  ]
  for (const socket of near) expect(seen(socket)).toBe('1.1.1.1')
  for (const socket of ['8.8.8.8', '172.32.0.1', '192.169.0.1', '2606:4700::1', '100.64.0.1'])
    expect(seen(socket)).toBe(socket)
})

test('more addresses than the cache holds are still distinguished', () => {
  const own = createClientReader(['10.0.0.0/8'])
  for (let i = 0; i < 25_000; i++) {
    const socket = `${i % 2 === 0 ? 10 : 11}.0.${i >> 8}.${i & 255}`
    const { address: seen } = own.read(new Headers({ 'x-forwarded-for': '9.9.9.9' }), socket)
    if (seen !== (i % 2 === 0 ? '9.9.9.9' : socket)) throw new Error(`${socket} was seen as ${seen}`)
  }
})
