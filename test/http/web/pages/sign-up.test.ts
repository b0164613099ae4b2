/** Signing up: only where it is open, by a mailed link that does not reveal existing accounts, or at once. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { addAccount, type Browser, openBrowser } from '../../../support/browser.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const OPEN = { REGISTRATION_OPEN: 'True' }
const WITH_MAIL = { ...OPEN, EMAIL_HOST: 'mail.example.org' }
const PASSWORD = 'tide-lamp-orchard'

let t: TestApp
let browser: Browser
const begin = async (env: Readonly<Record<string, string>>, isFirst = false) => {
  t = await testApp({ env })
  if (!isFirst) await addAccount(t, { email: 'ann@example.org' })
  browser = openBrowser(t)
}
afterEach(() => t.close())

const found = (email: string) => t.app.deps.store.accounts.find(email)

describe('with email', () => {
  beforeEach(() => begin(WITH_MAIL))
  const ask = async (email: string) => {
    const answer = await browser.post('/sign-up', { email })
    await t.app.deps.background.drain()
    return answer
  }
  const mailed = () => {
    const [url] = /http\S+\/sign-up\/[\w-]+/.exec(t.mails.at(-1)?.text ?? '') ?? []
    if (url === undefined) throw new Error('no link was mailed')
    return new URL(url).pathname
  }

  test('the page says the same whether an address has an account; only its mailbox learns it', async () => {
    const [fresh, known] = [await ask('kim@example.org'), await ask('ann@example.org')]
    expect([fresh.status, known.status]).toEqual([200, 200])
    expect(fresh.text.replace('kim@', '')).toBe(known.text.replace('ann@', ''))
    expect(t.mails.map(({ to }) => to)).toEqual(['kim@example.org', 'ann@example.org'])
    expect(t.mails[0]?.text).toContain('/sign-up/')
    expect(t.mails[1]?.text).not.toContain('/sign-up/')
    expect(t.mails[1]?.text).toContain('You already have one')
  })

  test('the link makes an account with a proven address, once', async () => {
    await ask('kim@example.org')
    const path = mailed()
    const page = await browser.get(path)
    expect(page.text).toContain('For <b><bdi>kim@example.org</bdi></b>.')
    expect(await found('kim@example.org')).toBeNull()
    // The address is that of the link, whatever the form says.
    const { location } = await browser.post(path, {
      email: 'victim@example.org',
      password: PASSWORD,
      tz: 'Europe/Riga',
    })
    expect(location).toBe('/projects/new?done=account-made')
    expect(await found('victim@example.org')).toBeNull()
    expect(await found('kim@example.org')).toMatchObject({
      tz: 'Europe/Riga',
      isEmailConfirmed: true,
      isAdministrator: false,
    })
    expect((await browser.get('/account')).text).toContain('kim@example.org')
    for (const again of [await openBrowser(t).get(path), await openBrowser(t).post(path, { password: PASSWORD })]) {
      expect(again.status).toBe(404)
    }
  })

  test('the link leads in the end to the page that was asked for, also for who has an account', async () => {
    const next = '?next=%2Finvitation%2Fx'
    expect((await browser.get(`/sign-in${next}`)).text).toContain(`href="/sign-up${next}"`)
    expect((await browser.get(`/sign-up${next}`)).text).toContain(`action="/sign-up${next}"`)
    for (const email of ['ann@example.org', 'kim@example.org']) {
      await browser.post(`/sign-up${next}`, { email })
      await t.app.deps.background.drain()
    }
    const [known, fresh] = t.mails.map(({ text }) => text)
    expect(known).toContain(`/sign-in${next}`)
    const [, query] = /sign-up\/[\w-]+(\?\S+)/.exec(fresh ?? '') ?? []
    expect(query).toBe(next)
    expect((await browser.post(mailed() + next, { password: PASSWORD })).location).toBe(
      '/invitation/x?done=account-made',
    )
  })

  test('one person’s link ends no link of others', async () => {
    await ask('kim@example.org')
    const kims = mailed()
    await ask('lee@example.org')
    await openBrowser(t).post(mailed(), { password: PASSWORD })
    expect((await browser.get(kims)).status).toBe(200)
  })

  test('a link ends after a day, and when its address has got an account', async () => {
    await ask('kim@example.org')
    const path = mailed()
    await addAccount(t, { email: 'kim@example.org' })
    const { status, text } = await browser.post(path, { password: PASSWORD })
    expect([status, text.includes('No account can be created with this address.')]).toEqual([422, true])
    t.clock.advance({ hours: 24 })
    expect((await browser.get(path)).status).toBe(404)
    expect((await browser.get(`/sign-up/${'x'.repeat(43)}`)).status).toBe(404)
  })

  test('a weak password leaves the link as it is', async () => {
    await ask('kim@example.org')
    const path = mailed()
    expect((await browser.post(path, { password: 'short' })).text).toContain('id="password-error"')
    expect((await browser.post(path, { password: PASSWORD })).status).toBe(303)
  })

  test('no mailbox is filled, and what is no address gets none', async () => {
    for (let tries = 0; tries < 5; tries++) await ask('kim@example.org')
    expect((await ask('kim@example.org')).status).toBe(429)
    const { status, text } = await ask('<img src=x>')
    expect([status, text.includes('id="email-error"'), text.includes('<img src')]).toEqual([422, true, false])
    expect(t.mails).toHaveLength(5)
  })
})

describe('without email', () => {
  beforeEach(() => begin(OPEN))
  const make = (email: string, password = PASSWORD) => browser.post('/sign-up', { email, password })

  test('an account is made at once, with an address that nobody has proved', async () => {
    expect((await browser.get('/sign-in')).text).toContain('href="/sign-up"')
    expect((await make('kim@example.org')).location).toBe('/projects/new?done=account-made')
    expect(await found('kim@example.org')).toMatchObject({ isEmailConfirmed: false, isAdministrator: false })
    expect((await browser.get('/projects/new')).status).toBe(200)
  })

  test('an address that has an account is refused, and only a few may be tried', async () => {
    const before = await found('ann@example.org')
    const answers = [0, 1, 2, 3, 4, 5].map(() => make('ann@example.org'))
    expect((await Promise.all(answers)).map(({ status }) => status).toSorted()).toEqual([422, 422, 422, 422, 422, 429])
    expect(await found('ann@example.org')).toEqual(before)
  })

  test('a network makes twenty accounts in an hour, and mistakes are not counted', async () => {
    for (let n = 0; n < 20; n++) {
      expect((await openBrowser(t).post('/sign-up', { email: `kim${n}@example.org`, password: 'short' })).status).toBe(
        422,
      )
    }
    const made: number[] = []
    for (let n = 0; n < 21; n++) {
      made.push((await openBrowser(t).post('/sign-up', { email: `kim${n}@example.org`, password: PASSWORD })).status)
    }
    expect(made).toEqual([...Array(20).fill(303), 429])
    expect(await found('kim20@example.org')).toBeNull()
  })

  test('mistakes are shown at their fields', async () => {
    expect((await make('kim', PASSWORD)).text).toContain('id="email-error"')
    expect((await make('kim@example.org', 'short')).text).toContain('id="password-error"')
  })
})

test('the first account, which administers, is not made by signing up', async () => {
  await begin(OPEN, true)
  expect((await browser.get('/sign-up')).location).toBe('/')
  expect((await browser.post('/sign-up', { email: 'kim@example.org', password: PASSWORD })).status).toBe(403)
  expect(await t.app.deps.store.accounts.exist()).toBe(false)
})

test.each([
  ['registration is closed', {}],
  [
    'people sign in elsewhere',
    {
      ...OPEN,
      LOCAL_SIGN_IN: 'False',
      OIDC_ISSUER: 'https://id.example.org',
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 's',
    },
  ],
  ['a proxy signs people in', { ...OPEN, REMOTE_USER_HEADER: 'X-User', TRUSTED_PROXIES: '127.0.0.1' }],
])('there is no such page where %s', async (_, env) => {
  await begin(env)
  expect((await browser.get('/sign-up')).status).toBe(404)
  expect((await browser.get('/sign-in')).text).not.toContain('/sign-up')
})
