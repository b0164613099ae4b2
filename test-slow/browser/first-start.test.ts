/** The first start up to the first ping, in a browser. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { ADMINISTRATOR, fillSignIn, openSite, openSiteWithAdministrator, PASSWORD, type Site } from './support/site.ts'

let site: Site

afterEach(() => expect(site.troubles()).toEqual([]))

describe('a server without an account', () => {
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site.close())

  test('prints a link that works beside another one of `overdue account link`', async () => {
    const [first = ''] = site.server.logs().match(/\/setup\/[\w-]+/) ?? []
    const { url } = await site.server.overdue<{ url: string }>('account', 'link')
    const page = await site.tab()
    expect(await status(page, first)).toBe(200)
    expect(await status(page, new URL(url).pathname)).toBe(200)
  })

  test('keeps what was typed into a bad form, but not the password, and goes to the first bad field', async () => {
    const page = await setUp(site)
    await page.getByLabel('Email').fill('jane@example.org')
    await page.getByLabel('Password').fill('too short')
    await page.getByLabel('First project').fill('Harbour Books')
    await page.getByRole('button', { name: 'Create account' }).click()
    const password = page.getByLabel('Password')
    await password.and(page.locator(':focus')).waitFor()
    expect(await password.inputValue()).toBe('')
    expect(await password.getAttribute('aria-invalid')).toBe('true')
    const described = page.locator(`#${await password.getAttribute('aria-describedby')}`)
    expect(await described.textContent()).toBe('The password is too short; use at least 10 characters.')
    expect(await page.getByLabel('Email').inputValue()).toBe('jane@example.org')
    expect(await page.getByLabel('First project').inputValue()).toBe('Harbour Books')
  })

  test('leads from the link to the first check and its first ping, which the page shows by itself; the link works once', async () => {
    const page = await setUp(site, { timezoneId: 'Europe/Riga' })
    const link = page.url()
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Riga')
    await page.getByLabel('Email').fill(' Jane@Example.org ')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('First project').fill('Harbour Books')
    await page.getByRole('button', { name: 'Create account' }).click()

    await page.getByLabel('Name').fill('First job')
    await page.getByRole('button', { name: 'Create the first check' }).click()
    await page.getByText('Waiting for the first ping…').waitFor()
    expect(await page.title()).toBe('First ping – Harbour Books – Overdue')
    const pingUrl = String(await page.getByLabel('Ping URL', { exact: true }).textContent())
    expect(await page.getByLabel('bash snippet', { exact: true }).textContent()).toContain(`url=${pingUrl}\n`)
    await Promise.all([page.getByText('First ping received.').waitFor(), fetch(pingUrl)])
    expect(await page.getByLabel('Ping URL', { exact: true }).textContent()).toBe(pingUrl)
    expect(await page.getByLabel('bash snippet', { exact: true }).isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Go to checks' }).click()
    const row = page.getByRole('row', { name: 'First job' })
    await row.getByRole('cell', { name: 'Up', exact: true }).waitFor()

    await page.getByRole('link', { name: 'Projects', exact: true }).click()
    expect(await page.locator('.plist').textContent()).toMatch(/Harbour Books1 check · owner/)
    await page.getByRole('link', { name: 'jane@example.org' }).click()
    await page.getByText('Administrator: sees every project').waitFor()
    expect(await status(await site.tab(), link)).toBe(404)
  })
})

describe('ADMIN_EMAIL and ADMIN_PASSWORD', () => {
  beforeAll(async () => {
    site = await openSiteWithAdministrator()
  })
  afterAll(() => site.close())

  test('leave the first check to its owner, who makes it, copies its URL and sends its ping by buttons', async () => {
    const page = await site.tab({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto('/sign-in?next=/p/default/checks')
    await fillSignIn(page, ADMINISTRATOR)
    await page.getByRole('link', { name: 'Set up the first ping' }).click()
    await page.getByLabel('Name').fill('Backup')
    await page.getByRole('button', { name: 'Create the first check' }).click()
    const pingUrl = await page.getByLabel('Ping URL', { exact: true }).textContent()
    await page.getByRole('button', { name: 'Copy: Ping URL' }).click()
    await page.getByText('Copied').first().waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(pingUrl)
    await page
      .getByRole('status')
      .filter({ hasText: /^Copied$/ })
      .waitFor()
    await page.getByText('Kubernetes', { exact: true }).click()
    await page.getByLabel('Kubernetes snippet', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send a test ping' }).click()
    await page.getByText('First ping received.').waitFor()
    expect(await page.locator('[data-toast]').textContent()).toBe('Ping sent.')
  })
})

/** Opens the page of a fresh link. */
async function setUp(site: Site, options: Parameters<Site['tab']>[0] = {}): Promise<Page> {
  const { url } = await site.server.overdue<{ url: string }>('account', 'link')
  const page = await site.tab(options)
  await page.goto(new URL(url).pathname)
  return page
}

async function status(page: Page, path: string): Promise<number | undefined> {
  return (await page.goto(path))?.status()
}
