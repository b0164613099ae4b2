/** Signing in by a link in an email: the page asks for confirmation, the email reveals nothing to strangers, the link works once. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../../src/domain/account/account.ts'
import { addAccount, type Browser, openBrowser, signedIn } from '../../../../support/browser.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const EMAIL = 'ann@example.org'

let t: TestApp
let ann: Account
let browser: Browser
beforeEach(async () => {
  t = await testApp({ env: { EMAIL_HOST: 'mail.example.org' } })
  ann = await addAccount(t, { email: EMAIL })
  browser = openBrowser(t)
})
afterEach(() => t.close())

const askFor = async (email: string) => {
  const answer = await browser.post('/sign-in/link', { email })
  await t.app.deps.background.drain()
  return answer
}

/** Returns the path of the newest mailed link. */
const mailed = () => {
  const [url] = /http\S+\/sign-in\/link\/[\w-]+/.exec(t.mails.at(-1)?.text ?? '') ?? []
  if (url === undefined) throw new Error('no link was mailed')
  return new URL(url).pathname
}

describe('the form', () => {
  test('mails a link, and says the same whether there is such an account or not', async () => {
    const known = await askFor(` ${EMAIL.toUpperCase()}`)
    expect(t.mails.map(({ to }) => to)).toEqual([EMAIL])
    const unknown = await askFor('nobody@example.org')
    expect(t.mails).toHaveLength(1)
    expect([known.status, unknown.status]).toEqual([200, 200])
    const same = (text: string) => text.replace(/<bdi>[^<]*@example[^<]*<\/bdi>/i, '')
    expect(same(known.text)).toBe(same(unknown.text))
    expect(known.text).toContain('a link is on its way')
  })
})

describe('the page that was asked for', () => {
  const walk = async (next: string) => {
    const query = new URLSearchParams({ next })
    const signIn = (await browser.get(`/sign-in?${query}`)).text
    const [, ask = ''] = /href="(\/sign-in\/link[^"]*)"/.exec(signIn) ?? []
    const [, action = ''] = /action="(\/sign-in\/link[^"]*)"/.exec((await browser.get(ask)).text) ?? []
    await browser.post(action, { email: EMAIL })
    await t.app.deps.background.drain()
    const { pathname, search } = new URL(/http\S+\/sign-in\/link\/\S+/.exec(t.mails.at(-1)?.text ?? '')?.[0] ?? '')
    return { search, location: (await browser.post(pathname + search)).location }
  }

  test('is where the link leads in the end', async () => {
    expect((await walk('/projects?q=a&b=1')).location).toBe('/projects?q=a&b=1')
  })

  test.each(['//evil.example.org/', 'https://evil.example.org/', `/${'x'.repeat(500)}`, '/'])(
    'is in no email if it is the start, of another server or too long: %s',
    async (next) => expect(await walk(next)).toEqual({ search: '', location: '/' }),
  )

  test.each(['//evil.example.org/', 'javascript:alert(1)'])(
    'is on this server, whatever becomes of the link: %s',
    async (next) => {
      await askFor(EMAIL)
      expect((await browser.post(`${mailed()}?${new URLSearchParams({ next })}`)).location).toBe('/')
    },
  )
})

describe('the link', () => {
  beforeEach(() => askFor(EMAIL))

  test('asks first, so that programs that open links use none up', async () => {
    for (const _ of [1, 2]) {
      const { status, text, headers } = await browser.get(mailed())
      expect(status).toBe(200)
      expect(text).toContain(`Sign in as <b><bdi>${EMAIL}</bdi></b>?`)
      expect(headers.get('set-cookie')).toBeNull()
    }
    expect((await browser.get('/account')).status).toBe(303)
  })

  test('signs in once', async () => {
    const answer = await browser.post(mailed())
    expect([answer.status, answer.location]).toEqual([303, '/'])
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax$/)
    expect((await browser.get('/account')).text).toContain(EMAIL)
    const stranger = openBrowser(t)
    expect((await stranger.get(mailed())).status).toBe(404)
    const again = await stranger.post(mailed())
    expect([again.status, again.headers.get('set-cookie')]).toEqual([404, null])
    expect(again.text).toContain(
      'This link was used already, a newer one has replaced it, or it has expired; ask for a new one.',
    )
  })

  test('says before what goes with it where nobody has confirmed the address', async () => {
    const words = 'This address has not been confirmed yet.'
    expect((await browser.get(mailed())).text).not.toContain(words)
    await addAccount(t, { email: 'victim@example.org', isEmailConfirmed: false })
    await askFor('victim@example.org')
    expect((await browser.get(mailed())).text).toContain(words)
  })

  test('ends when the password is changed', async () => {
    const own = await signedIn(t, ann)
    expect((await own.post('/account/security/password', { password: 'tide-lamp-orchard' })).status).toBe(303)
    expect((await browser.post(mailed())).status).toBe(404)
  })
})
