/** The security of an account in a browser, with real codes: an app, recovery codes, proving again who it is, another email, the end. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { totpCode, totpStep } from '../../src/domain/account/totp.ts'
import { addAccount } from '../../test/support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { changesByPeople } from './support/audit.ts'
import { fillSignIn, PASSWORD } from './support/site.ts'
import { openWoundSite, type WoundSite } from './support/wound-site.ts'

const JANE = 'jane@example.org'
const JANET = 'janet@example.org'

let site: WoundSite
let page: Page
let secret = ''
let recoveryCodes: readonly string[] = []

beforeAll(async () => {
  site = await openWoundSite({ env: { EMAIL_HOST: 'mail.example.org' } })
  await addAccount(site.t, { email: 'ops@example.org', isAdministrator: true })
  await addAccount(site.t, { email: JANE }, PASSWORD)
  page = await site.tab()
  page.setDefaultTimeout(15_000)
  // Changes differ in time, so that the audit log has an order.
  page.on('request', () => site.t.clock.advance({ microseconds: 1 }))
  await page.goto('/sign-in')
  await fillSignIn(page, JANE)
  await heading('Overview')
}, 60_000)
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

/** The code that the app shows now. */
const codeNow = () => totpCode(secret, totpStep(site.t.clock.now()))

/** The app shows the next code then. */
const halfAMinute = () => site.t.clock.advance({ seconds: 30 })

async function send(code: string, button: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: button }).click()
}

async function signOutAndBegin(email = JANE): Promise<void> {
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await fillSignIn(page, email)
}

test('An app is set up by its key and its first code; then there are ten recovery codes', async () => {
  await page.goto('/account/security')
  await page.getByRole('link', { name: 'Set up an app' }).click()
  await heading('Authenticator app')
  const box = await page.getByRole('img', { name: 'QR code for the authenticator app' }).boundingBox()
  expect([box?.width, box?.height]).toEqual([220, 220])
  await page.getByText('Type the key instead').click()
  secret = (await page.getByRole('group', { name: 'Key for the app' }).textContent())?.replaceAll(' ', '') ?? ''
  await send('000000', 'Turn on')
  await page.getByText('Wrong code. Check the clock').waitFor()
  await send(codeNow(), 'Turn on')
  await heading('Your recovery codes')
  recoveryCodes = (await page.getByRole('group', { name: 'Recovery codes' }).textContent())?.trim().split('\n') ?? []
  expect(recoveryCodes).toHaveLength(10)
  await page.getByRole('link', { name: 'I have kept them' }).click()
  await page.getByText('10 codes are left.').waitFor()
}, 120_000)

test('A sign-in asks for a code, and takes none twice', async () => {
  halfAMinute()
  await signOutAndBegin()
  await heading('Second step')
  await send(codeNow(), 'Sign in')
  await heading('Overview')
  await signOutAndBegin()
  await send(codeNow(), 'Sign in')
  await page.getByText('The code is wrong, was used already, or has expired.').waitFor()
}, 120_000)

test('A recovery code signs in, once', async () => {
  const [code = '', other = ''] = recoveryCodes
  await send(code, 'Sign in')
  await heading('Overview')
  await signOutAndBegin()
  await send(code, 'Sign in')
  await page.getByText('The code is wrong, was used already, or has expired.').waitFor()
  await send(other, 'Sign in')
  await heading('Overview')
  await page.goto('/account/security')
  await page.getByText('8 codes are left.').waitFor()
}, 120_000)

test('Half an hour later a password is changed only after another proof, which leads back', async () => {
  site.t.clock.advance({ minutes: 30 })
  await page.getByRole('link', { name: 'Change password' }).click()
  await heading('Is it you?')
  await page.getByLabel('Your password').fill('wrong horse battery')
  await page.getByRole('button', { name: 'Confirm by password' }).click()
  await page.getByText('This is not your password.').waitFor()
  await send(codeNow(), 'Confirm by code')
  await heading('Change password')
  await page.getByText('You will not be asked again for 30 minutes.').waitFor()
}, 120_000)

test('The email changes by the link in an email to the new address', async () => {
  await page.goto('/account')
  await page.getByRole('link', { name: 'Change email' }).click()
  await page.getByLabel('New email').fill(JANET)
  await page.getByRole('button', { name: 'Mail me a link' }).click()
  await heading('Check your email')
  await eventually('the email', () => site.t.mails.some(({ to }) => to === JANET))
  const [url = ''] = /http\S+\/account\/email\/[\w-]+/.exec(site.t.mails.at(-1)?.text ?? '') ?? []
  await page.goto(url)
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByText('The email is changed.').waitFor()
  await eventually('the email to the old address', () => site.t.mails.at(-1)?.to === JANE)
}, 120_000)

test('The account is closed by typing its email, and nobody signs in with it any more', async () => {
  await page.getByRole('link', { name: 'Close account' }).click()
  await page.getByLabel('Type its email to confirm').fill(JANE)
  await page.getByRole('button', { name: 'Close account' }).click()
  await page.getByText('That is not its email.').waitFor()
  await page.getByLabel('Type its email to confirm').fill(JANET)
  await page.getByRole('button', { name: 'Close account' }).click()
  await page.getByText('The account is closed.').waitFor()
  await fillSignIn(page, JANET)
  await page.getByText('Email and password do not match.').waitFor()
}, 120_000)

test('The audit log has a row for each thing that was done, in this order, and none besides', async () => {
  expect(changesByPeople(await site.t.app.deps.store.audit.list(1_000))).toEqual([
    'jane@example.org create session jane@example.org: password',
    'jane@example.org edit account jane@example.org: second_factor',
    'jane@example.org delete session jane@example.org',
    'jane@example.org create session jane@example.org: password, totp',
    'jane@example.org delete session jane@example.org',
    'jane@example.org create session jane@example.org: password, recovery-code',
    'jane@example.org delete session jane@example.org',
    'jane@example.org create session jane@example.org: password, recovery-code',
    'jane@example.org edit account janet@example.org: email',
    'janet@example.org delete account janet@example.org',
  ])
})
