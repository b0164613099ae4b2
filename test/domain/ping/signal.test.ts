import { expect, test } from 'bun:test'
import { userAgent } from '../../../src/domain/ping/signal.ts'

test('of what a client says that it is 200 characters are kept, without what a database may refuse', () => {
  expect(userAgent('')).toBe('')
  expect(userAgent('curl/8.5.0')).toBe('curl/8.5.0')
  expect(userAgent('x'.repeat(201))).toBe('x'.repeat(200))
  expect(userAgent('Email from a\u0000b@example.org')).toBe('Email from ab@example.org')
  expect(userAgent(`${'x'.repeat(199)}\u{1f986}`)).toBe(`${'x'.repeat(199)}\ufffd`)
})
