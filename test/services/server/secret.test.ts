import { afterEach, beforeEach, expect, test } from 'bun:test'
import { getOrCreateSecret } from '../../../src/services/server/secret.ts'
import type { Store } from '../../../src/store/store.ts'
import { openStore } from '../../support/databases.ts'
import { type Opened, refusalOf, testRandom } from '../../support/store-builders.ts'

let opened: Opened
let store: Store
beforeEach(async () => {
  opened = await openStore()
  store = opened.store
})
afterEach(() => opened.close())

const settle = (given: string | null) => getOrCreateSecret({ store, random: testRandom }, given)
const refused = async (given: string | null) => {
  const { code, message, data } = await refusalOf(settle(given))
  expect([code, data.setting]).toEqual(['secret-mismatch', 'SECRET_KEY'])
  return [message, data.keepsSecret]
}

test('the first run makes a secret of 32 bytes, and every later run finds it again', async () => {
  const secret = await settle(null)
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(await settle(null)).toBe(secret)
  expect(await settle(secret)).toBe(secret)
})

test('another database has another secret', async () => {
  const other = await openStore()
  expect(await getOrCreateSecret({ store: other.store, random: testRandom }, null)).not.toBe(await settle(null))
  await other.close()
})

test('two first runs at the same moment agree', async () => {
  const [one, two] = await Promise.all([settle(null), settle(null)])
  expect(one).toBe(two)
})

test('a given secret is used and is not written into the database', async () => {
  expect(await settle('given secret')).toBe('given secret')
  expect(await settle('given secret')).toBe('given secret')
  expect(await store.settings.find('secret')).toBeNull()
  expect(await store.settings.find('secret fingerprint')).not.toContain('given secret')
})

test('another given secret is refused', async () => {
  await settle('given secret')
  expect(await refused('other secret')).toEqual([
    'SECRET_KEY differs from the secret that the keys in this database were created with',
    false,
  ])
  expect(await settle('given secret')).toBe('given secret')
})

test('leaving out a secret that was given before is refused', async () => {
  await settle('given secret')
  expect(await refused(null)).toEqual(['this database was created with SECRET_KEY set, but it is not set now', false])
})

test('a given secret is refused when the database keeps its own, and the refusal says so', async () => {
  const secret = await settle(null)
  expect(await refused('given secret')).toEqual([
    'SECRET_KEY differs from the secret that the keys in this database were created with',
    true,
  ])
  expect(await settle(null)).toBe(secret)
})
