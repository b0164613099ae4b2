import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../src/domain/account/account.ts'
import { Refusal } from '../../../../src/domain/errors.ts'
import { isoSeconds } from '../../../../src/lib/time.ts'
import { invite } from '../../../../src/services/accounts/invitations.ts'
import { beginOidc, finishOidc, type OidcPurpose } from '../../../../src/services/accounts/sign-in/oidc.ts'
import { confirmLink } from '../../../../src/services/accounts/sign-in/oidc-link.ts'
import { startSession } from '../../../../src/services/accounts/sign-in/sessions.ts'
import { type HandClock, handClock } from '../../../support/clock.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type Consent,
  type OpenIdProvider,
  openProvider,
} from '../../../support/openid-provider.ts'
import { anAuthor, refusalOf } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'
import { accountOf, BROWSER } from '../people.ts'

let provider: OpenIdProvider
let t: TestApp
/** clock of the app, which the provider uses, too */
let clock: HandClock = handClock()
beforeAll(async () => {
  provider = await openProvider(() => clock.now())
})
afterAll(() => provider.stop())
afterEach(() => t.close())

const ANN = { email: 'ann@example.org', email_verified: true }

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  clock = handClock()
  provider.metadata = {}
  provider.requests.length = 0
  const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET }
  t = await testApp({ clock, env: { ...settings, OIDC_NAME: 'Harbour', ...env } })
}

/** Creates an earlier account, so that the next one is not the first. */
const somebody = () => accountOf(t, { email: 'somebody@example.org', isAdministrator: true })

const begin = (purpose: OidcPurpose = 'sign-in', account: Awaited<ReturnType<typeof accountOf>> | null = null) =>
  beginOidc(t.app.deps, { purpose, next: '/projects', account }, BROWSER)

async function signIn(consent: Consent = { claims: ANN }) {
  const { url, token } = await begin()
  const end = await finishOidc(t.app.deps, token, provider.authorize(url, consent), null, BROWSER)
  if (end.kind !== 'signed-in') throw new Error(end.kind)
  return end.session
}

const words = async (asked: Promise<unknown>) => {
  const { code, message } = await refusalOf(asked)
  return [code, message]
}
const foreign = ['oidc-refused', 'the answer from Harbour does not belong to this sign-in; begin again']
const ended = [
  'oidc-refused',
  'this sign-in has ended, took longer than ten minutes, or began at an address other than http://localhost:8000; begin again',
]
const rows = async () =>
  (await t.app.deps.store.audit.list(100)).map(({ action, subject }) => `${action} ${subject.kind}`)

describe('who signs in for the first time', () => {
  test('gets an account without a password and a place in no project, and the same one later, under any email', async () => {
    await start()
    await somebody()
    const { account, session } = await signIn()
    expect([account.email, account.passwordHash, account.isEmailConfirmed]).toEqual(['ann@example.org', null, true])
    expect([session.method, session.confirmedAt, session.address]).toEqual(['oidc', null, BROWSER.address])
    expect(await t.app.deps.store.projects.listOfPerson(account.id, false)).toEqual([])
    const later = await signIn({ claims: { email: 'other@example.org', email_verified: true } })
    expect(later.account.id).toBe(account.id)
    expect(await rows()).toContain('create identity')
  })

  test.each([{ isEmailConfirmed: true }, { isEmailConfirmed: true, passwordHash: null }])(
    'gets the account of a confirmed address: %j',
    async (over) => {
      await start()
      const ann = await accountOf(t, over)
      const { account } = await signIn()
      expect(account.id).toBe(ann.id)
      expect(await t.app.deps.store.identities.list(ann.id)).toHaveLength(1)
    },
  )

  test('does not get the account of an address that nobody has confirmed', async () => {
    await start()
    const ann = await accountOf(t, { isEmailConfirmed: false })
    expect(await words(signIn())).toEqual([
      'oidc-refused',
      'an account of ann@example.org exists already, but its owner has not confirmed the address yet; sign in to it, then link it under Account, Security',
    ])
    expect(await t.app.deps.store.identities.list(ann.id)).toEqual([])
  })

  test.each([false, 'false', 'yes', 0, null, undefined])(
    'is refused with an email that is verified: %p',
    async (is) => {
      await start()
      await accountOf(t)
      const [code, message] = await words(signIn({ claims: { ...ANN, email_verified: is } }))
      expect([code, message]).toEqual([
        'oidc-refused',
        'Harbour does not report ann@example.org as verified; verify it there, or ask the administrator of Harbour',
      ])
    },
  )

  test.each([undefined, '', 'ann', 7, `${'x'.repeat(250)}@example.org`])(
    'is refused with the email %p',
    async (email) => {
      await start()
      await somebody()
      expect((await words(signIn({ claims: { email_verified: true, email } })))[1]).toStartWith(
        'Harbour sent no usable email',
      )
    },
  )

  test.each(['kate@example.org\n', ' kate@example.org', '\u212aate@example.org', 'kate@example.org\ufeff'])(
    'is refused with the verified email %j, which only resembles that of an account',
    async (email) => {
      await start()
      await accountOf(t, { email: 'kate@example.org' })
      const [code] = await words(signIn({ claims: { sub: '43', email, email_verified: true } }))
      expect(code).toBe('oidc-refused')
      expect(
        (await signIn({ claims: { sub: '44', email: 'Kate@Example.org', email_verified: true } })).account.email,
      ).toBe('kate@example.org')
    },
  )

  test('is refused when accounts are not made', async () => {
    await start({ OIDC_CREATE_ACCOUNTS: 'False' })
    await somebody()
    expect(await words(signIn())).toEqual([
      'oidc-refused',
      'there is no account of ann@example.org; ask an administrator of this server to create it',
    ])
  })

  test('makes an account for who was invited by an email to that address, while the invitation works', async () => {
    await start({ OIDC_CREATE_ACCOUNTS: 'False', EMAIL_HOST: 'mail.example.org' })
    await somebody()
    await invite(t.app.deps, t.actor, 'member', 'other@example.org')
    expect((await words(signIn()))[0]).toBe('oidc-refused')
    await invite(t.app.deps, t.actor, 'member', ANN.email)
    expect((await words(signIn({ claims: { ...ANN, email_verified: false } })))[0]).toBe('oidc-refused')
    expect((await signIn()).account.email).toBe(ANN.email)
    await invite(t.app.deps, t.actor, 'member', 'late@example.org')
    clock.advance({ hours: 7 * 24 })
    const late = { sub: '44', email: 'late@example.org', email_verified: true }
    expect((await words(signIn({ claims: late })))[0]).toBe('oidc-refused')
  })

  test('is refused while there is no account at all, unless in the group that administers', async () => {
    await start({ OIDC_ADMIN_GROUP: 'ops' })
    expect((await words(signIn()))[1]).toStartWith('this server has no account yet')
    const { account } = await signIn({ claims: { ...ANN, groups: ['ops'] } })
    expect(account.isAdministrator).toBe(true)
    const [first] = await t.app.deps.store.projects.listOfPerson(account.id, false)
    expect(first?.role).toBe('owner')
  })
})

describe('an account that is suspended', () => {
  test.each(['by its identity', 'by its email'])('is refused, found %s', async (how) => {
    await start()
    await somebody()
    const id = how === 'by its email' ? (await accountOf(t)).id : (await signIn()).account.id
    await t.app.deps.store.by(anAuthor()).accounts.change(id, (account) => ({ ...account, isSuspended: true }), null)
    expect(await words(signIn())).toEqual([
      'oidc-refused',
      'you cannot sign in here; ask an administrator of this server',
    ])
  })
})

describe('the group that administers', () => {
  const groups = (...names: string[]) => signIn({ claims: { ...ANN, teams: names } })

  test('makes administrators at each sign-in, and takes that away, but never from the last one', async () => {
    await start({ OIDC_ADMIN_GROUP: 'ops', OIDC_GROUPS_CLAIM: 'teams' })
    const other = await somebody()
    expect((await groups('dev')).account.isAdministrator).toBe(false)
    expect((await groups('dev', 'ops')).account.isAdministrator).toBe(true)
    expect((await signIn({ claims: { ...ANN, teams: 'ops' } })).account.isAdministrator).toBe(true)
    expect((await groups('ops-too')).account.isAdministrator).toBe(false)
    await groups('ops')
    await t.app.deps.store.by(anAuthor()).accounts.delete(other.id)
    expect((await signIn()).account.isAdministrator).toBe(true)
  })

  test('says nothing when none is set', async () => {
    await start()
    await accountOf(t, { isAdministrator: true })
    expect((await signIn({ claims: { ...ANN, groups: [] } })).account.isAdministrator).toBe(true)
  })

  test('is read from the user info when the ID token has none', async () => {
    await start({ OIDC_ADMIN_GROUP: 'ops' })
    await somebody()
    expect((await signIn({ claims: ANN, more: { groups: ['ops'] } })).account.isAdministrator).toBe(true)
  })
})

test('What says that an email is verified counts only for the email beside it', async () => {
  await start()
  await somebody()
  const claims = { sub: '42', email: 'victim@example.org' }
  const verified = (email: string) => signIn({ claims, more: { email, email_verified: true } })
  for (const other of ['mallory@example.org', 'v\u0130ctim@example.org', 'victim@example.org ']) {
    expect((await refusalOf(verified(other))).code).toBe('oidc-refused')
  }
  expect((await verified('Victim@example.org')).account.email).toBe('victim@example.org')
})

describe('an answer is refused', () => {
  const finish = (token: string | null, answer: URLSearchParams) =>
    words(finishOidc(t.app.deps, token, answer, null, BROWSER))

  test('in a browser that has begun nothing, or after ten minutes', async () => {
    await start()
    await somebody()
    const { url, token } = await begin()
    const answer = provider.authorize(url, { claims: ANN })
    for (const other of [null, '', 'x', 'A'.repeat(43)]) expect(await finish(other, answer)).toEqual(ended)
    clock.advance({ minutes: 10 })
    expect(await finish(token, answer)).toEqual(ended)
  })

  test('the second time', async () => {
    await start()
    await somebody()
    const { url, token } = await begin()
    const answer = provider.authorize(url, { claims: ANN })
    await finishOidc(t.app.deps, token, answer, null, BROWSER)
    expect(await finish(token, answer)).toEqual(ended)
  })

  test('with the state or the code of another sign-in, without one, and from another issuer', async () => {
    await start()
    await somebody()
    const wrong: readonly [string, string | null][] = [
      ['state', 'x'],
      ['state', null],
      ['code', 'x'],
      ['code', null],
      ['iss', 'https://evil.example.org'],
      ['iss', null],
    ]
    for (const [name, value] of wrong) {
      const { url, token } = await begin()
      const answer = provider.authorize(url, { claims: ANN })
      if (value === null) answer.delete(name)
      else answer.set(name, value)
      expect([name, value, ...(await finish(token, answer))]).toEqual([name, value, ...foreign])
    }
    const [mine, other] = [await begin(), await begin()]
    const swapped = provider.authorize(mine.url, { claims: ANN })
    swapped.set('code', provider.authorize(other.url, { claims: ANN }).get('code') ?? '')
    expect(await finish(mine.token, swapped)).toEqual(foreign)
  })

  test('of a foreign state leaves the sign-in that is under way', async () => {
    await start()
    await somebody()
    const { url, token } = await begin()
    const answer = provider.authorize(url, { claims: ANN })
    expect(await finish(token, new URLSearchParams({ state: 'x', code: 'y' }))).toEqual(foreign)
    expect((await finishOidc(t.app.deps, token, answer, null, BROWSER)).kind).toBe('signed-in')
  })

  test.each<Consent>([
    { isForged: true },
    { claims: { nonce: 'another' } },
    { claims: { nonce: undefined } },
    { claims: { iss: 'https://evil.example.org' } },
    { claims: { aud: 'another client' } },
    { claims: { exp: 1 } },
    { claims: { sub: undefined } },
  ])('with the ID token %j', async (consent) => {
    await start()
    await somebody()
    expect(await words(signIn({ ...consent, claims: { ...ANN, ...consent.claims } }))).toEqual(foreign)
    expect(t.log.at(-1)?.message).toBe('a sign-in at the OpenID provider was refused')
  })

  test('without a subject that can be kept', async () => {
    await start()
    await somebody()
    expect((await words(signIn({ claims: { ...ANN, sub: 'ü' } })))[1]).toStartWith(
      'Harbour sent an identity that this server cannot store',
    )
  })

  test('that says no, in the words of the provider', async () => {
    await start()
    const { url, token } = await begin()
    const { searchParams } = new URL(url)
    const answer = new URLSearchParams({
      error: 'access_denied',
      state: searchParams.get('state') ?? '',
      iss: provider.issuer,
    })
    expect(await finish(token, answer)).toEqual([
      'oidc-refused',
      'Harbour did not sign you in; it says "access_denied"',
    ])
  })
})

describe('a provider that does not answer', () => {
  const down = ['oidc-unavailable', 'Harbour does not answer; try again in a minute']

  test('is asked again by the next sign-in', async () => {
    await start()
    await somebody()
    provider.metadata = null
    expect(await words(begin())).toEqual(down)
    provider.metadata = {}
    expect((await signIn()).account.email).toBe('ann@example.org')
  })

  test('is told when the code is exchanged, too', async () => {
    await start()
    const { url, token } = await begin()
    provider.metadata = null
    const answer = provider.authorize(url)
    expect(await words(finishOidc(t.app.deps, token, answer, null, BROWSER))).toEqual(down)
    expect(t.log.at(-1)).toEqual({
      level: 'warning',
      message: 'the OpenID provider does not answer',
      details: { reason: expect.stringContaining('503') },
    })
  })

  test('names another issuer than the settings', async () => {
    await start()
    provider.metadata = { issuer: 'https://evil.example.org' }
    expect(await words(begin())).toEqual(down)
    expect(JSON.stringify(t.log.at(-1)?.details)).toContain('OIDC_ISSUER')
  })

  test('may end its own name with a slash', async () => {
    await start()
    provider.metadata = { issuer: `${provider.issuer}/` }
    expect((await begin()).url).toStartWith(`${provider.issuer}/authorize`)
  })
})

test('What the provider says of itself is read once an hour', async () => {
  await start()
  await somebody()
  const asked = () => provider.requests.filter((request) => request.includes('well-known')).length
  await Promise.all([begin(), begin()])
  await signIn()
  expect(asked()).toBe(1)
  clock.advance({ hours: 1 })
  await begin()
  expect(asked()).toBe(2)
})

test('Each network may begin 300 sign-ins within ten minutes', async () => {
  await start()
  for (let count = 0; count < 300; count += 1) t.app.deps.signInLimits.beginElsewhere(BROWSER.address)
  expect((await refusalOf(begin())).data).toEqual({ retryAfterSeconds: 600 })
})

describe('who is signed in', () => {
  async function here() {
    const { account, session } = await signIn()
    return { account, session }
  }
  const prove = async (given: Awaited<ReturnType<typeof here>>, claims: Readonly<Record<string, unknown>>) => {
    const { url, token } = await begin('confirm', given.account)
    const answer = provider.authorize(url, { claims: { ...ANN, ...claims } })
    return finishOidc(t.app.deps, token, answer, given, BROWSER)
  }
  const seconds = () => Math.floor(clock.now().epochMilliseconds / 1000)
  const confirmedAt = async (lookup: string) =>
    (await t.app.deps.store.sessions.find(lookup))?.session.confirmedAt ?? null

  test('proves again who it is, when the provider says that it has asked', async () => {
    await start()
    await somebody()
    const given = await here()
    clock.advance({ hours: 2 })
    const { url } = await begin('confirm', given.account)
    const { searchParams } = new URL(url)
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0'])
    expect(await prove(given, { auth_time: seconds() })).toEqual({ kind: 'confirmed', next: '/projects' })
    const at = await confirmedAt(given.session.lookup)
    expect(at && isoSeconds(at)).toBe(isoSeconds(clock.now()))
  })

  test.each([-7200, -61])('does not by a proof of %p seconds ago', async (ago) => {
    await start()
    await somebody()
    const given = await here()
    clock.advance({ hours: 2 })
    expect((await words(prove(given, { auth_time: seconds() + ago })))[1]).toStartWith(
      'Harbour did not ask you to sign in again',
    )
    expect(await confirmedAt(given.session.lookup)).toBeNull()
  })

  test('does not where the provider could say when it has asked, and does not', async () => {
    await start()
    await somebody()
    const given = await here()
    expect((await words(prove(given, {})))[1]).toStartWith('Harbour does not report when you signed in there')
    expect(await confirmedAt(given.session.lookup)).toBeNull()
  })

  describe('where the provider never says when it has asked', () => {
    const begin = async () => {
      await start()
      await somebody()
      provider.metadata = { claims_supported: ['sub', 'email'] }
      return here()
    }

    test('may do without for an account that has no other means', async () => {
      expect((await prove(await begin(), {})).kind).toBe('confirmed')
    })

    test('does not for an account that has another', async () => {
      const given = await begin()
      const change = (account: Account): Account => ({ ...account, passwordHash: 'x' })
      await t.app.deps.store.by(anAuthor()).accounts.change(given.account.id, change, given.session.lookup)
      const changed = { ...given, account: change(given.account) }
      expect((await words(prove(changed, {})))[1]).toStartWith('Harbour does not report when you signed in there')
      expect(await confirmedAt(given.session.lookup)).toBeNull()
    })

    test('does not by a proof that it tells nevertheless, and that is too old', async () => {
      expect((await words(prove(await begin(), { auth_time: seconds() - 61 })))[1]).toStartWith(
        'Harbour did not ask you',
      )
    })
  })

  test('does not by the proof of somebody else, nor for a session of another account', async () => {
    await start()
    const other = await somebody()
    const given = await here()
    const claims = { auth_time: seconds() }
    expect((await words(prove(given, { ...claims, sub: '43' })))[1]).toBe(
      'you signed in at Harbour as a different person',
    )
    const { session } = await startSession(t.app.deps, other, BROWSER, { method: 'link' })
    const { url, token } = await begin('confirm', given.account)
    const answer = provider.authorize(url, { claims: { ...ANN, ...claims } })
    const swapped = finishOidc(t.app.deps, token, answer, { account: other, session }, BROWSER)
    expect((await words(swapped))[1]).toStartWith('you are no longer signed in here')
    expect(await confirmedAt(session.lookup)).toBeNull()
  })

  test('links an identity without any email, which no other account can link then', async () => {
    await start()
    const link = async (email: string) => {
      const account = await accountOf(t, { email })
      const { session } = await startSession(t.app.deps, account, BROWSER, { method: 'link' })
      const { url, token } = await begin('link', account)
      const here = { account, session }
      const end = await finishOidc(t.app.deps, token, provider.authorize(url), here, BROWSER)
      if (end.kind !== 'named') throw new Error(end.kind)
      expect(await t.app.deps.store.identities.list(account.id)).toEqual([])
      await confirmLink(t.app.deps, end.token, here, BROWSER)
    }
    await link('jane@example.org')
    expect((await signIn({})).account.email).toBe('jane@example.org')
    const taken = await refusalOf(link('bob@example.org'))
    expect(taken).toBeInstanceOf(Refusal)
    expect(taken.message).toStartWith('you are linked to another account here')
  })
})
