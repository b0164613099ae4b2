import { expect, test } from 'bun:test'
import { derivedUuid } from '../../../src/lib/secrets/derived-uuid.ts'
import { isUuid } from '../../../src/lib/secrets/uuid.ts'

test('a derived UUID is that of its text and purpose, and says its version and variant', () => {
  const uuid = derivedUuid('check', 'token')
  expect(isUuid(uuid)).toBe(true)
  expect(uuid).toMatch(/^.{14}8.{4}[89ab]/)
  expect(derivedUuid('check', 'token')).toBe(uuid)
  expect(new Set([uuid, derivedUuid('badge', 'token'), derivedUuid('check', 'token2')]).size).toBe(3)
})
