/** Single sign-on at a real provider, in a browser: sign-in, groups, confirmation, linking, and the way in while the provider is away. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { freePort } from '../../test/support/free-port.ts'
import { auditIn, changesByPeople } from './support/audit.ts'
import { CLIENT, type OpenIdServer, openIdServer } from './support/openid-server.ts'
import { openSiteWithAdministrator, type Site } from './support/site.ts'

let site: Site
let provider: OpenIdServer
const port = freePort()
const open = () => openIdServer(port, `${site.server.baseUrl}/sign-in/oidc/callback`, { olga: ['ops'] })

beforeAll(async () => {
  site = await openSiteWithAdministrator({
    OIDC_ISSUER: `http://localhost:${port}`,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Harbour',
    OIDC_ADMIN_GROUP: 'ops',
  })
  provider = await open()
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(async () => {
  await provider.stop()
  await site.close()
})

/** At the pages of the provider. */
async function signInThere(page: Page, name: string): Promise<void> {
  await page.waitForURL(/localhost/)
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('anything')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

/** The provider asks once whether it may tell the email. */
async function agreeThere(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function signIn(name: string, path = '/'): Promise<Page> {
  const page = await site.tab()
  await page.goto(path)
  await page.getByRole('link', { name: 'Sign in with Harbour' }).click()
  await signInThere(page, name)
  await agreeThere(page)
  return page
}

test('Who signs in at the provider gets an account, and comes to the page that was asked for', async () => {
  const page = await signIn('jane', '/account/sessions')
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  expect((await page.context().cookies(site.server.baseUrl)).map(({ name }) => name)).toContain('overdue_session')
  // No administrator.
  await page.goto('/admin/instances')
  await page.getByRole('heading', { name: 'No access' }).waitFor()
})

test('The group of the provider administers', async () => {
  const page = await signIn('olga')
  await page.goto('/admin/instances')
  await page.getByRole('heading', { name: 'Instances' }).waitFor()
})

test('An email that the provider has not verified signs nobody in', async () => {
  const page = await signIn('unverified')
  await page.getByText('Harbour does not say that unverified@example.org is verified').waitFor()
  await page.getByRole('link', { name: 'Back' }).click()
  expect(new URL(page.url()).pathname).toBe('/sign-in')
})

test('An address with a code works once, and only in the browser that has begun', async () => {
  const page = await site.tab()
  const [asked] = await Promise.all([
    page.waitForRequest((request) => request.url().includes('/sign-in/oidc/callback')),
    (async () => {
      await page.goto('/sign-in')
      await page.getByRole('link', { name: 'Sign in with Harbour' }).click()
      await signInThere(page, 'once')
      await agreeThere(page)
    })(),
  ])
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  for (const tab of [page, await site.tab()]) {
    await tab.goto(asked.url())
    await tab.getByText('This sign-in has ended').waitFor()
  }
})

test('A sensitive page asks for a proof at the provider, which asks for the password although it knows the browser', async () => {
  const page = await signIn('carol')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.goto('/account/security')
  await page.getByRole('link', { name: 'Manage single sign-on' }).click()
  await page.getByRole('link', { name: 'Confirm with Harbour' }).click()
  await signInThere(page, 'carol')
  await page.getByRole('heading', { name: 'Single sign-on' }).waitFor()
  // It is the only way in.
  await page.getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('This is the only way into your account').waitFor()
})

test('An account with a password is linked to somebody with another email, and unlinked', async () => {
  const page = await site.tab({ as: await site.person('frank@example.org') })
  await page.goto('/account/security')
  await page.getByRole('link', { name: 'Manage single sign-on' }).click()
  await page.getByRole('button', { name: 'Link account' }).click()
  await signInThere(page, 'frankfurt')
  await agreeThere(page)
  await page.getByRole('heading', { name: 'Is this you?' }).waitFor()
  await page.getByText('frankfurt@example.org').waitFor()
  await page.getByText('frank@example.org', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Link account' }).click()
  await page.getByText('Your account is linked.').waitFor()
  const other = await signIn('frankfurt', '/account')
  await other.getByText('frank@example.org').first().waitFor()
  await page.getByRole('link', { name: 'Manage single sign-on' }).click()
  await page.getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('It is unlinked.').waitFor()
})

test('A link of a command signs in while the provider is away', async () => {
  await provider.stop()
  const page = await site.tab()
  const { url } = await site.server.overdue<{ url: string }>('account', 'link', 'jane@example.org')
  await page.goto(new URL(url).pathname)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  provider = await open()
})

test('The audit log has a row for each thing that was done, in this order, and none besides', async () => {
  expect(changesByPeople(await auditIn(site.server.databaseUrl))).toEqual([
    'jane@example.org create account jane@example.org',
    'jane@example.org create identity jane@example.org',
    'jane@example.org create session jane@example.org: oidc',
    'olga@example.org create account olga@example.org',
    'olga@example.org create identity olga@example.org',
    'olga@example.org create session olga@example.org: oidc',
    'once@example.org create account once@example.org',
    'once@example.org create identity once@example.org',
    'once@example.org create session once@example.org: oidc',
    'carol@example.org create account carol@example.org',
    'carol@example.org create identity carol@example.org',
    'carol@example.org create session carol@example.org: oidc',
    'frank@example.org edit account frank@example.org: has_password, password_changed',
    'frank@example.org create session frank@example.org: password',
    'frank@example.org create identity frank@example.org',
    'frank@example.org create session frank@example.org: oidc',
    'frank@example.org delete identity frank@example.org',
    'jane@example.org create session jane@example.org: printed-link',
  ])
})
