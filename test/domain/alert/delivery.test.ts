import { expect, test } from 'bun:test'
import { keptError } from '../../../src/domain/alert/delivery.ts'

test('of an error 200 characters are kept, without what a database may refuse', () => {
  expect(keptError('550 no such mailbox')).toBe('550 no such mailbox')
  expect(keptError('x'.repeat(201))).toBe('x'.repeat(200))
  expect(keptError('550 \u0000\ud800')).toBe('550 \ufffd')
})
