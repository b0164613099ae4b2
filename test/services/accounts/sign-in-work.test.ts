/** Signing in by password takes the same work whether the account exists or not. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { PasswordHasher } from '../../../src/lib/secrets/password-hasher.ts'
import { signIn } from '../../../src/services/accounts/sign-in/sign-in.ts'
import { addAccount } from '../../support/browser.ts'
import { refusalOf } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const PASSWORD = 'tide-lamp-orchard'
const BROWSER = { address: '192.0.2.1', userAgent: 'Firefox' }

let t: TestApp
/** for each verification in order, whether it had a hash to compare with */
let verified: boolean[]
let hashed: number
beforeEach(async () => {
  t = await testApp()
  verified = []
  hashed = 0
  await addAccount(t, { email: 'ann@example.org' }, PASSWORD)
  await addAccount(t, { email: 'bob@example.org' })
})
afterEach(() => t.close())

/** Wraps the real hasher, and counts its work. */
const counting = (): PasswordHasher => {
  const { passwords } = t.app.deps
  return {
    ...passwords,
    hash(password, turn) {
      hashed++
      return passwords.hash(password, turn)
    },
    verify(password, hash, turn) {
      verified.push(hash !== null)
      return passwords.verify(password, hash, turn)
    },
  }
}
const tryWith = (email: string, password = 'not the password') =>
  signIn({ ...t.app.deps, passwords: counting() }, email, password, BROWSER)

describe('one verification, and no other work, is done', () => {
  test.each([
    ['a wrong password', 'ann@example.org', true],
    ['an unknown email', 'nobody@example.org', false],
    ['an account without a password', 'bob@example.org', false],
    ['a text that is no email', 'nobody', false],
    ['no text', '', false],
  ])('for %s', async (_, email, hasHash) => {
    expect(await refusalOf(tryWith(email))).toMatchObject({
      code: 'sign-in-failed',
      message: 'email and password do not match',
      data: { triesLeft: 4, waitSeconds: 900 },
    })
    expect([verified, hashed]).toEqual([[hasHash], 0])
  })

  test('for the right password', async () => {
    expect((await tryWith('ann@example.org', PASSWORD)).account.email).toBe('ann@example.org')
    expect([verified, hashed]).toEqual([[true], 0])
  })
})

test('after too many failures nothing is verified, for a known email as for an unknown one', async () => {
  for (const email of ['ann@example.org', 'nobody@example.org']) {
    for (let tries = 0; tries < 5; tries++) await refusalOf(tryWith(email))
    verified = []
    expect(await refusalOf(tryWith(email, PASSWORD))).toMatchObject({
      code: 'over-limit',
      data: { retryAfterSeconds: 900 },
    })
    expect(verified).toEqual([])
  }
})

test('an account id is no email', async () => {
  const account = await t.app.deps.store.accounts.find('ann@example.org')
  expect(await refusalOf(tryWith(account?.id ?? '', PASSWORD))).toMatchObject({ code: 'sign-in-failed' })
  expect(verified).toEqual([false])
})

test('a hash that is malformed lets nobody in', async () => {
  await addAccount(t, { email: 'eve@example.org', passwordHash: '' })
  expect(await refusalOf(tryWith('eve@example.org', ''))).toMatchObject({ code: 'sign-in-failed' })
})

describe('the hash of an account that came from another program', () => {
  /** Hash of `correct horse`, as Django makes it. */
  const FOREIGN = 'pbkdf2_sha256$1000$aSaltOfDjango$NvYdhsMXv1W6H+8eYZtBMUlbQwcIMLc366lg74t/sRE='
  const stored = async () => (await t.app.deps.store.accounts.find('carol@example.org'))?.passwordHash
  beforeEach(() => addAccount(t, { email: 'carol@example.org', passwordHash: FOREIGN }))

  test('is replaced by one of ours at the first sign-in, and the sessions that it has stay', async () => {
    expect((await tryWith('carol@example.org', 'correct horse')).session).not.toBeNull()
    expect(await stored()).toStartWith('$argon2id$')
    expect((await tryWith('carol@example.org', 'correct horse')).session).not.toBeNull()
    expect(hashed).toBe(1)
    const account = await t.app.deps.store.accounts.find('carol@example.org')
    expect(await t.app.deps.store.sessions.list(account?.id ?? '')).toHaveLength(2)
  })

  test('stays after a wrong password, which costs one verification', async () => {
    expect(await refusalOf(tryWith('carol@example.org'))).toMatchObject({ code: 'sign-in-failed' })
    expect([await stored(), verified, hashed]).toEqual([FOREIGN, [true], 0])
  })
})
