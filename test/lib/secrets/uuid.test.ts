/** UUIDs in URLs. */
import { expect, test } from 'bun:test'
import { isUuid, parseUuid } from '../../../src/lib/secrets/uuid.ts'

const ID = '94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b'

const MALFORMED = [
  '',
  'abc',
  ID.replaceAll('-', ''),
  `{${ID}}`,
  `urn:uuid:${ID}`,
  `${ID}\n`,
  `\n${ID}`,
  ` ${ID}`,
  `${ID}0`,
  ID.slice(1),
  ID.replace('9', 'g'),
  ID.replace('-', '_'),
  '94a363e-adf09-4d51-8c1b-2a3f4e5d6c7b',
]

test('a UUID is canonical in lower case only', () => {
  expect([isUuid(ID), isUuid(ID.toUpperCase())]).toEqual([true, false])
})

test('a run id may be in either case, or in both, and of any version', () => {
  expect([ID, ID.toUpperCase(), ID.replace('a', 'A')].map(parseUuid)).toEqual([ID, ID, ID])
  expect(parseUuid('00000000-0000-0000-0000-000000000000')).toBe('00000000-0000-0000-0000-000000000000')
})

test.each(MALFORMED)('%p is neither', (text) => {
  expect([isUuid(text), parseUuid(text)]).toEqual([false, null])
})
