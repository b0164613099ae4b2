/** A new email address of an account: proved by a link, reported to the old address, and refused to everybody else. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../../src/domain/account/account.ts'
import { addAccount, type Browser, openBrowser, signedIn } from '../../../../support/browser.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const OLD = 'ann@example.org'
const NEW = 'anna@example.org'
const PATH = '/account/email'

let t: TestApp
let ann: Account
let browser: Browser
const begin = async (env: Readonly<Record<string, string>>) => {
  t = await testApp({ env })
  ann = await addAccount(t, { email: OLD })
  browser = await signedIn(t, ann)
}
afterEach(() => t.close())

const ask = async (email: string) => {
  const answer = await browser.submit(PATH, { email })
  await t.app.deps.background.drain()
  return answer
}
const emailNow = async () => (await t.app.deps.store.accounts.find(ann.id))?.email

describe('where this server sends emails', () => {
  beforeEach(() => begin({ EMAIL_HOST: 'mail.example.org' }))

  const mailed = () => {
    const [url] = /http\S+\/account\/email\/[\w-]+/.exec(t.mails.at(-1)?.text ?? '') ?? []
    if (url === undefined) throw new Error('no link was mailed')
    return new URL(url).pathname
  }

  test('a link to the new address changes it, once, and the old address is told', async () => {
    const other = await signedIn(t, ann)
    expect((await ask(` ${NEW.toUpperCase()} `)).text).toContain('is on its way')
    expect([t.mails.map(({ to }) => to), await emailNow()]).toEqual([[NEW], OLD])
    expect((await browser.get(mailed())).text).toContain(`<bdi>${NEW}</bdi>`)
    expect(await emailNow()).toBe(OLD)
    const link = mailed()
    expect((await browser.submit(link, {})).location).toBe('/account?done=email-changed')
    await t.app.deps.background.drain()
    expect(await t.app.deps.store.accounts.find(ann.id)).toMatchObject({ email: NEW, isEmailConfirmed: true })
    expect(t.mails.at(-1)).toMatchObject({ to: OLD })
    expect(t.mails.at(-1)?.text).toContain(NEW)
    expect((await browser.get('/account')).status).toBe(200)
    expect((await other.get('/account')).status).toBe(303)
    expect((await browser.post(link)).status).toBe(404)
  })

  test('the link is nothing to another account, to a stranger, and after an hour', async () => {
    await ask(NEW)
    const other = await signedIn(t, await addAccount(t))
    expect([(await other.get(mailed())).status, (await other.post(mailed())).status]).toEqual([404, 404])
    expect((await openBrowser(t).post(mailed())).status).toBe(401)
    t.clock.advance({ minutes: 60 })
    browser = await signedIn(t, ann)
    expect((await browser.post(mailed())).status).toBe(404)
    expect(await emailNow()).toBe(OLD)
  })

  test('an address that has an account gets the same answer, and an email without a link', async () => {
    const bob = await addAccount(t, { email: 'bob@example.org' })
    const taken = await ask(bob.email)
    const free = await ask('free@example.org')
    expect(taken.text.replaceAll(bob.email, '')).toBe(free.text.replaceAll('free@example.org', ''))
    expect(t.mails[0]).toMatchObject({ to: bob.email })
    expect(t.mails[0]?.text).not.toContain('/account/email/')
  })

  test('an address that got an account meanwhile is refused', async () => {
    await ask(NEW)
    await addAccount(t, { email: NEW })
    expect((await browser.post(mailed())).status).toBe(409)
    expect(await emailNow()).toBe(OLD)
  })

  test('no mailbox is filled', async () => {
    for (let tries = 0; tries < 5; tries++) await ask(NEW)
    expect((await ask(NEW)).status).toBe(429)
    expect(t.mails).toHaveLength(5)
  })

  test('a text that is no address is shown again as text', async () => {
    const refused = await ask('"><img src=x>')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('value="&quot;&gt;&lt;img src=x&gt;"')
  })
})

describe('where it sends none', () => {
  beforeEach(() => begin({}))

  test('it changes at once, and counts as not confirmed', async () => {
    expect((await ask(NEW)).location).toBe('/account?done=email-changed')
    expect(await t.app.deps.store.accounts.find(ann.id)).toMatchObject({ email: NEW, isEmailConfirmed: false })
  })

  test('an address that has an account is refused, and so are many tries', async () => {
    await addAccount(t, { email: NEW })
    expect((await ask(NEW)).status).toBe(422)
    for (let tries = 1; tries < 5; tries++) await ask(NEW)
    expect((await ask(NEW)).status).toBe(429)
  })

  test('the own address changes nothing', async () => {
    expect((await ask(OLD.toUpperCase())).location).toBe('/account?done=email-same')
  })
})
