import { afterEach, beforeEach, expect, test } from 'bun:test'
import { UserError } from '../../src/domain/errors.ts'
import { settleSecret } from '../../src/services/secret.ts'
import type { Store } from '../../src/store/store.ts'
import { openMemory } from '../support/sqlite.ts'
import { rejection, testRandom } from '../support/store-builders.ts'

let store: Store
beforeEach(async () => {
  store = (await openMemory()).store
})
afterEach(() => store.close())

const settle = (given: string | null) => settleSecret({ store, random: testRandom }, given)
const refused = async (given: string | null) => {
  const error = await rejection(settle(given))
  if (!(error instanceof UserError)) throw error
  return [error.message, error.hint]
}

test('the first run makes a secret of 32 bytes, and every later run finds it again', async () => {
  const secret = await settle(null)
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(await settle(null)).toBe(secret)
  expect(await settle(secret)).toBe(secret)
})

test('another database has another secret', async () => {
  const other = (await openMemory()).store
  expect(await settleSecret({ store: other, random: testRandom }, null)).not.toBe(await settle(null))
  await other.close()
})

test('two first runs at the same moment agree', async () => {
  const [one, two] = await Promise.all([settle(null), settle(null)])
  expect(one).toBe(two)
})

test('a given secret is used and is not written into the database', async () => {
  expect(await settle('given secret')).toBe('given secret')
  expect(await settle('given secret')).toBe('given secret')
  expect(await store.findSetting('secret')).toBeNull()
  expect(await store.findSetting('secret fingerprint')).not.toContain('given secret')
})

test('another given secret is refused with what to do', async () => {
  await settle('given secret')
  expect(await refused('other secret')).toEqual([
    'SECRET_KEY is not the secret that the keys in this database were made with',
    'set the SECRET_KEY of before',
  ])
  expect(await settle('given secret')).toBe('given secret')
})

test('no secret where one was given before is refused with what to do', async () => {
  await settle('given secret')
  expect(await refused(null)).toEqual([
    'this database was made with SECRET_KEY set, and now it is not',
    'set the same SECRET_KEY again',
  ])
})

test('a given secret where the database keeps its own is refused with what to do', async () => {
  const secret = await settle(null)
  expect(await refused('given secret')).toEqual([
    'SECRET_KEY is not the secret that the keys in this database were made with',
    'leave SECRET_KEY unset: this database keeps its own secret',
  ])
  expect(await settle(null)).toBe(secret)
})
