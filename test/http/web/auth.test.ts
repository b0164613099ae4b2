/** Signed-in people, by a cookie or by the header of a proxy. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createClientReader, type Sockets } from '../../../src/http/client.ts'
import { createAuth } from '../../../src/http/web/auth.ts'
import { startSession } from '../../../src/services/accounts/sign-in/sessions.ts'
import { addAccount } from '../../support/browser.ts'
import { anAuthor, refusalOf } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const PROXY = '10.0.0.1'
const OUTSIDE = '203.0.113.9'
const HEADER = 'x-remote-user'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const from = (address: string): Sockets => ({ requestIP: () => ({ address }) })
const peopleOf = (remoteUserHeader: string | null) =>
  createAuth({ ...t.app.deps, clients: createClientReader(['10.0.0.0/8']), remoteUserHeader })
const asked = (headers: Readonly<Record<string, string>>) => new Request('http://localhost/', { headers })

describe('by a session', () => {
  const begin = async () => {
    const account = await addAccount(t, { email: 'ann@example.org' })
    const { token } = await startSession(
      t.app.deps,
      account,
      { address: '192.0.2.1', userAgent: 'Firefox' },
      { method: 'link' },
    )
    return { account, cookie: { cookie: `overdue_session=${token}` } }
  }

  test('the person is the account of the cookie, at the address of the client', async () => {
    const { account, cookie } = await begin()
    const forwarded = { ...cookie, 'x-forwarded-for': OUTSIDE }
    const auth = peopleOf(null)
    expect(await auth.identify(asked(forwarded), from(PROXY))).toMatchObject({
      account: { id: account.id },
      session: { accountId: account.id },
      person: { kind: 'person', accountId: account.id, email: 'ann@example.org', address: OUTSIDE },
    })
    expect((await auth.identify(asked(forwarded), from('198.51.100.7')))?.person.address).toBe('198.51.100.7')
    expect((await auth.identify(asked(cookie), null))?.person.address).toBeNull()
  })

  test('without a cookie, or with one that is unknown or broken, nobody is signed in', async () => {
    await begin()
    for (const cookie of ['', 'a=b', 'overdue_session=', `overdue_session=${'A'.repeat(43)}`, 'overdue_session=%00']) {
      expect(await peopleOf(null).identify(asked({ cookie }), from(PROXY))).toBeNull()
    }
  })

  test('where people sign in at the provider only, no session goes on that began in another way, but one by a printed link', async () => {
    const account = await addAccount(t)
    const passwordHash = account.passwordHash ?? ''
    await t.app.deps.store.by(anAuthor()).accounts.change(account.id, (stored) => ({ ...stored, passwordHash }), null)
    const browser = { address: null, userAgent: '' }
    const found: string[] = []
    for (const by of [
      { method: 'password', passwordHash } as const,
      ...(['passkey', 'link', 'printed-link', 'oidc'] as const).map((method) => ({ method })),
    ]) {
      const { token } = await startSession(t.app.deps, account, browser, by)
      const cookie = { cookie: `overdue_session=${token}` }
      expect(await peopleOf(null).identify(asked(cookie), null)).not.toBeNull()
      const signInRules = { ...t.app.deps.signInRules, hasLocalSignIn: false }
      const auth = createAuth({
        ...t.app.deps,
        signInRules,
        clients: createClientReader([]),
        remoteUserHeader: null,
      })
      const ways = await Promise.all([auth.identify(asked(cookie), null), auth.recall(asked(cookie), null)])
      if (ways.every((way) => way !== null)) found.push(by.method)
      else expect(ways).toEqual([null, null])
    }
    expect(found).toEqual(['printed-link', 'oidc'])
  })

  test('the header of a proxy means nothing', async () => {
    await begin()
    expect(await peopleOf(null).identify(asked({ [HEADER]: 'ann@example.org' }), from(PROXY))).toBeNull()
  })

  test('the session records when and where it was last used, every five minutes', async () => {
    const { account, cookie } = await begin()
    const used = async () => {
      await peopleOf(null).identify(asked(cookie), from(OUTSIDE))
      const [session] = await t.app.deps.store.sessions.list(account.id)
      return [session?.lastSeenAt.toString(), session?.address]
    }
    t.clock.advance({ seconds: 299 })
    expect(await used()).toEqual(['2026-03-04T12:00:00Z', '192.0.2.1'])
    t.clock.advance({ seconds: 1 })
    expect(await used()).toEqual(['2026-03-04T12:05:00Z', OUTSIDE])
  })

  test('a look that is no request leaves the session as it is', async () => {
    const { account, cookie } = await begin()
    const before = await t.app.deps.store.sessions.list(account.id)
    t.clock.advance({ hours: 1 })
    const recalled = await peopleOf(null).recall(asked(cookie), from(OUTSIDE))
    expect(recalled?.account.id).toBe(account.id)
    expect(await t.app.deps.store.sessions.list(account.id)).toEqual(before)
  })
})

describe('by the header of a proxy', () => {
  const identify = (email: string, address: string | null = PROXY, headers = {}) =>
    peopleOf(HEADER).identify(asked({ [HEADER]: email, ...headers }), address === null ? null : from(address))

  test('the person is whom a trusted proxy names, without a session', async () => {
    const { id } = await addAccount(t, { email: 'ann@example.org' })
    expect(await identify(' Ann@Example.org', PROXY, { 'x-forwarded-for': OUTSIDE })).toMatchObject({
      account: { id },
      session: null,
      person: { accountId: id, address: OUTSIDE },
    })
  })

  test.each([
    ['another address', OUTSIDE, {}],
    ['another address that claims to be the proxy', OUTSIDE, { 'x-forwarded-for': PROXY }],
    ['no socket', null, {}],
    ['what is no address', 'unix', {}],
  ] as const)('%s is not believed', async (_, address, headers) => {
    await addAccount(t, { email: 'ann@example.org' })
    expect(await identify('ann@example.org', address, headers)).toBeNull()
    expect(await identify('new@example.org', address, headers)).toBeNull()
    expect(await t.app.deps.store.accounts.list()).toHaveLength(1)
  })

  test('a look that is no request makes no account', async () => {
    await addAccount(t, { email: 'ann@example.org' })
    const recall = (email: string) => peopleOf(HEADER).recall(asked({ [HEADER]: email }), from(PROXY))
    expect((await recall('ann@example.org'))?.account.email).toBe('ann@example.org')
    expect(await recall('bob@example.org')).toBeNull()
    expect(await t.app.deps.store.accounts.list()).toHaveLength(1)
  })

  test('no name is nobody, and several names or other text are refused', async () => {
    await addAccount(t, { email: 'ann@example.org' })
    expect(await identify('')).toBeNull()
    for (const email of ['ann', 'ann@example.org, eve@example.org', '<b>@example.org']) {
      expect(await refusalOf(identify(email))).toMatchObject({ code: 'email-invalid' })
    }
  })

  test('a session from before counts no more', async () => {
    const account = await addAccount(t, { email: 'ann@example.org' })
    const { token } = await startSession(t.app.deps, account, { address: null, userAgent: '' }, { method: 'link' })
    const request = asked({ cookie: `overdue_session=${token}` })
    expect(await peopleOf(HEADER).identify(request, from(PROXY))).toBeNull()
  })
})
