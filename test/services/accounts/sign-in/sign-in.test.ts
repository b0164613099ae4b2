import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import type { Account } from '../../../../src/domain/account/account.ts'
import { tokenLookup } from '../../../../src/domain/account/session.ts'
import { OPERATOR } from '../../../../src/domain/actor.ts'
import { Refusal } from '../../../../src/domain/errors.ts'
import { canMailLinks } from '../../../../src/services/accounts/mailed-links.ts'
import { getAccountLink, issueLink } from '../../../../src/services/accounts/one-time-links.ts'
import { findSignedIn } from '../../../../src/services/accounts/sign-in/sessions.ts'
import {
  printSignInLink,
  requestLink,
  signIn,
  signInByLink,
} from '../../../../src/services/accounts/sign-in/sign-in.ts'
import type { Deps } from '../../../../src/services/common/deps.ts'
import { replaced } from '../../../support/replaced-methods.ts'
import { anAccount, anAuthor, only, refusalOf } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'
import { accountOf, answerOf, BROWSER, codeOf, ELSEWHERE, entered, PASSWORD, tokenIn } from '../people.ts'

let t: TestApp
let ann: Account
/** hash that each try verified; null without one */
let verified: (string | null)[]
let busy: boolean
let deps: Deps
const begin = async (env: Readonly<Record<string, string>> = {}) => {
  t = await testApp({ env })
  ann = await accountOf(t)
  verified = []
  busy = false
  const { passwords } = t.app.deps
  deps = {
    ...t.app.deps,
    passwords: {
      ...passwords,
      async verify(password, hash, turn) {
        if (busy) throw new Refusal('busy', 'busy')
        verified.push(hash)
        return passwords.verify(password, hash, turn)
      },
    },
  }
}
afterEach(() => t.close())

describe('a sign-in by password', () => {
  beforeEach(() => begin())
  const trySignIn = (email: string, password: string, browser = BROWSER) =>
    entered(signIn(deps, email, password, browser))

  test('starts a session of its own, of which only a hash is stored', async () => {
    const [one, other] = [await trySignIn('ann@example.org', PASSWORD), await trySignIn(' Ann@Example.org', PASSWORD)]
    expect(one.token).not.toBe(other.token)
    expect(one.account).toEqual(ann)
    expect((await findSignedIn(deps, one.token))?.session).toEqual(one.session)
    expect(one.session).toEqual({
      lookup: tokenLookup(one.token),
      accountId: ann.id,
      createdAt: t.clock.now(),
      lastSeenAt: t.clock.now(),
      ...{ address: '192.0.2.7', userAgent: 'Firefox', method: 'password', confirmedAt: t.clock.now() },
    })
    expect(await deps.store.sessions.list(ann.id)).toHaveLength(2)
  })

  test('is refused in the same words, after the same work, whatever is wrong', async () => {
    const remote = await accountOf(t, { email: 'remote@example.org', password: null })
    const wrong = [
      ['ann@example.org', 'wrong password'],
      ['nobody@example.org', PASSWORD],
      [remote.email, PASSWORD],
      [ann.id, PASSWORD],
      ['no email at all', PASSWORD],
      ['', ''],
      ['\u0000\ud800', PASSWORD],
    ] as const
    for (const [email, password] of wrong) {
      expect(await answerOf(trySignIn(email, password))).toEqual([
        'sign-in-failed',
        'email and password do not match',
        { triesLeft: 4, waitSeconds: 900 },
      ])
    }
    expect(verified).toEqual([ann.passwordHash, ...wrong.slice(1).map(() => null)])
    expect(await deps.store.sessions.list(ann.id)).toEqual([])
  })

  test.each(['ann@example.org', 'nobody@example.org'])(
    'of %s is refused before any hash after five failures, with the right password too',
    async (email) => {
      for (let left = 4; left >= 0; left -= 1) {
        expect((await refusalOf(trySignIn(email, 'wrong password'))).data.triesLeft).toBe(left)
      }
      t.clock.advance({ minutes: 5 })
      expect(await answerOf(trySignIn(email, PASSWORD))).toEqual([
        'over-limit',
        'too many sign-ins have failed',
        { retryAfterSeconds: 600 },
      ])
      expect(verified).toHaveLength(5)
    },
  )

  test('works from another network meanwhile, and again after 15 minutes', async () => {
    for (let count = 0; count < 5; count += 1) await codeOf(trySignIn('ann@example.org', 'wrong password'))
    expect((await trySignIn('ann@example.org', PASSWORD, ELSEWHERE)).account.id).toBe(ann.id)
    t.clock.advance({ minutes: 15 })
    expect((await trySignIn('ann@example.org', PASSWORD)).account.id).toBe(ann.id)
  })

  test('forgets the failures before it', async () => {
    for (let count = 0; count < 4; count += 1) await codeOf(trySignIn('ann@example.org', 'wrong password'))
    await trySignIn('ann@example.org', PASSWORD)
    expect((await refusalOf(trySignIn('ann@example.org', 'wrong password'))).data.triesLeft).toBe(4)
  })

  test('that was not checked because too many were waiting is no failure', async () => {
    busy = true
    for (let count = 0; count < 30; count += 1)
      expect(await codeOf(trySignIn('ann@example.org', PASSWORD))).toBe('busy')
    busy = false
    expect((await refusalOf(trySignIn('ann@example.org', 'wrong password'))).data.triesLeft).toBe(4)
  })

  test('begins no session when the password was changed after it was verified', async () => {
    const { passwords } = deps
    const verify: typeof passwords.verify = async (password, hash, turn) => {
      const isRight = await passwords.verify(password, hash, turn)
      const change = (stored: Account): Account => ({ ...stored, passwordHash: 'another' })
      await deps.store.by(anAuthor()).accounts.change(ann.id, change, null)
      return isRight
    }
    deps = { ...deps, passwords: { ...passwords, verify } }
    expect(await codeOf(trySignIn('ann@example.org', PASSWORD))).toBe('unauthorized')
    expect(await deps.store.sessions.list(ann.id)).toEqual([])
  })

  test('is refused before any hash after fifty failures of its email in an hour, from whatever networks', async () => {
    const from = (n: number) => ({ ...BROWSER, address: `203.0.113.${n}` })
    for (let n = 0; n < 50; n += 1) await codeOf(trySignIn('ann@example.org', 'wrong password', from(n)))
    expect(await codeOf(trySignIn('ann@example.org', PASSWORD, from(50)))).toBe('over-limit')
    expect(verified).toHaveLength(50)
  })

  test('is not refused because a few networks try as often as they may at once', async () => {
    const gate = Promise.withResolvers<void>()
    const { verify } = Bun.password
    using _held = spyOn(Bun.password, 'verify').mockImplementation(async (...given) => {
      await gate.promise
      return verify(...given)
    })
    const tries = Array.from({ length: 60 }, (_, n) =>
      codeOf(trySignIn(`p${n}@example.org`, 'wrong password', { ...BROWSER, address: `203.0.113.${n % 3}` })),
    )
    const signingIn = trySignIn('ann@example.org', PASSWORD)
    const first = await Promise.race(tries)
    gate.resolve()
    expect((await signingIn).account.id).toBe(ann.id)
    expect(first).toBe('busy')
    await Promise.all(tries)
  })

  test('of many at once does not pass the limit', async () => {
    const tries = Array.from({ length: 10 }, () => codeOf(trySignIn('ann@example.org', 'wrong password')))
    const codes = await Promise.all(tries)
    expect(codes.filter((code) => code === 'sign-in-failed')).toHaveLength(5)
    expect(verified).toHaveLength(5)
  })
})

describe('a mailed link', () => {
  beforeEach(() => begin({ EMAIL_HOST: 'mail.example.org', SITE_ROOT: 'https://overdue.test/on' }))

  /** Requests a link. @returns the emails that this sent */
  const ask = async (email: string, browser = BROWSER) => {
    const before = t.mails.length
    expect(requestLink(deps, 'sign-in', email, null, browser)).toBeUndefined()
    await deps.background.drain()
    return t.mails.slice(before)
  }
  /** Returns the refusal of a request. */
  const refused = (email: string, browser = BROWSER) =>
    answerOf((async () => requestLink(deps, 'sign-in', email, null, browser))())
  const mailedToken = async (email = 'ann@example.org') => {
    const [, url] = /(https:\/\/overdue\.test\/on\/sign-in\/link\/\S+)/.exec(only(await ask(email)).text) ?? []
    return tokenIn(url ?? '')
  }

  test('goes to the address of the account, and signs in once', async () => {
    const mail = only(await ask(' Ann@Example.org'))
    expect(mail).toMatchObject({ to: 'ann@example.org', subject: 'Sign in to Overdue' })
    const token = await mailedToken()
    expect((await getAccountLink(deps, 'sign-in', token)).account.id).toBe(ann.id)
    const { token: cookie, account } = await signInByLink(deps, token, BROWSER)
    expect(account).toEqual(ann)
    expect((await findSignedIn(deps, cookie))?.account.id).toBe(ann.id)
    expect(await codeOf(signInByLink(deps, token, BROWSER))).toBe('link-ended')
  })

  test('works for an hour', async () => {
    const token = await mailedToken()
    t.clock.advance({ seconds: 3599 })
    expect((await getAccountLink(deps, 'sign-in', token)).account.id).toBe(ann.id)
    t.clock.advance({ seconds: 1 })
    expect(await codeOf(signInByLink(deps, token, BROWSER))).toBe('link-ended')
  })

  test('works though others were asked for after it, and its use ends them all', async () => {
    const [early, late] = [await mailedToken(), await mailedToken()]
    expect((await signInByLink(deps, early, BROWSER)).account.id).toBe(ann.id)
    expect(await codeOf(signInByLink(deps, late, BROWSER))).toBe('link-ended')
  })

  test('confirms an address that nobody has confirmed, and leaves nothing that a stranger has set', async () => {
    const victim = await accountOf(t, { email: 'victim@example.org', isEmailConfirmed: false })
    const stranger = await entered(signIn(deps, victim.email, PASSWORD, ELSEWHERE))
    const { token, account } = await signInByLink(deps, await mailedToken(victim.email), BROWSER)
    expect(account).toMatchObject({ id: victim.id, isEmailConfirmed: true, passwordHash: null })
    expect((await findSignedIn(deps, token))?.account.id).toBe(victim.id)
    expect(await findSignedIn(deps, stranger.token)).toBeNull()
    expect(await codeOf(signIn(deps, victim.email, PASSWORD, ELSEWHERE))).toBe('sign-in-failed')
  })

  test('that was printed instead proves no address, and changes nothing', async () => {
    const victim = await accountOf(t, { email: 'victim@example.org', isEmailConfirmed: false })
    const { url } = await printSignInLink(deps, OPERATOR, victim.email)
    expect((await signInByLink(deps, tokenIn(url), BROWSER)).account).toEqual(victim)
  })

  test('does not work when the account has got another address on the way', async () => {
    const token = tokenIn((await issueLink(deps, 'sign-in', ann.id, 'old@example.org')).url)
    expect(await codeOf(signInByLink(deps, token, BROWSER))).toBe('link-ended')
  })

  test.each(['nobody@example.org', 'no email at all', ''])(
    'is not sent to %j, which is answered alike',
    async (email) => {
      expect(await ask(email)).toEqual([])
      expect(t.log).toEqual([])
    },
  )

  test('is not sent for the id of an account', async () => {
    expect(await ask(ann.id)).toEqual([])
  })

  test('is asked for five times in 15 minutes, however the address is written, and whether or not it is known', async () => {
    for (const [known, unknown] of [
      ['ann@example.org', 'bob@example.org'],
      ['  ann@example.org', '  bob@example.org'],
      ['ANN@example.org', 'BOB@example.org'],
      ['ann@example.org\t', 'bob@example.org\t'],
      ['Ann@Example.Org', 'Bob@Example.Org'],
    ] as const) {
      expect(await ask(known)).toHaveLength(1)
      expect(await ask(unknown)).toHaveLength(0)
    }
    const over = ['over-limit', 'too many links were requested', { retryAfterSeconds: 900 }]
    expect(await refused('   ann@example.org')).toEqual(over)
    expect(await refused('   bob@example.org')).toEqual(over)
    expect(await ask('ann@example.org', ELSEWHERE)).toHaveLength(1)
  })

  test('takes no try of a password away, though a whole office asks for links', async () => {
    for (let count = 0; count < 20; count += 1) await ask(`p${count}@example.org`)
    expect((await answerOf((async () => requestLink(deps, 'sign-in', 'ann@example.org', null, BROWSER))()))[0]).toBe(
      'over-limit',
    )
    expect((await signIn(deps, 'ann@example.org', PASSWORD, BROWSER)).account.id).toBe(ann.id)
  })

  test('that the mail server refuses is a line in the log, without address and link', async () => {
    t.answerMailWith({
      kind: 'refused',
      stage: 'recipient',
      status: 550,
      response: '550 <ann@example.org>: who is that',
    })
    await ask('ann@example.org')
    expect(only(t.log)).toEqual({
      level: 'warning',
      message: 'the email with a link was not sent',
      details: { reason: '550 <…>: who is that' },
    })
  })

  test('that cannot be stored is a line in the log', async () => {
    deps = {
      ...deps,
      store: replaced(deps.store, {
        tokens: { create: () => Promise.reject(new Refusal('unavailable', 'x', { reason: 'y' })) },
      }),
    }
    expect(await ask('ann@example.org')).toEqual([])
    expect(only(t.log).level).toBe('warning')
  })
})

test('no link is mailed where the server sends no email', async () => {
  await begin()
  expect(canMailLinks(deps)).toBe(false)
  expect(() => requestLink(deps, 'sign-in', anAccount().email, null, BROWSER)).toThrow('this server sends no email')
})
