/** The unique key of a check. */

import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

test('it is the SHA-1 of the first sixteen hex digits of the UUID', () => {
  expect(uniqueKey('94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b')).toBe(sha1('94a363eadf094d51'))
})

test('it does not depend on the rest of the UUID, and differs where the first half does', () => {
  const key = uniqueKey('94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b')
  expect(uniqueKey('94a363ea-df09-4d51-9000-000000000000')).toBe(key)
  expect(uniqueKey('94a363ea-df09-4d52-8c1b-2a3f4e5d6c7b')).not.toBe(key)
})
