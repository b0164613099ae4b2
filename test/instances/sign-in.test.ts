/** A session of one instance is valid at the other, until either ends it: a load balancer needs no sticky sessions. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../src/domain/account/account.ts'
import type { Check } from '../../src/domain/check/check.ts'
import { issueLink } from '../../src/services/accounts/one-time-links.ts'
import { issueFirstAccountLink, offerFirstAccount } from '../../src/services/accounts/sign-in/first-account.ts'
import { getCheck, upsertCheck } from '../../src/services/checks/checks.ts'
import { addAccount, type Browser, openBrowser, setRole } from '../support/browser.ts'
import { openStream } from '../support/live-stream.ts'
import { anAuthor } from '../support/store-builders.ts'
import type { TestApp } from '../support/test-app.ts'
import { type TwoApps, twoApps } from '../support/two-apps.ts'

const EMAIL = 'ann@example.org'
const PASSWORD = 'tide-lamp-orchard'
const CHECKS = '/p/tests/checks'

let apps: TwoApps
let a: TestApp
let b: TestApp
beforeEach(async () => {
  apps = await twoApps({ EMAIL_HOST: 'mail.example.org' })
  ;({ a, b } = apps)
})
afterEach(() => apps.close())

/** Opens the same browser at the other instance. */
const at = (t: TestApp, browser: Browser) => openBrowser(t, browser.token())
const pathOf = ({ url }: { readonly url: string }) => new URL(url).pathname

describe('who has signed in at one instance', () => {
  let ann: Account
  let check: Check
  let onA: Browser
  let onB: Browser
  beforeEach(async () => {
    ann = await addAccount(a, { email: EMAIL }, PASSWORD)
    await setRole(a, ann, 'member')
    check = (await upsertCheck(a.app.deps, a.actor, { name: 'Backup' }, false)).check
    onA = openBrowser(a)
    await onA.post('/sign-in', { email: EMAIL, password: PASSWORD })
    onB = at(b, onA)
  })

  test('reads pages of the other, and sends a form of one to the other', async () => {
    expect((await onB.get(CHECKS)).status).toBe(200)
    const { status } = await onB.post(CHECKS, { action: 'pause', c: check.publicId })
    const { check: paused } = await getCheck(a.app.deps, a.actor, check.id)
    expect([status, paused.status]).toEqual([303, 'paused'])
  })

  test('is signed out of both by either', async () => {
    await onB.post('/sign-out')
    expect((await onA.get(CHECKS)).location).toStartWith('/sign-in')
  })

  test('is signed out of both by another password', async () => {
    await b.app.deps.store.by(anAuthor()).accounts.change(ann.id, (it) => ({ ...it, passwordHash: null }), null)
    expect((await onA.get(CHECKS)).location).toStartWith('/sign-in')
  })

  test('has at once the role that the other has given', async () => {
    await setRole(b, ann, 'read-only')
    expect((await onA.post(CHECKS, { action: 'pause', c: check.publicId })).status).toBe(403)
    await b.app.deps.store.by(anAuthor()).team.removeMember(ann.id, a.project.id)
    expect((await onA.get(CHECKS)).status).toBe(404)
  })

  test('gets no more on a page that is open at one, once the other has ended the session', async () => {
    const stream = await openStream(a, onA, '/p/tests/live?view=checks')
    const tell = async () => {
      await b.call('POST', `/ping/${check.id}`)
      a.clock.advance({ seconds: 2 })
      await a.app.deps.live.noticeOthers()
      return stream.take()
    }
    expect(await tell()).not.toEqual([])
    await onB.post('/sign-out')
    expect(await tell()).toEqual([])
    await stream.ended
  })
})

describe('a link of one instance works once, at the other', () => {
  test('to sign in', async () => {
    await addAccount(a, { email: EMAIL })
    await openBrowser(a).post('/sign-in/link', { email: EMAIL })
    await a.app.deps.background.drain()
    const [url = ''] = /http\S+\/sign-in\/link\/[\w-]+/.exec(a.mails.at(-1)?.text ?? '') ?? []
    const browser = openBrowser(b)
    expect((await browser.post(pathOf({ url }))).status).toBe(303)
    expect((await at(a, browser).get('/account')).status).toBe(200)
    expect((await openBrowser(a).post(pathOf({ url }))).status).not.toBe(303)
  })

  test('to choose a password', async () => {
    const ann = await addAccount(a, { email: EMAIL })
    const link = await issueLink(a.app.deps, 'password', ann.id)
    const browser = openBrowser(b)
    expect((await browser.post(pathOf(link), { password: PASSWORD })).status).toBe(303)
    expect((await openBrowser(a).post('/sign-in', { email: EMAIL, password: PASSWORD })).status).toBe(303)
    expect((await openBrowser(a).post(pathOf(link), { password: 'another-one-of-them' })).status).not.toBe(303)
  })

  test('for the first account, also when the other has printed one since', async () => {
    const link = await issueFirstAccountLink(a.app.deps)
    const other = await offerFirstAccount(b.app.deps)
    const form = { email: EMAIL, password: PASSWORD, project: 'Tests', tz: 'Europe/Riga' }
    const browser = openBrowser(b)
    expect((await browser.post(pathOf(link), form)).status).toBe(303)
    expect((await at(a, browser).get('/account')).status).toBe(200)
    expect(other).not.toBeNull()
    const again = await openBrowser(a).post(pathOf({ url: other?.url ?? '' }), { ...form, email: 'bob@example.org' })
    expect(again.status).not.toBe(303)
  })
})
