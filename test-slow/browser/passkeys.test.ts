/** Passkeys in a browser, with Chromium's virtual authenticator. Browsers allow them over plain http on localhost only. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { CDPSession, Page } from 'playwright-core'
import { totpCode, totpStep } from '../../src/domain/account/totp.ts'
import { Temporal } from '../../src/lib/time.ts'
import { freePort } from '../../test/support/free-port.ts'
import { changeRows } from '../../test/support/rows.ts'
import { brokenRules } from './support/axe.ts'
import { ADMINISTRATOR, openSiteWithAdministrator, openTabs, PASSWORD, type Site } from './support/site.ts'

const SECURITY = '/account/security'
const HOME = { name: 'Overview' }

let site: Site
let proxy: ReturnType<typeof Bun.serve>
let tabs: ReturnType<typeof openTabs>
let page: Page
let devices: CDPSession
let authenticatorId: string

beforeAll(async () => {
  const port = freePort()
  site = await openSiteWithAdministrator({ SITE_ROOT: `http://localhost:${port}` })
  // The port of the server is chosen when it starts, and its address must be known before.
  proxy = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      const { method, headers, body } = request
      return fetch(site.server.baseUrl + pathname + search, {
        method,
        headers,
        body,
        redirect: 'manual',
        decompress: false,
      })
    },
  })
  tabs = openTabs(site.browser, `http://localhost:${port}`)
  page = await tabs.tab()
  devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  authenticatorId = await addDevice('laptop')
})
afterEach(() => expect(tabs.troubles()).toEqual([]))
afterAll(async () => {
  await proxy.stop(true)
  await site.close()
})

/** Adds a virtual device. A laptop recognises the person and keeps passkeys; a simple security key does neither. */
async function addDevice(kind: 'laptop' | 'security key'): Promise<string> {
  const isLaptop = kind === 'laptop'
  const added = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: isLaptop ? 'internal' : 'usb',
      hasResidentKey: isLaptop,
      hasUserVerification: isLaptop,
      isUserVerified: isLaptop,
      automaticPresenceSimulation: true,
    },
  })
  return added.authenticatorId
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

async function signOut(): Promise<void> {
  await page.goto('/account')
  await press('Sign out')
  await page.getByText('You are signed out.').waitFor()
}

async function signInByPassword(): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(ADMINISTRATOR)
  await page.getByLabel('Password').fill(PASSWORD)
  await press('Sign in')
}

/** Makes the proof of the sign-in older than half an hour. */
async function forget(): Promise<void> {
  await changeRows(site.server.databaseUrl, 'UPDATE sessions SET confirmed_at = 1')
}

async function expectAccessible(): Promise<void> {
  for (const [colorScheme, rules] of [
    ['light', 'all'],
    ['dark', 'colours'],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect([colorScheme, await brokenRules(page, rules)]).toEqual([colorScheme, []])
  }
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  if (size) await page.setViewportSize(size)
}

test('A passkey is added under the name of the browser', async () => {
  await page.goto('/sign-in')
  await expectAccessible()
  await signInByPassword()
  await page.getByRole('heading', HOME).waitFor()
  await page.goto(SECURITY)
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  expect(await page.getByLabel('Name').inputValue()).toMatch(/^Chrome \d+ on Linux$/)
  await expectAccessible()
  await page.getByLabel('Name').fill('Laptop <b>')
  await press('Add passkey')
  await page.getByText('Passkey added.').waitFor()
  await page.getByRole('row', { name: /Laptop <b>.*never/ }).waitFor()
  await expectAccessible()
})

test('A device that has a passkey of the account makes no second one', async () => {
  await page.goto(`${SECURITY}/passkeys/new`)
  await press('Add passkey')
  await page.getByRole('alert').getByText('This device already has a passkey for your account.').waitFor()
})

test('It signs in without an email, and leads to the page that was asked for', async () => {
  await signOut()
  await page.goto('/account/sessions')
  await press('Sign in with a passkey')
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  await page.goto(SECURITY)
  await page.getByRole('row', { name: /Laptop <b>.*(just now|seconds? ago|s ago)/ }).waitFor()
})

test('It confirms who it is before something sensitive', async () => {
  await forget()
  await page.goto(`${SECURITY}/passkeys/new`)
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
  await expectAccessible()
  await press('Confirm with passkey')
  await page.getByRole('heading', { name: 'Add a passkey' }).waitFor()
})

test('It is two factors, and also the second one after the password', async () => {
  await page.goto(`${SECURITY}/authenticator`)
  const qrCode = await page.getByRole('img', { name: 'QR code for the authenticator app' }).boundingBox()
  expect([qrCode?.width, qrCode?.height]).toEqual([220, 220])
  await page.getByText('Type the key instead').click()
  const secret = (await page.getByRole('group', { name: 'Key for the app' }).textContent())?.replaceAll(' ', '') ?? ''
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, totpStep(Temporal.Now.instant())))
  await press('Turn on')
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  await signOut()
  await page.goto('/sign-in')
  await press('Sign in with a passkey')
  await page.getByRole('heading', HOME).waitFor()
  await signOut()
  await signInByPassword()
  await page.getByRole('heading', { name: 'Second step' }).waitFor()
  await expectAccessible()
  await press('Use a passkey')
  await page.getByRole('heading', HOME).waitFor()
})

test('A security key that keeps no passkeys itself is the second factor', async () => {
  await devices.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  authenticatorId = await addDevice('security key')
  await page.goto(`${SECURITY}/passkeys/new`)
  await page.getByLabel('Name').fill('Security key')
  await press('Add passkey')
  await page.getByText('Passkey added.').waitFor()
  await signOut()
  await signInByPassword()
  await press('Use a passkey')
  await page.getByRole('heading', HOME).waitFor()
})

test('A passkey that was removed signs in nobody', async () => {
  await devices.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  authenticatorId = await addDevice('laptop')
  await page.goto(`${SECURITY}/passkeys/new`)
  await page.getByLabel('Name').fill('Phone')
  await press('Add passkey')
  await page.getByRole('link', { name: 'Change… the passkey Phone' }).click()
  await expectAccessible()
  await press('Remove passkey')
  await page.getByText('Passkey removed. Your other sessions have ended.').waitFor()
  await signOut()
  await page.goto('/sign-in')
  await press('Sign in with a passkey')
  await page.getByRole('alert').getByText('The passkey was not accepted.').waitFor()
})

test('A browser without a passkey, and another address, say why nothing happens', async () => {
  await devices.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  authenticatorId = await addDevice('laptop')
  await page.goto('/sign-in')
  await press('Sign in with a passkey')
  await page.getByRole('alert').getByText('No passkey was used').waitFor()
  const elsewhere = await site.tab()
  await elsewhere.goto('/sign-in')
  await elsewhere.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await elsewhere
    .getByRole('alert')
    .getByText(/^Passkeys work at http:\/\/localhost:\d+ only/)
    .waitFor()
})
