/** Accounts, as administrators see and change them. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../src/domain/account/account.ts'
import { addAccount, administrator, type Browser, openBrowser, setRole, signedIn } from '../../../support/browser.ts'
import { wordsOf } from '../../../support/page-words.ts'
import { anAuthor } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const PATH = '/admin/accounts'

let t: TestApp
let admin: Browser & { readonly account: Account }
let jane: Account
beforeEach(async () => {
  t = await testApp()
  admin = await administrator(t, { email: 'root@example.org' })
  jane = await addAccount(t, { email: 'jane@example.org' }, 'tide-lamp-orchard')
  t.clock.advance({ minutes: 1 })
})
afterEach(() => t.close())

const ofJane = (page = '') => `${PATH}/${jane.id}${page}`
const stored = (id = jane.id) => t.app.deps.store.accounts.find(id)
const emailsIn = (text: string) =>
  Array.from(text.matchAll(/<th scope="row"><a href="[^"]+"><bdi>(.*?)<\/bdi>/g), ([, email]) => email)
/** Returns the newest row of the audit log. */
const noted = async () => {
  const [row] = await t.app.deps.store.audit.list(1)
  return [row?.author.name, row?.action, row?.subject.name, row?.before, row?.after]
}

describe('the list', () => {
  test('says of each account whether it administers the server, in how many projects it is, its state and when it was last seen', async () => {
    await setRole(t, jane, 'member')
    await addAccount(t, { email: 'gone@example.org', isSuspended: true })
    const { text } = await admin.get(PATH)
    expect(emailsIn(text)).toEqual(['gone@example.org', 'jane@example.org', 'root@example.org'])
    expect(wordsOf(text)).toContain('gone@example.org suspended no 0 none never')
    expect(wordsOf(text)).toContain('jane@example.org no 1 none never')
    expect(wordsOf(text)).toContain('root@example.org yes 0 none 1 min ago')
  })

  test('is searched, and goes on after fifty', async () => {
    for (let n = 0; n < 60; n++) await addAccount(t, { email: `many${String(n).padStart(2, '0')}@example.org` })
    const { text } = await admin.get(`${PATH}?q=MANY`)
    expect(emailsIn(text)).toHaveLength(50)
    const [, more = ''] = /class="rest"><a[^>]*href="([^"]+)"/.exec(text) ?? []
    expect(emailsIn((await admin.get(more.replaceAll('&amp;', '&'))).text)).toHaveLength(10)
    expect((await admin.get(`${PATH}?q=nobody`)).text).toContain('No account matches')
  })
})

describe('a new account', () => {
  test('gets a link for its password, which is shown once', async () => {
    const { location } = await admin.submit(`${PATH}/new`, { email: 'New@Example.org' })
    const account = await stored('new@example.org')
    expect(location).toBe(`${PATH}/${account?.id}/link`)
    expect(account?.isAdministrator).toBe(false)
    expect((await noted()).slice(0, 3)).toEqual(['root@example.org', 'create', 'new@example.org'])
  })

  test('has the zone of its administrator, unless another one is chosen', async () => {
    await admin.post('/account', { tz: 'Europe/Riga', theme: 'system' })
    expect((await admin.get(`${PATH}/new`)).text).toContain('value="Europe/Riga"')
    await admin.post(`${PATH}/new`, { email: 'far@example.org', tz: 'Asia/Tokyo' })
    expect((await stored('far@example.org'))?.tz).toBe('Asia/Tokyo')
    const { status, text } = await admin.post(`${PATH}/new`, { email: 'else@example.org', tz: 'Mars' })
    expect([status, text.includes('id="tz-error"'), await stored('else@example.org')]).toEqual([422, true, null])
  })

  test('asks again for an email that is none or is taken', async () => {
    for (const email of ['nobody', 'jane@example.org']) {
      const { status, text } = await admin.post(`${PATH}/new`, { email })
      expect([email, status]).toEqual([email, 422])
      expect(text).toContain(`value="${email}"`)
    }
  })
})

test('a link for another password is shown once, and works for who opens it', async () => {
  const answer = await admin.ask(
    'POST',
    ofJane(),
    { origin: 'http://localhost:8000', 'content-type': 'application/x-www-form-urlencoded' },
    'action=reset',
  )
  expect(answer.headers.get('location')).toBe(ofJane('/link'))
  const cookie = answer.headers.get('set-cookie') ?? ''
  expect(cookie).toContain(`Path=${ofJane('/link')};`)
  const [, token = ''] = /^overdue_new_link=([^;]+)/.exec(cookie) ?? []
  const session = `overdue_session=${admin.token()}`
  const shown = await admin.get(ofJane('/link'), { cookie: `${session}; overdue_new_link=${token}` })
  expect(shown.text).toContain(`http://localhost:8000/password/${token}`)
  expect(shown.headers.get('set-cookie')).toStartWith('overdue_new_link=;')
  expect((await admin.get(ofJane('/link'))).text).toContain('has been shown already')
  expect(await noted()).toEqual([
    'root@example.org',
    'edit',
    'jane@example.org',
    { password_link: null },
    { password_link: true },
  ])
  const chosen = await openBrowser(t).submit(`/password/${token}`, { password: 'harbour-mint-lantern' })
  expect(chosen.status).toBe(303)
})

describe('an account', () => {
  test('that is suspended loses its sessions at once, and can be let in again', async () => {
    const browser = await signedIn(t, jane)
    expect((await admin.submit(ofJane(), { action: 'suspend' })).location).toContain('done=account-suspended')
    expect((await browser.get('/account')).status).toBe(303)
    expect(await stored()).toMatchObject({ isSuspended: true })
    const { text } = await admin.get(ofJane())
    expect(text).toContain('Unsuspend')
    expect(text).not.toContain('Create a password link')
    await admin.submit(ofJane(), { action: 'unsuspend' })
    expect(await stored()).toMatchObject({ isSuspended: false })
  })

  test('is signed out everywhere', async () => {
    const browser = await signedIn(t, jane)
    await admin.post(ofJane(), { action: 'sign-out' })
    expect((await browser.get('/account')).status).toBe(303)
    expect((await t.app.deps.store.audit.list(5)).map(({ action, subject }) => `${action} ${subject.kind}`)).toContain(
      'delete session',
    )
  })

  test('of the administrator loses its session, and the page of the sign-in says what was done', async () => {
    const { location } = await admin.post(`${PATH}/${admin.account.id}`, { action: 'sign-out' })
    expect(location).toBe('/sign-in?done=account-signed-out')
    expect((await openBrowser(t).get(location ?? '')).text).toContain('role="status"')
  })

  test('loses its second factor, for who has lost the app', async () => {
    const change = (account: Account): Account => ({ ...account, totp: { secret: 'ABCD', usedStep: null } })
    await t.app.deps.store.by(anAuthor({ at: t.clock.now() })).accounts.change(jane.id, change, null)
    expect((await admin.get(ofJane())).text).toContain('value="remove-second-factor"')
    t.clock.advance({ seconds: 1 })
    await admin.post(ofJane(), { action: 'remove-second-factor' })
    expect(await stored()).toMatchObject({ totp: null })
    expect((await noted()).slice(0, 2)).toEqual(['root@example.org', 'edit'])
  })

  test('loses passkeys by the same button, also without an app', async () => {
    const button = async () => (await admin.get(ofJane())).text.includes('value="remove-second-factor"')
    expect(await button()).toBe(false)
    const times = { createdAt: t.clock.now(), lastUsedAt: null }
    const passkey = {
      id: 'id',
      accountId: jane.id,
      name: 'Lost key',
      publicKey: 'key',
      counter: 0,
      transports: [],
      ...times,
    }
    await t.app.deps.store.by(anAuthor({ at: t.clock.now() })).passkeys.add(passkey, null)
    expect(await button()).toBe(true)
    await admin.post(ofJane(), { action: 'remove-second-factor' })
    expect(await t.app.deps.store.passkeys.list(jane.id)).toEqual([])
  })

  test('is made an administrator, and no administrator again', async () => {
    await admin.post(ofJane(), { action: 'make-administrator' })
    expect(await noted()).toEqual([
      'root@example.org',
      'edit',
      'jane@example.org',
      { administrator: false },
      { administrator: true },
    ])
    await admin.post(ofJane(), { action: 'unmake-administrator' })
    expect(await stored()).toMatchObject({ isAdministrator: false })
  })

  test('is deleted by whoever types its email', async () => {
    await setRole(t, jane, 'owner')
    expect((await admin.get(ofJane('/delete'))).text).toContain('<li><bdi>Tests</bdi></li>')
    expect((await admin.post(ofJane('/delete'), { confirm: 'jane' })).status).toBe(422)
    expect(await stored()).not.toBeNull()
    const { location } = await admin.post(ofJane('/delete'), { confirm: 'jane@example.org' })
    expect(location).toContain('done=account-deleted')
    expect(await stored()).toBeNull()
  })

  test('that administers alone is not taken away', async () => {
    const own = `${PATH}/${admin.account.id}`
    for (const action of ['suspend', 'unmake-administrator']) {
      const { status, text } = await admin.post(own, { action })
      expect([action, status]).toEqual([action, 422])
      expect(text).toContain('it is the last administrator')
    }
    expect((await admin.post(`${own}/delete`, { confirm: 'root@example.org' })).status).toBe(422)
    expect(await stored(admin.account.id)).toMatchObject({ isAdministrator: true, isSuspended: false })
  })

  test('that does not exist has no page, and no action has another name', async () => {
    for (const id of ['root@example.org', 'x', '00000000-0000-4000-8000-000000000000']) {
      expect((await admin.get(`${PATH}/${id}`)).status).toBe(404)
    }
    expect((await admin.post(ofJane(), { action: 'promote' })).status).toBe(400)
  })
})

test('whoever signed in long ago is asked again before an account is shown or changed', async () => {
  t.clock.advance({ minutes: 31 })
  for (const path of [`${PATH}/new`, ofJane(), ofJane('/delete')]) {
    expect((await admin.get(path)).location).toBe(`/confirm?next=${encodeURIComponent(path)}`)
    expect((await admin.post(path, { action: 'suspend' })).location).toStartWith('/confirm')
  }
  expect(await stored()).toMatchObject({ isSuspended: false })
})
