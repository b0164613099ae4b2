/** The second factor: set-up, sign-in, single use, limits, removal. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../src/domain/account/account.ts'
import { totpCode, totpStep } from '../../../../src/domain/account/totp.ts'
import { OPERATOR } from '../../../../src/domain/actor.ts'
import { issueLink } from '../../../../src/services/accounts/one-time-links.ts'
import {
  beginApp,
  finishApp,
  removeApp,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '../../../../src/services/accounts/sign-in/authenticator.ts'
import { changePassword, choosePassword, resetPassword } from '../../../../src/services/accounts/sign-in/passwords.ts'
import { finishSignIn, verifySecondFactor } from '../../../../src/services/accounts/sign-in/second-factor.ts'
import { findSignedIn } from '../../../../src/services/accounts/sign-in/sessions.ts'
import { signIn, signInByLink } from '../../../../src/services/accounts/sign-in/sign-in.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'
import { accountOf, BROWSER, codeOf, ELSEWHERE, OTHER_PASSWORD, PASSWORD, personAt, tokenIn } from '../people.ts'

let t: TestApp
let ann: Account
beforeEach(async () => {
  t = await testApp()
  ann = await accountOf(t)
})
afterEach(() => t.close())

const deps = () => t.app.deps
const codeAt = (secret: string, steps = 0) => totpCode(secret, totpStep(t.clock.now()) + steps)

interface SetUp {
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

/** Sets the app up. The current code is used, so the next one is needed. */
async function setUp(account = ann): Promise<SetUp> {
  const { token, secret } = await beginApp(deps(), personAt(account), null)
  const result = await finishApp(deps(), personAt(account), null, token, codeAt(secret))
  if (result.kind !== 'done') throw new Error(result.kind)
  t.clock.advance({ seconds: 30 })
  return { secret, recoveryCodes: result.recoveryCodes }
}

const begin = async (): Promise<string> => {
  const { session, token } = await signIn(deps(), ann.email, PASSWORD, BROWSER)
  expect(session).toBeNull()
  return token
}
const finish = (token: string | null, code: string, browser = BROWSER) =>
  finishSignIn(deps(), token, browser, (awaited) => verifySecondFactor(deps(), awaited, code, browser.address))

describe('an app', () => {
  test('is the account’s after a code of it, and the other sessions end', async () => {
    const here = await signIn(deps(), ann.email, PASSWORD, BROWSER)
    const there = await signIn(deps(), ann.email, PASSWORD, ELSEWHERE)
    const { token, secret } = await beginApp(deps(), personAt(ann), null)
    expect(await beginApp(deps(), personAt(ann), token)).toEqual({ token, secret })
    const kept = here.session?.lookup ?? ''
    expect((await finishApp(deps(), personAt(ann), kept, token, 'x')).kind).toBe('wrong-code')
    expect((await deps().store.accounts.find(ann.id))?.totp).toBeNull()
    expect((await finishApp(deps(), personAt(ann), kept, token, codeAt(secret))).kind).toBe('done')
    expect((await deps().store.accounts.find(ann.id))?.totp?.secret).toBe(secret)
    expect(await findSignedIn(deps(), here.token)).not.toBeNull()
    expect(await findSignedIn(deps(), there.token)).toBeNull()
  })

  test('that was set up already, took half an hour, or is somebody else’s is not finished', async () => {
    const bob = await accountOf(t, { email: 'bob@example.org' })
    const { token, secret } = await beginApp(deps(), personAt(ann), null)
    expect((await finishApp(deps(), personAt(bob), null, token, codeAt(secret))).kind).toBe('ended')
    expect((await beginApp(deps(), personAt(bob), token)).secret).not.toBe(secret)
    expect((await finishApp(deps(), personAt(ann), null, token, codeAt(secret))).kind).toBe('done')
    expect((await finishApp(deps(), personAt(ann), null, token, codeAt(secret, 1))).kind).toBe('ended')
    const late = await beginApp(deps(), personAt(bob), null)
    t.clock.advance({ minutes: 30 })
    expect((await finishApp(deps(), personAt(bob), null, late.token, codeAt(late.secret))).kind).toBe('ended')
  })

  test('that is removed is not asked for, and its recovery codes end', async () => {
    const { recoveryCodes } = await setUp()
    await removeApp(deps(), personAt(ann), null)
    expect((await signIn(deps(), ann.email, PASSWORD, BROWSER)).session).not.toBeNull()
    expect(recoveryCodes).toHaveLength(10)
    expect(await deps().store.secondFactors.countRecoveryCodes(ann.id)).toBe(0)
  })

  test('can be removed by the operator and an administrator, and nobody else', async () => {
    const root = await accountOf(t, { email: 'root@example.org', isAdministrator: true })
    const bob = await accountOf(t, { email: 'bob@example.org' })
    for (const by of [OPERATOR, personAt(root)]) {
      await setUp()
      expect((await removeSecondFactor(deps(), by, ann.email)).totp).toBeNull()
      expect((await signIn(deps(), ann.email, PASSWORD, BROWSER)).session).not.toBeNull()
    }
    await setUp()
    expect(await codeOf(removeSecondFactor(deps(), personAt(bob), ann.email))).toBe('forbidden')
    expect(await codeOf(removeSecondFactor(deps(), personAt(bob), 'nobody@example.org'))).toBe('forbidden')
    await begin()
  })
})

describe('a sign-in', () => {
  let app: SetUp
  beforeEach(async () => {
    app = await setUp()
  })

  test.each([
    ['password', () => signIn(deps(), ann.email, PASSWORD, BROWSER)],
    [
      'printed-link',
      async () => signInByLink(deps(), tokenIn((await issueLink(deps(), 'sign-in', ann.id)).url), BROWSER),
    ],
    [
      'password',
      async () =>
        choosePassword(
          deps(),
          tokenIn((await resetPassword(deps(), OPERATOR, ann.email)).url),
          OTHER_PASSWORD,
          BROWSER,
        ),
    ],
  ] as const)('by a %s asks for a code, which then counts as proof of who it is', async (method, enter) => {
    const { token, session } = await enter()
    expect(session).toBeNull()
    expect(await findSignedIn(deps(), token)).toBeNull()
    const fresh = await finish(token, codeAt(app.secret))
    expect(fresh?.session).toMatchObject({ method, confirmedAt: t.clock.now(), address: '192.0.2.7' })
    const rows = (await deps().store.audit.list(10)).filter(({ subject }) => subject.kind === 'session')
    expect(rows.map(({ after }) => after)).toEqual([{ method, second_factor: 'totp' }])
  })

  test('takes a code once, also in another sign-in, and none of before it', async () => {
    const token = await begin()
    expect(await finish(token, codeAt(app.secret))).not.toBeNull()
    for (const steps of [0, -1]) {
      expect(await codeOf(finish(await begin(), codeAt(app.secret, steps)))).toBe('sign-in-failed')
    }
    expect(await finish(await begin(), codeAt(app.secret, 1))).not.toBeNull()
  })

  test('takes the code of one of two who send it at once', async () => {
    const tokens = [await begin(), await begin()]
    const both = await Promise.allSettled(tokens.map((token) => finish(token, codeAt(app.secret))))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('takes blanks within a code, as apps show it', async () => {
    const code = codeAt(app.secret)
    expect(await finish(await begin(), ` ${code.slice(0, 3)} ${code.slice(3)} `)).not.toBeNull()
  })

  test('refuses a code that is wrong, expired or of another account, and waits on', async () => {
    const bob = await accountOf(t, { email: 'bob@example.org' })
    const other = await setUp(bob)
    const token = await begin()
    for (const code of ['', '000000', codeAt(app.secret, -2), codeAt(other.secret), other.recoveryCodes[0] ?? '']) {
      expect([code, await codeOf(finish(token, code, { address: null, userAgent: code }))]).toEqual([
        code,
        'sign-in-failed',
      ])
    }
    expect(await finish(token, codeAt(app.secret))).not.toBeNull()
  })

  test('is over when it was finished, took five minutes, or the password changed', async () => {
    const done = await begin()
    await finish(done, codeAt(app.secret))
    expect(await finish(done, codeAt(app.secret, 1))).toBeNull()
    const late = await begin()
    t.clock.advance({ minutes: 5 })
    expect(await finish(late, codeAt(app.secret))).toBeNull()
    const before = await begin()
    await changePassword(deps(), personAt(ann), null, OTHER_PASSWORD)
    expect(await finish(before, codeAt(app.secret))).toBeNull()
    for (const token of [null, 'x', 'A'.repeat(43)]) expect(await finish(token, codeAt(app.secret))).toBeNull()
  })

  test('is over when the account is suspended', async () => {
    const token = await begin()
    await deps()
      .store.by({ changeId: 'c', kind: 'command', accountId: null, name: '', address: null, at: t.clock.now() })
      .accounts.change(ann.id, (old) => ({ ...old, isSuspended: true }), null)
    expect(await finish(token, codeAt(app.secret))).toBeNull()
  })

  test('is limited: five wrong codes from a network, twenty from all', async () => {
    const token = await begin()
    for (let tries = 0; tries < 5; tries++) expect(await codeOf(finish(token, '000000'))).toBe('sign-in-failed')
    expect(await codeOf(finish(token, codeAt(app.secret)))).toBe('over-limit')
    for (let tries = 5; tries < 20; tries++) {
      const there = { address: `198.51.100.${tries}`, userAgent: '' }
      expect(await codeOf(finish(token, '000000', there))).toBe('sign-in-failed')
    }
    expect(await codeOf(finish(token, codeAt(app.secret), ELSEWHERE))).toBe('over-limit')
  })
})

describe('recovery codes', () => {
  let app: SetUp
  beforeEach(async () => {
    app = await setUp()
  })

  test('are ten, of 80 random bits each, of which only hashes are stored', async () => {
    expect(new Set(app.recoveryCodes).size).toBe(10)
    for (const code of app.recoveryCodes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    expect(await deps().store.secondFactors.countRecoveryCodes(ann.id)).toBe(10)
  })

  test('sign in once each, however they are typed', async () => {
    const [one = '', other = ''] = app.recoveryCodes
    expect(await finish(await begin(), one)).not.toBeNull()
    const [row] = await deps().store.audit.list(1)
    expect(row?.after).toEqual({ method: 'password', second_factor: 'recovery-code' })
    expect(await codeOf(finish(await begin(), one))).toBe('sign-in-failed')
    expect(await finish(await begin(), other.toUpperCase().replaceAll('-', ' '))).not.toBeNull()
    expect(await deps().store.secondFactors.countRecoveryCodes(ann.id)).toBe(8)
  })

  test('that are made anew end the earlier ones', async () => {
    const fresh = await replaceRecoveryCodes(deps(), personAt(ann))
    expect(await codeOf(finish(await begin(), app.recoveryCodes[0] ?? ''))).toBe('sign-in-failed')
    expect(await finish(await begin(), fresh?.[0] ?? '')).not.toBeNull()
  })

  test('are not made without an app', async () => {
    const bob = await accountOf(t, { email: 'bob@example.org' })
    expect(await replaceRecoveryCodes(deps(), personAt(bob))).toBeNull()
    expect(await deps().store.secondFactors.countRecoveryCodes(bob.id)).toBe(0)
  })

  test('and the secret of the app are in no row of the audit log, which says that they changed', async () => {
    const codes = await replaceRecoveryCodes(deps(), personAt(ann))
    const again = await setUp()
    const rows = JSON.stringify(await deps().store.audit.list(100))
    const secrets = [app.secret, again.secret, ...app.recoveryCodes, ...(codes ?? []), ...again.recoveryCodes]
    expect(secrets.filter((secret) => rows.includes(secret))).toEqual([])
    expect(rows).toContain('"recovery_codes_changed":true')
    expect(rows).toContain('"authenticator_changed":true')
  })
})
