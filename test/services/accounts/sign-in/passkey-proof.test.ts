/** Passkeys as proof of a person, with the structures of Web Authentication. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../src/domain/account/account.ts'
import { userHandle } from '../../../../src/domain/account/passkey.ts'
import {
  confirmByPasskey,
  signInByPasskey,
  verifyPasskeyFactor,
} from '../../../../src/services/accounts/sign-in/passkey-proof.ts'
import {
  requestConfirmation,
  requestNewPasskey,
  requestSignIn,
} from '../../../../src/services/accounts/sign-in/passkey-requests.ts'
import { listPasskeys, removePasskey } from '../../../../src/services/accounts/sign-in/passkeys.ts'
import { beginSignIn, findAwaited } from '../../../../src/services/accounts/sign-in/second-factor.ts'
import { findSignedIn, startSession } from '../../../../src/services/accounts/sign-in/sessions.ts'
import { type Claims, type PasskeyDevice, passkeyDevice } from '../../../support/passkey-device.ts'
import { anAuthor, only } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'
import { addTo, ENDED, NOT_ACCEPTED, OF_ANOTHER, ORIGIN, RULES, SESSION, WRONG } from '../passkeys.ts'
import { accountOf, answerOf, BROWSER, personAt } from '../people.ts'

let t: TestApp
let ann: Account
let bob: Account
let device: PasskeyDevice
beforeEach(async () => {
  t = await testApp({ env: { SITE_ROOT: ORIGIN } })
  ann = await accountOf(t, { password: null })
  bob = await accountOf(t, { email: 'bob@example.org', password: null })
  device = passkeyDevice({ origin: ORIGIN })
})
afterEach(() => t.close())

const deps = () => t.app.deps
const add = (account: Account, on = device, claims: Claims = {}, name = 'Laptop') => addTo(t, account, on, claims, name)

async function signIn(on = device, claims: Claims = {}) {
  const { token, options } = await requestSignIn(deps(), RULES)
  return signInByPasskey(deps(), RULES, { token, response: on.get(options, claims) }, BROWSER)
}

const change = (account: Account, over: Partial<Account>) =>
  deps()
    .store.by(anAuthor())
    .accounts.change(account.id, (stored) => ({ ...stored, ...over }), null)

describe('a sign-in by a passkey', () => {
  beforeEach(async () => void (await add(ann)))

  test('names nobody before the browser does', async () => {
    const { options } = await requestSignIn(deps(), RULES)
    expect(options).toMatchObject({ allowCredentials: [], rpId: 'overdue.example.org', userVerification: 'preferred' })
  })

  test('starts a session of whose it is', async () => {
    t.clock.advance({ minutes: 1 })
    const { session, account, token } = await signIn()
    expect(account.id).toBe(ann.id)
    expect(session).toMatchObject({ accountId: ann.id, method: 'passkey', confirmedAt: t.clock.now() })
    expect((await findSignedIn(deps(), token))?.account.id).toBe(ann.id)
    expect(await listPasskeys(deps(), personAt(ann))).toMatchObject([{ counter: 2, lastUsedAt: t.clock.now() }])
  })

  test('needs no second factor if the device has recognised the person, else that of the account', async () => {
    expect((await signIn(device, { isVerified: false })).session).not.toBeNull()
    await change(ann, { totp: { secret: 'A'.repeat(32), usedStep: null } })
    expect((await signIn(device, { isVerified: true })).session).not.toBeNull()
    const awaited = await signIn(device, { isVerified: false })
    expect(awaited).toMatchObject({ session: null, account: { id: ann.id } })
    expect(await findAwaited(deps(), awaited.token)).toMatchObject({ method: 'passkey' })
  })

  test.each(Object.entries(WRONG))('is refused with %s', async (_, claims) => {
    expect(await answerOf(signIn(device, claims))).toEqual(NOT_ACCEPTED)
  })

  test('is refused in the same words for a passkey that nobody has, that was removed, or of a suspended account', async () => {
    const stranger = passkeyDevice({ origin: ORIGIN })
    stranger.create((await requestNewPasskey(deps(), RULES, bob, SESSION)).options)
    expect(await answerOf(signIn(stranger))).toEqual(NOT_ACCEPTED)
    await change(ann, { isSuspended: true })
    expect(await answerOf(signIn())).toEqual(NOT_ACCEPTED)
    await removePasskey(deps(), personAt(ann), only(device.credentials).id, null)
    expect(await answerOf(signIn())).toEqual(NOT_ACCEPTED)
  })

  test('is refused by another key, and with the name of another account or none', async () => {
    const thief = passkeyDevice({ origin: ORIGIN })
    await add(bob, thief)
    thief.stealIds(device)
    expect(await answerOf(signIn(thief, { counter: 99 }))).toEqual(NOT_ACCEPTED)
    for (const handle of [userHandle(bob.id), null, '']) {
      expect(await answerOf(signIn(device, { userHandle: handle }))).toEqual(NOT_ACCEPTED)
    }
  })

  test('is refused with a counter that does not grow, and goes on with one that does', async () => {
    await signIn(device, { counter: 10 })
    for (const counter of [0, 9, 10]) expect(await answerOf(signIn(device, { counter }))).toEqual(NOT_ACCEPTED)
    expect((await signIn(device, { counter: 11 })).account.id).toBe(ann.id)
  })

  test('works without a counter, as passkeys on several devices do', async () => {
    const phone = passkeyDevice({ origin: ORIGIN, counter: 0 })
    await add(bob, phone)
    for (let n = 0; n < 2; n++) expect((await signIn(phone)).account.id).toBe(bob.id)
  })

  test('counts once, also of two at once, and for five minutes', async () => {
    const { token, options } = await requestSignIn(deps(), RULES)
    const answer = { token, response: device.get(options) }
    const both = [answer, answer].map((given) =>
      signInByPasskey(deps(), RULES, given, BROWSER).then(
        ({ account }) => account.id,
        (error) => error.code,
      ),
    )
    expect((await Promise.all(both)).toSorted()).toEqual([ann.id, 'passkey-refused'].toSorted())
    const late = await requestSignIn(deps(), RULES)
    t.clock.advance({ minutes: 5 })
    const tooLate = signInByPasskey(deps(), RULES, { token: late.token, response: device.get(late.options) }, BROWSER)
    expect(await answerOf(tooLate)).toEqual(ENDED)
  })

  test('is refused with a request that was made for something else', async () => {
    const other = await requestConfirmation(deps(), RULES, ann.id, SESSION)
    const proven = signInByPasskey(deps(), RULES, { token: other.token, response: device.get(other.options) }, BROWSER)
    expect(await answerOf(proven)).toEqual(ENDED)
  })

  test.each(['', '{', '{"id":"a","rawId":"a","type":"public-key","response":{}}', '"\\u0000"'])(
    'is refused when the browser sends %j',
    async (response) => {
      const { token } = await requestSignIn(deps(), RULES)
      expect(await answerOf(signInByPasskey(deps(), RULES, { token, response }, BROWSER))).toEqual(NOT_ACCEPTED)
    },
  )
})

describe('a confirmation by a passkey', () => {
  const sessionOf = async (account: Account) =>
    (await startSession(deps(), account, BROWSER, { method: 'link' })).session
  const ask = async (account: Account, within: string, on = device, claims: Claims = {}) => {
    const { token, options } = await requestConfirmation(deps(), RULES, account.id, within)
    return { token, response: on.get(options, claims) }
  }

  test('confirms the session by those of the account, with or without its name, and by no others', async () => {
    await add(ann)
    const other = passkeyDevice({ origin: ORIGIN })
    await add(bob, other)
    const session = await sessionOf(ann)
    const { options } = await requestConfirmation(deps(), RULES, ann.id, session.lookup)
    expect(options.allowCredentials).toMatchObject([{ id: only(device.credentials).id }])
    for (const claims of [{}, { userHandle: null }]) {
      const given = await ask(ann, session.lookup, other, claims)
      expect(await answerOf(confirmByPasskey(deps(), RULES, session, given))).toEqual(NOT_ACCEPTED)
    }
    expect((await deps().store.sessions.find(session.lookup))?.session.confirmedAt).toBeNull()
    for (const claims of [{}, { userHandle: null, isVerified: false }]) {
      t.clock.advance({ minutes: 1 })
      await confirmByPasskey(deps(), RULES, session, await ask(ann, session.lookup, device, claims))
      expect((await deps().store.sessions.find(session.lookup))?.session.confirmedAt).toEqual(t.clock.now())
    }
  })

  test('is for the session in which it was asked for, once', async () => {
    await add(ann)
    const [session, another, bobs] = [await sessionOf(ann), await sessionOf(ann), await sessionOf(bob)]
    const first = await ask(ann, session.lookup)
    expect(await answerOf(confirmByPasskey(deps(), RULES, another, first))).toEqual(OF_ANOTHER)
    expect(await answerOf(confirmByPasskey(deps(), RULES, session, first))).toEqual(ENDED)
    const second = await ask(ann, bobs.lookup)
    expect(await answerOf(confirmByPasskey(deps(), RULES, bobs, second))).toEqual(OF_ANOTHER)
  })
})

describe('a second factor by a passkey', () => {
  const begin = async (method: 'link' | 'passkey') => {
    await change(ann, { totp: { secret: 'A'.repeat(32), usedStep: null } })
    const account = await deps().store.accounts.find(ann.id)
    const { token } = await beginSignIn(deps(), account ?? ann, BROWSER, { method })
    const awaited = await findAwaited(deps(), token)
    if (!awaited) throw new Error('nothing is awaited')
    return awaited
  }
  const verify = async (awaited: Awaited<ReturnType<typeof begin>>, within = awaited.lookup, claims: Claims = {}) => {
    const { token, options } = await requestConfirmation(deps(), RULES, ann.id, within)
    return verifyPasskeyFactor(deps(), RULES, awaited, { token, response: device.get(options, claims) })
  }
  beforeEach(async () => void (await add(ann)))

  test('counts for the sign-in that awaits it', async () => {
    const awaited = await begin('link')
    expect(await verify(awaited, awaited.lookup, { isVerified: false })).toBe('passkey')
    expect(await answerOf(verify(awaited, SESSION))).toEqual(OF_ANOTHER)
  })

  test('is not the same passkey again', async () => {
    expect(await answerOf(verify(await begin('passkey')))).toEqual(NOT_ACCEPTED)
  })
})
