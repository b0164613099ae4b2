import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../../src/domain/errors.ts'
import { hasMetricsKey, requireMetricsAccess } from '../../../src/http/metrics/metrics-key.ts'

const KEY = 'the key of all figures'

/** Returns the message of the refusal; null when access is granted. */
function refusal(fields: Record<string, string>, socketAddress: string | null, key: string | null): string | null {
  try {
    requireMetricsAccess(new Headers(fields), socketAddress, key)
    return null
  } catch (error) {
    if (error instanceof Refusal && error.code === 'forbidden') return error.message
    throw error
  }
}

describe('with a key set', () => {
  test.each<[string, Record<string, string>]>([
    ['a bearer token', { authorization: `Bearer ${KEY}` }],
    ['its own header', { 'x-metrics-key': KEY }],
    ['its own header beside another token', { 'x-metrics-key': KEY, authorization: 'Bearer x' }],
  ])('it is accepted as %s, from anywhere', (_, fields) => {
    for (const address of ['203.0.113.7', '127.0.0.1', null]) expect(refusal(fields, address, KEY)).toBeNull()
  })

  test.each<Record<string, string>>([
    {},
    { 'x-metrics-key': '' },
    { 'x-metrics-key': KEY.slice(1) },
    { 'x-metrics-key': KEY.toUpperCase() },
    { authorization: KEY },
    { authorization: `Basic ${KEY}` },
    { authorization: 'Bearer ' },
    { authorization: `Bearer ${KEY}x` },
  ])('%j is refused, even from this machine, and the answer says what to send', (fields) => {
    const told = refusal(fields, '127.0.0.1', KEY)
    expect(told).toBe('send METRICS_KEY as "Authorization: Bearer <key>" or "X-Metrics-Key: <key>"')
  })
})

describe('with no key set', () => {
  test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('%s has access', (address) => {
    expect(refusal({}, address, null)).toBeNull()
  })

  test.each(['203.0.113.7', '10.0.0.1', '192.168.1.1', '::2', '128.0.0.1', 'garbage', null])(
    '%s has no access',
    (address) => {
      expect(refusal({}, address, null)).toBe(
        'set METRICS_KEY and send it as "Authorization: Bearer <key>", or connect from 127.0.0.1',
      )
    },
  )

  test.each([
    ['x-forwarded-for', '203.0.113.7'],
    ['x-forwarded-for', '127.0.0.1'],
    ['X-Forwarded-For', ''],
    ['forwarded', 'for=203.0.113.7'],
    ['x-real-ip', '203.0.113.7'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-host', 'example.org'],
    ['via', '1.1 proxy'],
    ['x-forwarded-port', '443'],
    ['X-Forwarded', 'for=203.0.113.7'],
    ['cf-connecting-ip', '203.0.113.7'],
    ['x-client-ip', '203.0.113.7'],
  ])('a request through a proxy on this machine (%s: %s) is refused', (name, value) => {
    expect(refusal({ [name]: value }, '127.0.0.1', null)).not.toBeNull()
  })

  test.each(['localhost', 'LOCALHOST:8000', '127.0.0.1:8000', '[::1]:8000', '[::1]'])('Host %s is accepted', (host) => {
    expect(refusal({ host }, '127.0.0.1', null)).toBeNull()
  })

  test.each(['evil.example', 'localhost.evil.example:8000', '127.0.0.1.evil.example', '203.0.113.7', '', '::1x'])(
    'Host %s is refused',
    (host) => {
      expect(refusal({ host }, '127.0.0.1', null)).not.toBeNull()
    },
  )

  test('no header counts as the key', () => {
    expect(hasMetricsKey(new Headers({ 'x-metrics-key': 'null' }), null)).toBe(false)
    expect(refusal({ 'x-metrics-key': 'null', authorization: 'Bearer null' }, '203.0.113.7', null)).not.toBeNull()
  })
})
