/** Neither the work of a request nor the beginning of that work reveals whether an address has an account. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { makeToken, tokenLookup } from '../../../src/domain/account/session.ts'
import { requestEmail } from '../../../src/services/accounts/email-change.ts'
import { PAUSE_SECONDS } from '../../../src/services/accounts/mailed-links.ts'
import { requestLink, signInByLink } from '../../../src/services/accounts/sign-in/sign-in.ts'
import { requestSignUp } from '../../../src/services/accounts/sign-in/sign-up.ts'
import type { Deps } from '../../../src/services/common/deps.ts'
import type { Store } from '../../../src/store/store.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { wrapped } from '../../support/wrapped-methods.ts'
import { accountOf, BROWSER, codeOf, ELSEWHERE, personAt } from './people.ts'

const KNOWN = 'ann@example.org'
const UNKNOWN = 'nobody@example.org'

let t: TestApp
/** calls of the store, and draws of random numbers and bytes, in order */
let work: string[]
let deps: Deps
beforeEach(async () => {
  t = await testApp({ env: { EMAIL_HOST: 'mail.example.org', REGISTRATION_OPEN: 'True' } })
  await accountOf(t, { email: KNOWN })
  work = []
  const { store, random, carriers } = t.app.deps
  deps = {
    ...t.app.deps,
    store: noted(store),
    carriers: { ...carriers, mail: (mail) => note('mail', carriers.mail(mail)) },
    random: {
      uuid: () => note('uuid', random.uuid()),
      bytes: (length) => note(`bytes ${length}`, random.bytes(length)),
      fraction: () => note('fraction', random.fraction()),
    },
  }
})
afterEach(() => t.close())

const note = <Value>(what: string, value: Value): Value => {
  work.push(what)
  return value
}
const noted = (store: Store): Store =>
  wrapped(store, (path, method) => (...given) => {
    work.push(path)
    return method(...given)
  })

const workOf = async (ask: () => unknown) => {
  work = []
  await ask()
  const answered = [...work]
  await deps.background.drain()
  return { answered, afterwards: work.slice(answered.length) }
}

describe.each([
  ['to sign in', (email: string) => requestLink(deps, 'sign-in', email, null, BROWSER)],
  ['to choose a password', (email: string) => requestLink(deps, 'password', email, null, BROWSER)],
  ['to make an account', (email: string) => requestSignUp(deps, email, null, BROWSER)],
] as const)('a link %s', (_, ask) => {
  test('is asked for at the same work, whether there is an account or not', async () => {
    const known = await workOf(() => ask(KNOWN))
    expect(await workOf(() => ask(UNKNOWN))).toEqual(known)
    expect(known.answered).toEqual(['fraction'])
    expect(known.afterwards).toEqual(['accounts.find', 'bytes 32', 'tokens.create', 'uuid', 'mail'])
  })
})

test('a change of the own email takes the same work, whether somebody has the new one or not', async () => {
  const bob = await accountOf(t, { email: 'bob@example.org' })
  const ask = (email: string) => requestEmail(deps, personAt(bob), null, email)
  const known = await workOf(() => ask(KNOWN))
  expect(await workOf(() => ask(UNKNOWN))).toEqual(known)
  expect(known.afterwards).toContain('tokens.create')
})

describe('the work begins', () => {
  /** The pauses, and the work that waits for their ends. */
  const waiting: { seconds: number; begin: () => Promise<void> }[] = []
  const paused = (fraction: number): Deps => ({
    ...deps,
    random: { ...deps.random, fraction: () => fraction },
    background: { ...deps.background, runAfter: (seconds, begin) => void waiting.push({ seconds, begin }) },
  })
  beforeEach(() => {
    waiting.length = 0
  })

  test.each([KNOWN, UNKNOWN])('after a pause of random length, for %s', (email) => {
    for (const fraction of [0, 0.25, 0.999]) requestLink(paused(fraction), 'sign-in', email, null, BROWSER)
    expect(waiting.map(({ seconds }) => seconds)).toEqual([0, 0.25, 0.999].map((of) => of * PAUSE_SECONDS))
    expect([work, t.mails]).toEqual([[], []])
  })

  test('after it only', async () => {
    requestLink(paused(0.5), 'sign-in', KNOWN, null, BROWSER)
    await waiting[0]?.begin()
    expect(t.mails.map(({ to }) => to)).toEqual([KNOWN])
  })

  test('at once when the server stops', async () => {
    requestLink(deps, 'sign-in', KNOWN, null, ELSEWHERE)
    await t.app.stop()
    expect(t.mails.map(({ to }) => to)).toEqual([KNOWN])
  })
})

test('the link that is made for nobody signs nobody in', async () => {
  const bytes = new Uint8Array(32)
  deps = { ...deps, random: { ...deps.random, bytes: () => bytes } }
  requestLink(deps, 'sign-in', UNKNOWN, null, BROWSER)
  await deps.background.drain()
  const token = makeToken(() => bytes)
  expect(await deps.store.tokens.find(tokenLookup(token), 'sign-in')).toMatchObject({ accountId: null, email: UNKNOWN })
  expect(await codeOf(signInByLink(deps, token, BROWSER))).toBe('link-ended')
  expect(t.mails).toEqual([])
})
