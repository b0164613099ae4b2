/** Everything with a browser that runs no scripts. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openSite, PASSWORD, type Site } from './support/site.ts'

let site: Site
let page: Page

beforeAll(async () => {
  site = await openSite()
  page = await site.tab({ javaScriptEnabled: false })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const said = async () => String(await page.locator('.toast').textContent())
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (name: string) => page.getByRole('link', { name, exact: true }).click()

test('The set-up leads to the first ping, which shows after a reload', async () => {
  const { url } = await site.server.overdue<{ url: string }>('account', 'link')
  await page.goto(new URL(url).pathname)
  await page.getByLabel('Email').fill('jane@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('First project').fill('Harbour Books')
  await page.getByLabel('Time zone').fill('Europe/Riga')
  await press('Create account')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Put one line at the end of a job.')
  await page.getByText('Python', { exact: true }).click()
  expect(await page.getByLabel('Python snippet').textContent()).toContain('urllib')
  await fetch(String(await page.getByLabel('Ping URL', { exact: true }).textContent()))
  await follow('Reload to see whether it came')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('The first ping is here.')
})

test('A project is made and gets another name', async () => {
  await follow('Projects')
  await follow('New project')
  await page.getByLabel('Name').fill('Harbour Books')
  await press('Create project')
  expect(await page.locator('#name-error').textContent()).toBe('A project named "Harbour Books" already exists.')
  await page.getByLabel('Name').fill('Night Shift')
  await press('Create project')
  expect(await said()).toBe('The project is made.')
  await follow('Set up the first ping')
  await press('Make the first check')
  await press('Send one for me')
  expect(await said()).toBe('A ping was sent.')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Project settings' }).click()
  await page.getByLabel('Name').fill('Day Shift')
  await press('Save name')
  expect(await said()).toBe('The project has its new name.')
})

test('The switcher opens and leads to another project', async () => {
  await page.locator('.switcher summary').click()
  await follow('Harbour Books')
  expect(new URL(page.url()).pathname).toBe('/p/harbour-books/checks')
})

test('The settings of the account are kept, and a bad time zone is explained', async () => {
  await follow('jane@example.org')
  await page.getByLabel('Theme').selectOption('Dark')
  await page.getByLabel('Time zone').fill('Mars/Olympus')
  await press('Save settings')
  expect(await page.locator('#tz-error').textContent()).toContain('"Mars/Olympus" is no time zone;')
  expect(await page.getByLabel('Theme').inputValue()).toBe('dark')
  await page.getByLabel('Time zone').fill('Asia/Kathmandu')
  await page.getByLabel('Keyboard shortcuts').uncheck()
  await press('Save settings')
  expect(await said()).toBe('Saved.')
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Kathmandu')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await page.getByLabel('Keyboard shortcuts').isChecked()).toBe(false)
})

test('The password is changed, other sessions are ended, and the sign-out and the sign-in work', async () => {
  await follow('Password')
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByLabel('New password').fill('another horse battery')
  await press('Save password')
  expect(await said()).toBe('The password is changed. Your other sessions ended.')
  await follow('Sessions')
  expect(await page.getByRole('row').count()).toBe(2)
  await page.locator('.crumbs').getByRole('link', { name: 'Account' }).click()
  await press('Sign out')
  expect(await said()).toBe('You are signed out.')
  await page.getByLabel('Email').fill('jane@example.org')
  await page.getByLabel('Password').fill('another horse battery')
  await press('Sign in')
  expect(new URL(page.url()).pathname).toBe('/')
})
