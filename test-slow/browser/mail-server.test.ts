/**
 * An administrator sets up the mail server on its page: from no settings to a test email that arrives, without a restart and without a
 * shell.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type MailHost, openMailHost } from '../../test/support/mail-host.ts'
import { brokenRules } from './support/axe.ts'
import { ADMINISTRATOR, administrator, openSiteWithAdministrator, type Site } from './support/site.ts'

const HOSTILE = '550 <img src=x onerror=alert(1)> \u202eno such user'

let site: Site
let host: MailHost
let refusing: MailHost
let admin: Page
beforeAll(async () => {
  host = await openMailHost({ EHLO: '250-mail.test\r\n250 AUTH PLAIN', AUTH: '235 welcome' })
  refusing = await openMailHost({ RCPT: HOSTILE })
  site = await openSiteWithAdministrator()
  admin = await site.tab({ as: await administrator(site), viewport: { width: 1280, height: 900 } })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(async () => {
  await site.close()
  host.close()
  refusing.close()
})

/** Checks the page in both themes, on a desktop and on a phone, and at 320 px without scrolling sideways. */
async function isWell(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect([colorScheme, await brokenRules(page)]).toEqual([colorScheme, []])
  }
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await brokenRules(page, 'others')).toEqual([])
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  await page.setViewportSize({ width: 1280, height: 900 })
}

async function fill(page: Page, { port }: MailHost, login: readonly [user: string, password: string] | null) {
  await page.getByLabel('Server', { exact: true }).fill('127.0.0.1')
  await page.getByLabel('Security').selectOption('none')
  await page.getByLabel('Port').fill(String(port))
  const [user, password] = login ?? ['', '']
  await page.getByLabel('User').fill(user)
  await page.getByLabel('Password').fill(password)
}

const send = (page: Page) => page.getByRole('button', { name: 'Save and send a test' }).click()

test('from the health of the server to a test that has arrived', async () => {
  await admin.goto('/admin')
  await admin.getByRole('link', { name: 'Set it up' }).click()
  await admin.getByText('No mail server is set up').waitFor()
  await isWell(admin)
  await fill(admin, host, ['ops', 'hunter2-and-more'])
  await send(admin)
  await admin.getByText(`The mail server accepted the email to ${ADMINISTRATOR}.`).waitFor()
  expect(await admin.getByRole('group', { name: 'Dialogue' }).textContent()).toContain('C: AUTH PLAIN (hidden)')
  expect(await admin.content()).not.toContain('hunter2')
  expect(host.mails[0]).toContain('Subject: Test email from Overdue')
  await isWell(admin)
})

test('people can have a link mailed from then on', async () => {
  const somebody = await site.tab()
  await somebody.goto('/sign-in')
  await somebody.getByRole('link', { name: 'Forgot your password?' }).click()
  await somebody.getByLabel('Email').fill(ADMINISTRATOR)
  await somebody.getByRole('button', { name: 'Mail me a link' }).click()
  await somebody.getByRole('heading', { name: 'Check your email' }).waitFor()
  await somebody.context().close()
})

test('what a mail server says against it is named, and shown as text', async () => {
  await admin.goto('/admin/mail')
  await fill(admin, refusing, null)
  await send(admin)
  await admin.getByRole('alert').getByText(`The mail server rejected the recipient ${ADMINISTRATOR}`).waitFor()
  expect(await admin.locator('main img').count()).toBe(0)
  expect(await admin.getByRole('group', { name: 'Dialogue' }).textContent()).toContain('<img src=x onerror=alert(1)>')
  await isWell(admin)
})

test('a mistake is beside its field, by keyboard and without a script', async () => {
  const plain = await site.tab({ as: await administrator(site), javaScriptEnabled: false })
  await plain.goto('/admin/mail')
  await plain.getByLabel('Server', { exact: true }).fill('mail.example.org:587')
  await plain.keyboard.press('Enter')
  await plain.getByText('Port and login have their own fields.').waitFor()
  expect(await plain.locator('[aria-invalid=true]').getAttribute('id')).toBe('host')
  await plain.context().close()
})

test('it is removed again', async () => {
  await admin.goto('/admin/mail')
  await admin.getByRole('button', { name: 'Remove mail server' }).click()
  await admin.getByText('Mail server removed.').waitFor()
  await admin.getByText('No mail server is set up').waitFor()
})
