/** An administrator makes an account, follows what it does in the audit log, suspends it, and exports the log. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { auditIn, changesByPeople } from './support/audit.ts'
import {
  ADMINISTRATOR,
  administrator,
  openSiteWithAdministrator,
  PASSWORD,
  plainSlugs,
  type Site,
} from './support/site.ts'

let site: Site
let admin: Page
let jane: Page
beforeAll(async () => {
  site = await openSiteWithAdministrator()
  admin = await site.tab({ as: await administrator(site) })
  jane = await site.tab()
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const rows = () => admin.locator('.audit .what').allTextContents()

test('the link for a new account is shown once, and its owner signs in by it', async () => {
  await admin.goto('/')
  await admin.locator('.side').getByRole('link', { name: 'Administration' }).click()
  await admin.getByRole('link', { name: 'Accounts' }).click()
  await admin.getByRole('link', { name: 'New account' }).click()
  await admin.getByLabel('Email').fill('jane@example.org')
  await press(admin, 'Create account')
  const link = (await admin.getByLabel('Link', { exact: true }).textContent()) ?? ''
  await admin.reload()
  expect(await admin.getByLabel('Link', { exact: true }).count()).toBe(0)
  await jane.goto(new URL(link).pathname)
  await jane.getByLabel('Password').fill(PASSWORD)
  await press(jane, 'Save password')
  await jane.goto('/projects/new')
  await jane.getByLabel('Name').fill('Harbour Books')
  await press(jane, 'Create project')
  await jane.getByRole('heading', { name: 'No checks yet' }).waitFor()
  await plainSlugs(site.server)
})

test('the server audit log has each step, and a row opens to what was set', async () => {
  await admin.goto('/admin/audit?who=jane')
  expect(await rows()).toContain('jane@example.org created the project Harbour Books in Harbour Books')
  expect(await rows()).toContain('jane@example.org signed in with a password')
  await admin.locator('.audit summary', { hasText: 'created the project' }).click()
  await admin.getByRole('row', { name: /^slug harbour-books-/ }).waitFor()
  await admin.getByLabel('What').selectOption('account')
  await admin.getByLabel('Who').fill(ADMINISTRATOR)
  await press(admin, 'Show')
  expect(await rows()).toEqual([`${ADMINISTRATOR} created the account jane@example.org`])
})

test('the log of a project is exported as its page shows it', async () => {
  await jane.goto('/p/harbour-books/audit')
  const shown = await jane.locator('.audit .what').count()
  const [file] = await Promise.all([jane.waitForEvent('download'), jane.getByRole('link', { name: 'Export' }).click()])
  expect(file.suggestedFilename()).toBe('audit-harbour-books.jsonl')
  const lines = (await Bun.file(await file.path()).text()).trimEnd().split('\n')
  expect(lines).toHaveLength(shown)
})

test('whoever is suspended is signed out, and cannot sign in until let in again', async () => {
  await admin.goto('/admin/accounts?q=jane')
  await admin.getByRole('link', { name: 'jane@example.org' }).click()
  await press(admin, 'Suspend')
  await admin.getByText('The account is suspended, and its sessions have ended.').waitFor()
  await jane.goto('/projects')
  await jane.getByLabel('Email').fill('jane@example.org')
  await jane.getByLabel('Password').fill(PASSWORD)
  await press(jane, 'Sign in')
  await jane.getByText('do not match').waitFor()
  await press(admin, 'Unsuspend')
  await admin.getByText('The account can sign in again.').waitFor()
  await jane.getByLabel('Password').fill(PASSWORD)
  await press(jane, 'Sign in')
  await jane.getByRole('heading', { name: 'Projects' }).waitFor()
})

test('the only administrator stays one', async () => {
  await admin.goto('/admin/accounts')
  await admin.getByRole('group', { name: 'Accounts' }).getByRole('link', { name: ADMINISTRATOR }).click()
  await press(admin, 'Remove admin rights')
  await admin.getByText('it is the last administrator').waitFor()
})

test('the audit log has a row for each thing that was done, in this order, and none besides', async () => {
  expect(changesByPeople(await auditIn(site.server.databaseUrl))).toEqual([
    'ops@example.org create session ops@example.org: password',
    'ops@example.org create account jane@example.org',
    'jane@example.org edit account jane@example.org: has_password, password_changed',
    'jane@example.org create session jane@example.org: password',
    'jane@example.org create project Harbour Books',
    'jane@example.org create key without a name',
    'jane@example.org create member jane@example.org',
    'ops@example.org edit account jane@example.org: suspended',
    'ops@example.org edit account jane@example.org: suspended',
    'jane@example.org create session jane@example.org: password',
  ])
})

test('Help leads back to the page before, also after several documents', async () => {
  await admin.goto('/admin/accounts')
  await admin.locator('.side').getByRole('link', { name: 'Help' }).click()
  await admin.locator('nav.documents').getByRole('link', { name: 'Schedules' }).click()
  await admin.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor()
  await admin.getByRole('link', { name: 'Back to the page before' }).click()
  await admin.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
})
