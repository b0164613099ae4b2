import { expect, test } from 'bun:test'
import { isOwnOrigin } from '../../../src/http/web/origin.ts'

const SITE_ROOT = 'https://overdue.example/watch'

const own = (headers: Record<string, string>, scheme: 'http' | 'https' = 'http', siteRoot = SITE_ROOT) =>
  isOwnOrigin(new Headers(headers), siteRoot, scheme)

test('a form is ours when its origin is that of SITE_ROOT, whatever the Host', () => {
  expect(own({ origin: 'https://overdue.example' })).toBe(true)
  expect(own({ origin: 'https://overdue.example:443', host: '10.0.0.5:8000' })).toBe(true)
  expect(own({ origin: 'http://localhost:8000' }, 'http', 'http://localhost:8000')).toBe(true)
})

test('a form is ours when its origin is the address that the browser used', () => {
  expect(own({ origin: 'http://10.0.0.5:8000', host: '10.0.0.5:8000' })).toBe(true)
  expect(own({ origin: 'https://other.example', host: 'other.example' }, 'https')).toBe(true)
  expect(own({ origin: 'http://[::1]:8000', host: '[::1]:8000' })).toBe(true)
})

test.each([
  [{}],
  [{ host: 'overdue.example' }],
  [{ origin: 'null' }],
  [{ origin: '' }],
  [{ origin: 'overdue.example' }],
  [{ origin: 'https://evil.example' }],
  [{ origin: 'https://evil.example', host: 'overdue.example' }],
  [{ origin: 'http://overdue.example' }],
  [{ origin: 'https://overdue.example.evil.example' }],
  [{ origin: 'https://overdue.example:8443' }],
  [{ origin: 'https://evil.example@overdue.example.evil' }],
  [{ origin: 'null', host: '' }],
  [{ origin: 'https://10.0.0.5:8000', host: '10.0.0.5:8000' }],
  [{ origin: 'http://10.0.0.5:8001', host: '10.0.0.5:8000' }],
])('a form with %j is not ours', (headers) => {
  expect(own(headers as Record<string, string>)).toBe(false)
})

test('no header at all makes an origin of nothing equal to a host of nothing', () => {
  expect(own({ origin: 'http://', host: '' })).toBe(false)
  expect(own({ origin: 'file:///x', host: 'x' })).toBe(false)
})
