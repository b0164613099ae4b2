import { describe, expect, test } from 'bun:test'
import { guardedAddresses } from '../../src/delivery/address-guard.ts'
import { addressInHost, isPublicAddress } from '../../src/lib/network/public-address.ts'

const never = () => Promise.reject(new Error('must not be resolved'))

describe('an address', () => {
  test.each(['1.1.1.1', '8.8.8.8', '::ffff:8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001:80e::200e'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )

  test.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['unspecified', '0.0.0.0'],
    ['unspecified', '0.1.2.3'],
    ['unspecified', '::'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['unique local', 'fd00::1'],
    ['link-local, where clouds keep their metadata', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped private', '::ffff:10.0.0.1'],
    ['mapped private in hexadecimal', '::ffff:a00:1'],
    ['IPv4-compatible loopback', '::127.0.0.1'],
    ['IPv4-compatible loopback in hexadecimal', '::7f00:1'],
    ['translated loopback', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::127.0.0.1'],
    ['local NAT64', '64:ff9b:1::1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '2001:db8::1'],
    ['benchmarking', '198.18.0.1'],
    ['benchmarking', '2001:2::1'],
    ['identifiers of hosts', '2001:20::1'],
    ['documentation, the newer range', '3fff::1'],
    ['protocol assignments', '192.0.0.8'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['relays of 6to4', '192.88.99.1'],
    ['metadata of a cloud, mapped', '::ffff:169.254.169.254'],
    ['metadata of a cloud', 'fd00:ec2::254'],
    ['carrier-grade NAT, its end', '100.127.255.255'],
    ['6to4 of a private address', '2002:a00:1::1'],
    ['NAT64 of metadata', '64:ff9b::a9fe:a9fe'],
    ['an address with a port', '1.1.1.1:80'],
    ['an address of fewer numbers', '1.1'],
    ['an address with zeros that some read as octal', '010.0.0.1'],
    ['an address in hexadecimal', '0x01.1.1.1'],
    ['site-local of old', 'fec0::1'],
    ['discard', '100::1'],
    ['not handed out', '4000::1'],
    ['no address at all', 'example.com'],
    ['empty', ''],
  ])('that is %s is not public: %s', (_, address) => expect(isPublicAddress(address)).toBe(false))
})

describe('a host', () => {
  test('is distinguished from a name by its form', () => {
    expect(addressInHost('127.0.0.1')).toBe('127.0.0.1')
    expect(addressInHost('[::1]')).toBe('::1')
    expect(addressInHost('example.com')).toBeNull()
    expect(addressInHost('1.2.3.4.example.com')).toBeNull()
  })

  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://0/',
    'http://%31%32%37.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://１２７．０．０．１/',
    'http://127。0。0。1/',
    'http://0x7f000001./',
    'http://00000177.0.0.1/',
    'http://0177.0x0.1/',
    'http://10.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[2002:7f00:1::]/',
    'http://[::127.0.0.1]/',
    'http://ｌｏｃａｌｈｏｓｔ/',
    'http://a.b.localhost./',
    'http://127.0.0.1:80\\@example.com/',
    'http://127.0.0.1#@example.com/',
    'http://127.0.0.1?@example.com/',
    'http://\t127.0.0.1\n/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://api.localhost/',
    'http://user:secret@127.0.0.1/',
    'http://example.com@127.0.0.1/',
  ])('written as in %s is refused without asking a resolver', async (url) => {
    expect(await guardedAddresses(new URL(url).hostname, isPublicAddress, never)).toEqual({ kind: 'private' })
  })

  test.each([
    'http://[fe80::1%25eth0]/',
    'http://[::1%25lo]/',
    'http://127.0.0.1.1/',
    'http://0x100000000/',
    'http://1.2.3.256/',
  ])('written as in %s is not a URL', (url) => expect(URL.canParse(url)).toBe(false))

  test.each(['http://localhost.example.com/', 'http://127.0.0.1.example.com/', 'http://notlocalhost/'])(
    'that only looks like one of this machine is a name: %s',
    async (url) => {
      const asked: string[] = []
      const resolve = async (host: string) => [asked.push(host) > 0 ? '10.0.0.1' : '']
      expect(await guardedAddresses(new URL(url).hostname, isPublicAddress, resolve)).toEqual({ kind: 'private' })
      expect(asked).toHaveLength(1)
    },
  )

  test.each([
    [['10.0.0.1', '1.1.1.1']],
    [['2606:4700:4700::1111', '::1']],
    [['1.1.1.1', '::ffff:10.0.0.1']],
    [['1.1.1.1', '2002:7f00:1::']],
    [['1.1.1.1', 'no address']],
  ])('whose resolver answers %j is refused, because one of them is not public', async (addresses) => {
    const answer = await guardedAddresses('example.com', isPublicAddress, async () => addresses)
    expect(answer).toEqual({ kind: 'private' })
  })

  test('with a public address is allowed, in the order of the resolver', async () => {
    const addresses = ['2606:4700:4700::1111', '1.1.1.1']
    expect(await guardedAddresses('example.com', isPublicAddress, async () => addresses)).toEqual({
      kind: 'allowed',
      addresses,
    })
  })

  test('with one private address among public ones is refused', async () => {
    const resolve = async () => ['1.1.1.1', '10.0.0.1']
    expect(await guardedAddresses('example.com', isPublicAddress, resolve)).toEqual({ kind: 'private' })
  })

  test('that has no address, or whose resolver fails, is unresolved', async () => {
    expect(await guardedAddresses('example.com', isPublicAddress, async () => [])).toEqual({ kind: 'unresolved' })
    expect(await guardedAddresses('example.com', isPublicAddress, never)).toEqual({ kind: 'unresolved' })
  })

  test('on this machine is allowed when everything is', async () => {
    const resolve = async () => ['127.0.0.1']
    expect(await guardedAddresses('localhost', () => true, resolve)).toEqual({
      kind: 'allowed',
      addresses: ['127.0.0.1'],
    })
  })
})
