/** Adding, naming and removing passkeys, with the structures of Web Authentication. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../src/domain/account/account.ts'
import { userHandle } from '../../../../src/domain/account/passkey.ts'
import { requestNewPasskey } from '../../../../src/services/accounts/sign-in/passkey-requests.ts'
import {
  addPasskey,
  getPasskey,
  listPasskeys,
  passkeyRules,
  removePasskey,
  renamePasskey,
} from '../../../../src/services/accounts/sign-in/passkeys.ts'
import { type Claims, type PasskeyDevice, passkeyDevice } from '../../../support/passkey-device.ts'
import { only } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'
import { addTo, ENDED, NOT_ACCEPTED, OF_ANOTHER, ORIGIN, RULES, SESSION, WRONG } from '../passkeys.ts'
import { accountOf, answerOf, codeOf, personAt } from '../people.ts'

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

describe('a new passkey', () => {
  test('is stored with its name and its public part', async () => {
    const added = await add(ann, device, {}, ' Laptop ')
    const { id } = only(device.credentials)
    const own = { id, accountId: ann.id, name: 'Laptop', counter: 1, transports: ['internal', 'hybrid'] }
    expect(added).toMatchObject({ ...own, createdAt: t.clock.now(), lastUsedAt: null })
    expect(await listPasskeys(deps(), personAt(ann))).toEqual([added])
  })

  test('is asked for with what the account has already, so that no device makes a second one', async () => {
    const { id } = await add(ann)
    const { options } = await requestNewPasskey(deps(), RULES, ann, SESSION)
    expect(options).toMatchObject({
      rp: { id: 'overdue.example.org', name: 'Overdue' },
      user: { id: userHandle(ann.id), name: 'ann@example.org' },
      excludeCredentials: [{ type: 'public-key', id, transports: ['internal', 'hybrid'] }],
    })
    expect(userHandle(ann.id)).toMatch(/^[\w-]{22}$/)
  })

  test.each(Object.entries(WRONG))('is refused with %s', async (_, claims) => {
    expect(await answerOf(add(ann, device, claims))).toEqual(NOT_ACCEPTED)
    expect(await listPasskeys(deps(), personAt(ann))).toEqual([])
  })

  test.each(['', '{', 'null', '[]', '{"id":"a","rawId":"a","type":"public-key","response":{}}'])(
    'is refused when the browser sends %j',
    async (response) => {
      const { token } = await requestNewPasskey(deps(), RULES, ann, SESSION)
      const added = addPasskey(deps(), RULES, personAt(ann), SESSION, { token, response }, 'Laptop')
      expect(await answerOf(added)).toEqual(NOT_ACCEPTED)
    },
  )

  test('is refused when it is answered twice, after five minutes, without a cookie, or by another person or session', async () => {
    const request = () => requestNewPasskey(deps(), RULES, ann, SESSION)
    const answer = ({ token, options }: Awaited<ReturnType<typeof request>>) => ({
      token,
      response: device.create(options),
    })
    const tryAdding = (account: Account, session: string, given: { token: string | null; response: string }) =>
      answerOf(addPasskey(deps(), RULES, personAt(account), session, given, 'Laptop'))
    const first = answer(await request())
    await addPasskey(deps(), RULES, personAt(ann), SESSION, first, 'Laptop')
    expect(await tryAdding(ann, SESSION, first)).toEqual(ENDED)
    expect(await tryAdding(ann, SESSION, { ...answer(await request()), token: null })).toEqual(ENDED)
    expect(await tryAdding(bob, SESSION, answer(await request()))).toEqual(OF_ANOTHER)
    expect(await tryAdding(ann, 'another session', answer(await request()))).toEqual(OF_ANOTHER)
    const late = answer(await request())
    t.clock.advance({ minutes: 5 })
    expect(await tryAdding(ann, SESSION, late)).toEqual(ENDED)
    expect(await listPasskeys(deps(), personAt(ann))).toHaveLength(1)
  })

  test('is refused when another account has it', async () => {
    const { id } = await add(ann)
    expect(await codeOf(add(bob, passkeyDevice({ origin: ORIGIN }), { credentialId: id }))).toBe('passkey-exists')
    expect(await listPasskeys(deps(), personAt(bob))).toEqual([])
  })

  test.each(['', '  ', 'x'.repeat(101)])('needs a name, not %j, and may be sent again with another', async (name) => {
    const { token, options } = await requestNewPasskey(deps(), RULES, ann, SESSION)
    const answer = { token, response: device.create(options) }
    const withName = (given: string) => addPasskey(deps(), RULES, personAt(ann), SESSION, answer, given)
    expect(await codeOf(withName(name))).toBe('name-invalid')
    expect((await withName('Phone')).name).toBe('Phone')
  })
})

describe('the passkeys of an account', () => {
  test('are found, renamed and removed by their owner only', async () => {
    const passkey = await add(ann)
    expect(await getPasskey(deps(), personAt(ann), passkey.id)).toEqual(passkey)
    for (const id of [passkey.id, 'unknown', '', '\u0000']) {
      expect(await codeOf(getPasskey(deps(), personAt(bob), id))).toBe('passkey-not-found')
    }
    expect(await codeOf(renamePasskey(deps(), personAt(bob), passkey.id, 'Mine'))).toBe('passkey-not-found')
    expect(await codeOf(removePasskey(deps(), personAt(bob), passkey.id, null))).toBe('passkey-not-found')
    expect(await codeOf(renamePasskey(deps(), personAt(ann), passkey.id, ' '))).toBe('name-invalid')
    await renamePasskey(deps(), personAt(ann), passkey.id, ' Phone ')
    expect(await listPasskeys(deps(), personAt(ann))).toEqual([{ ...passkey, name: 'Phone' }])
    await removePasskey(deps(), personAt(ann), passkey.id, null)
    expect(await listPasskeys(deps(), personAt(ann))).toEqual([])
    const rows = (await deps().store.audit.list(10)).filter(({ subject }) => subject.kind === 'passkey')
    expect(rows.map(({ author }) => author.name)).toEqual(Array(3).fill('ann@example.org'))
  })

  test('are bound to the site, and exist neither where only a provider signs in nor where browsers allow none', () => {
    const { signInRules } = deps()
    expect(passkeyRules({ signInRules })).toEqual(RULES)
    expect(passkeyRules({ signInRules: { ...signInRules, hasLocalSignIn: false } })).toBeNull()
    expect(passkeyRules({ signInRules: { ...signInRules, passkeys: null } })).toBeNull()
  })
})
