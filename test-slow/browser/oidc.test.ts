/** Single sign-on at a real provider, in a browser: sign-in, groups, confirmation, linking, and signing in while the provider is down. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { freePort } from '../../test/support/free-port.ts'
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

/** Signs in at the pages of the provider. */
async function signInThere(page: Page, name: string): Promise<void> {
  await page.waitForURL(/localhost/)
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('anything')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

/** Agrees at the provider, which asks once whether it may pass the email on. */
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
  await page.getByText('Account linked.').waitFor()
  const other = await signIn('frankfurt', '/account')
  await other.getByText('frank@example.org').first().waitFor()
  await page.getByRole('link', { name: 'Manage single sign-on' }).click()
  await page.getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('Identity unlinked.').waitFor()
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
