/** Passkeys on the pages: added, used to sign in, as a second factor and to confirm, renamed, removed. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../src/domain/account/account.ts'
import { type CreationOptions, PASSKEY_LIMIT, type RequestOptions } from '../../../../src/domain/account/passkey.ts'
import { addAccount, type Browser, type Fields, openBrowser, signedIn } from '../../../support/browser.ts'
import { type Claims, type PasskeyDevice, passkeyDevice } from '../../../support/passkey-device.ts'
import { anAuthor, only } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const ORIGIN = 'https://overdue.example.org'
const SECURITY = '/account/security'
const NEW = `${SECURITY}/passkeys/new`
const PASSWORD = 'tide-lamp-orchard'

let t: TestApp
let ann: Account
let browser: Browser
let device: PasskeyDevice
const begin = async (env: Readonly<Record<string, string>> = {}, over: Partial<Account> = {}) => {
  t = await testApp({ env: { SITE_ROOT: ORIGIN, ...env } })
  ann = await addAccount(t, { email: 'ann@example.org', ...over }, PASSWORD)
  browser = openBrowser(t)
  device = passkeyDevice({ origin: ORIGIN })
}
afterEach(() => t.close())

/** The cookies of a browser and those that answers have set. */
class Jar {
  readonly #cookies = new Map<string, string>()

  header(own: Browser): { readonly cookie: string } {
    const token = own.token()
    const session = token === null ? [] : [`overdue_session=${token}`]
    return { cookie: [...session, ...[...this.#cookies].map(([name, value]) => `${name}=${value}`)].join('; ') }
  }

  keep({ headers }: { readonly headers: Headers }): string {
    const [, name = '', value = ''] = /^(\w+)=([^;]*)/.exec(headers.get('set-cookie') ?? '') ?? []
    if (name !== 'overdue_session') this.#cookies.set(name, value)
    return headers.get('set-cookie') ?? ''
  }
}

let jar: Jar
beforeEach(() => {
  jar = new Jar()
})

/** Acts like the script: requests data to sign, and sends the form with the signature. */
async function send(path: string, fields: Fields = {}, claims: Claims = {}) {
  const origin = { origin: ORIGIN }
  const asked = await browser.ask('POST', `${path}/passkey-options`, { ...origin, ...jar.header(browser) })
  jar.keep(asked)
  const options = (await asked.json()) as CreationOptions | RequestOptions
  const passkey = 'user' in options ? device.create(options, claims) : device.get(options, claims)
  const answer = await browser.post(path, { ...fields, passkey }, jar.header(browser))
  jar.keep(answer)
  return answer
}

async function signIn() {
  browser = await signedIn(t, ann)
}

function signOut() {
  browser = openBrowser(t)
}

const confirm = () => browser.post('/confirm', { means: 'password', password: PASSWORD, next: '/' })
const withoutPassword = () =>
  t.app.deps.store.by(anAuthor()).accounts.change(ann.id, (stored) => ({ ...stored, passwordHash: null }), null)
const withTotp = () =>
  t.app.deps.store
    .by(anAuthor())
    .accounts.change(ann.id, (stored) => ({ ...stored, totp: { secret: 'A'.repeat(32), usedStep: null } }), null)

async function add(name = 'Laptop') {
  if (browser.token() === null) await signIn()
  await confirm()
  return send(NEW, { name })
}

describe('a passkey', () => {
  beforeEach(() => begin())

  test('is added under a name, listed, renamed and removed', async () => {
    await signIn()
    await confirm()
    const page = await browser.get(NEW)
    expect(page.text).toContain('value="Firefox 133 on Linux"')
    expect(page.text).toContain(`data-passkey="${NEW}/passkey-options" data-passkey-origin="${ORIGIN}"`)
    expect((await send(NEW, { name: 'My <laptop>' })).location).toBe(`${SECURITY}?done=passkey-added`)
    const { id } = only(device.credentials)
    const path = `${SECURITY}/passkeys/${id}`
    const listed = await browser.get(SECURITY)
    expect(listed.text).toContain('<th scope="row"><bdi>My &lt;laptop&gt;</bdi></th>')
    expect(listed.text).toContain(`href="${path}"`)
    expect((await browser.get(path)).text).toContain('value="My &lt;laptop&gt;"')
    expect((await browser.post(path, { action: 'rename', name: '' })).status).toBe(422)
    expect((await browser.post(path, { action: 'rename', name: 'Phone' })).location).toBe(`${SECURITY}?done=saved`)
    expect((await browser.get(SECURITY)).text).toContain('<bdi>Phone</bdi>')
    const others = await signedIn(t, ann)
    expect((await browser.post(path, { action: 'remove' })).location).toBe(`${SECURITY}?done=passkey-removed`)
    expect((await browser.get(SECURITY)).text).not.toContain('<bdi>Phone</bdi>')
    expect((await others.get('/account')).status).toBe(303)
    expect((await browser.get(path)).status).toBe(404)
  })

  test('is added and changed only by who has proved who it is', async () => {
    await signIn()
    const asked = await browser.get(NEW)
    expect(asked.location).toBe(`/confirm?next=${encodeURIComponent(NEW)}`)
    expect((await send(NEW, { name: 'Laptop' })).location).toContain('/confirm')
    expect(await t.app.deps.store.passkeys.list(ann.id)).toEqual([])
  })

  test('comes back to the form with what was wrong, and nothing that was signed', async () => {
    await signIn()
    await confirm()
    const nameless = await send(NEW, { name: ' ' })
    expect([nameless.status, nameless.text]).toEqual([422, expect.stringContaining('A passkey needs a name')])
    const foreign = await send(NEW, { name: 'Laptop' }, { origin: 'https://example.com' })
    expect(foreign.text).toContain('The passkey was not accepted.')
    const without = await browser.post(NEW, { name: 'Laptop' }, jar.header(browser))
    expect(without.text).toContain('The browser sent no passkey: passkeys need JavaScript')
    for (const { text } of [nameless, foreign, without]) expect(text).toContain('<input type="hidden" name="passkey">')
    expect(await t.app.deps.store.passkeys.list(ann.id)).toEqual([])
  })

  test('is not offered beyond the limit', async () => {
    for (let n = 0; n < PASSKEY_LIMIT; n++) {
      const passkey = {
        id: `id-${n}`,
        accountId: ann.id,
        name: `Key ${n}`,
        publicKey: 'pQ',
        counter: 0,
        transports: [],
      }
      await t.app.deps.store
        .by(anAuthor())
        .passkeys.add({ ...passkey, createdAt: t.clock.now(), lastUsedAt: null }, null)
    }
    await signIn()
    const { text } = await browser.get(SECURITY)
    expect(text).not.toContain(NEW)
    expect(text).toContain('You have 20 passkeys, the most that an account can have.')
  })
})

describe('the sign-in', () => {
  beforeEach(async () => {
    await begin()
    await add()
    signOut()
  })

  test('takes a passkey without an email, and leads to the page that was asked for', async () => {
    const { text } = await browser.get('/sign-in?next=/account')
    expect(text).toContain('Sign in with a passkey')
    expect(text).toContain('<noscript><p class="help">Passkeys need JavaScript.</p></noscript>')
    expect((await send('/sign-in', { next: '/account' })).location).toBe('/account')
    expect((await browser.get('/account')).text).toContain('ann@example.org')
    const { session } = only(
      (await t.app.deps.store.sessions.list(ann.id))
        .filter(({ method }) => method === 'passkey')
        .map((session) => ({ session })),
    )
    expect(session.confirmedAt).toEqual(t.clock.now())
  })

  test('keeps what it asked for in a cookie of its own page', async () => {
    const asked = await browser.ask('POST', '/sign-in/passkey-options', { origin: ORIGIN })
    expect(asked.headers.get('content-type')).toBe('application/json')
    expect(asked.headers.get('cache-control')).toBe('no-store')
    expect(asked.headers.get('set-cookie')).toMatch(
      /^overdue_passkey=[\w-]{43}; Path=\/sign-in; Max-Age=300; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect((await browser.ask('POST', '/sign-in/passkey-options', { origin: 'https://example.com' })).status).toBe(403)
  })

  test('shows why a passkey was refused, beside the form', async () => {
    const answer = await send('/sign-in', {}, { challenge: 'AAAA' })
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('The passkey was not accepted.')])
    const without = await browser.post('/sign-in', { passkey: '' })
    expect(without.text).toContain('The browser sent no passkey: passkeys need JavaScript')
    expect(browser.token()).toBeNull()
  })

  test('asks for the second factor after a passkey that has not recognised the person, and not for another passkey', async () => {
    await withTotp()
    const answer = await send('/sign-in', { next: '/account' }, { isVerified: false })
    expect(answer.location).toBe('/sign-in/code?next=%2Faccount')
    expect((await browser.get('/sign-in/code', jar.header(browser))).text).not.toContain('Use a passkey')
    const asked = await browser.ask('POST', '/sign-in/code/passkey-options', { origin: ORIGIN, ...jar.header(browser) })
    expect(asked.status).toBe(401)
    expect(browser.token()).toBeNull()
  })

  test('takes a passkey as the second factor after the password', async () => {
    await withTotp()
    const { headers, location } = await browser.post('/sign-in', { email: 'ann@example.org', password: PASSWORD })
    jar.keep({ headers })
    expect(location).toBe('/sign-in/code')
    expect((await browser.get('/sign-in/code', jar.header(browser))).text).toContain('Use a passkey')
    expect((await send('/sign-in/code', {}, { origin: 'https://example.com' })).text).toContain('was not accepted')
    const answer = await send('/sign-in/code', { next: '/account' }, { isVerified: false })
    expect(answer.location).toBe('/account')
    expect((await browser.get('/account')).text).toContain('ann@example.org')
  })
})

describe('the confirmation', () => {
  beforeEach(async () => {
    await begin()
    await add()
  })

  test('takes a passkey, for the session in which it was asked for', async () => {
    await withoutPassword()
    await signIn()
    expect((await browser.get(NEW)).status).toBe(303)
    const page = await browser.get(`/confirm?next=${NEW}`)
    expect(page.text).toContain('Confirm with passkey')
    expect(page.text).not.toContain('Confirm with password')
    const refused = await send('/confirm', { means: 'passkey', next: NEW }, { rpId: 'example.com' })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('The passkey was not accepted.')])
    expect((await send('/confirm', { means: 'passkey', next: NEW })).location).toStartWith(NEW)
    expect((await browser.get(NEW)).status).toBe(200)
  })
})

describe('where there are none', () => {
  test('the page says why, and lists those that are there already', async () => {
    await begin({ SITE_ROOT: 'http://overdue.example.org' })
    const passkey = { id: 'id', accountId: ann.id, name: 'Old', publicKey: 'pQ', counter: 0, transports: [] }
    await t.app.deps.store.by(anAuthor()).passkeys.add({ ...passkey, createdAt: t.clock.now(), lastUsedAt: null }, null)
    await signIn()
    const { text } = await browser.get(SECURITY)
    expect(text).toContain('Browsers allow passkeys only on localhost, or over HTTPS')
    expect(text).toContain('<code>http://overdue.example.org</code>')
    expect(text).toContain('<bdi>Old</bdi>')
    expect(text).not.toContain(NEW)
    await confirm()
    expect((await browser.get(`${SECURITY}/passkeys/id`)).status).toBe(200)
    signOut()
    expect((await browser.get('/sign-in')).text).not.toContain('passkey')
    expect(
      (await browser.ask('POST', '/sign-in/passkey-options', { origin: 'http://overdue.example.org' })).status,
    ).toBe(404)
  })

  test('because only a provider signs people in, no page names them', async () => {
    const oidc = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'overdue', LOCAL_SIGN_IN: 'False' }
    await begin(oidc)
    await signIn()
    expect((await browser.get(SECURITY)).text).not.toContain('asskey')
    expect((await browser.get(NEW)).status).toBe(404)
  })
})
