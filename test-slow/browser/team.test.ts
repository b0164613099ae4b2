/** A team in several browsers: an invitation, a role that changes, ownership that is handed over. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { auditIn, changesByPeople } from './support/audit.ts'
import { openSiteWithAdministrator, PASSWORD, type Person, plainSlugs, type Site } from './support/site.ts'

const TEAM = '/p/harbour-books/team'

let site: Site
let owner: Person
let owners: Page
/** The browser of who is invited. */
let news: Page

beforeAll(async () => {
  site = await openSiteWithAdministrator()
  owner = await site.person('owner@example.org')
  await site.server.overdue('project', 'create', 'Harbour Books')
  await plainSlugs(site.server)
  await site.server.overdue('project', 'member', 'add', 'Harbour Books', owner.email, '--role', 'owner')
  owners = await site.tab({ as: owner })
  news = await site.tab()
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const row = (page: Page, email: string) => page.getByRole('row', { name: email })

/** Makes an invitation in the browser of the owner. @returns its link */
async function invite(role: string): Promise<string> {
  await owners.goto(TEAM)
  await owners.getByLabel('Role').selectOption(role)
  await owners.getByRole('button', { name: 'Create invitation' }).click()
  await title(owners, 'New invitation')
  return (await owners.locator('[data-copy]').textContent()) ?? ''
}

test('Who is invited makes an account and a first check by keyboard alone, in less than a minute of typing', async () => {
  let keys = 0
  const type = async (text: string) => {
    keys += text.length
    await news.keyboard.type(text)
  }
  const press = async (key: string) => {
    keys++
    await news.keyboard.press(key)
  }
  await news.goto(await invite('member'))
  await title(news, 'Join Harbour Books as a member?')
  await news.locator('#email:focus').waitFor()
  await type('new@example.org')
  await press('Tab')
  await type(PASSWORD)
  await press('Enter')
  await title(news, 'Checks')
  await news.getByText('You are in this project now.').waitFor()
  await press('n')
  await news.locator('#name:focus').waitFor()
  await type('Backup')
  await press('Enter')
  await title(news, 'Backup')
  await news.getByText('The check is created.').waitFor()
  // A slow typist has 40 words, which is 200 keys, a minute.
  expect(keys).toBeLessThan(100)
})

test('Who has an account signs in on the way, and is asked before joining', async () => {
  await site.person('known@example.org')
  const page = await site.tab()
  await page.goto(await invite('read-only'))
  await page.getByRole('link', { name: 'I have an account: sign in' }).click()
  await page.getByLabel('Email').fill('known@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await title(page, 'Join Harbour Books as a read-only member?')
  await page.getByRole('button', { name: 'Join project' }).click()
  await title(page, 'Checks')
  await page.goto(TEAM)
  await row(page, 'known@example.org').getByText('you').waitFor()
  expect(await page.getByRole('link', { name: /^Change…/ }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Create invitation' }).count()).toBe(0)
})

test('A role that is raised counts at once, and the manager changes others but no owner', async () => {
  await news.goto(TEAM)
  expect(await news.getByRole('link', { name: /^Change…/ }).count()).toBe(0)
  await owners.goto(TEAM)
  await row(owners, 'new@example.org')
    .getByRole('link', { name: /^Change…/ })
    .click()
  await owners.getByLabel('Role').selectOption('manager')
  await owners.getByRole('button', { name: 'Save role' }).click()
  await owners.getByText('The role is changed.').waitFor()
  await news.reload()
  await row(news, 'known@example.org')
    .getByRole('link', { name: /^Change…/ })
    .waitFor()
  expect(await row(news, owner.email).getByRole('link').count()).toBe(0)
  expect(await news.getByRole('link', { name: 'Offer project…' }).count()).toBe(0)
})

test('A project that is offered is handed over once the other side accepts', async () => {
  await owners.goto(TEAM)
  await owners.getByRole('link', { name: 'Offer project…' }).click()
  await owners.getByLabel('New owner').selectOption({ label: 'new@example.org' })
  await owners.getByRole('button', { name: 'Offer project' }).click()
  await owners.getByText('The project is offered.').waitFor()
  await news.goto('/')
  await news.getByText('offers you the project Harbour Books').waitFor()
  await news.getByRole('link', { name: 'Accept or decline it' }).click()
  await news.getByRole('button', { name: 'Accept ownership' }).click()
  await news.getByText('You own this project now.').waitFor()
  await row(news, 'new@example.org').getByText('Owner', { exact: true }).waitFor()
  await row(news, owner.email).getByText('Member', { exact: true }).waitFor()
  await owners.reload()
  expect(await owners.getByRole('button', { name: 'Create invitation' }).count()).toBe(0)
  await owners.goto(`${TEAM}/leave`)
  await owners.getByRole('button', { name: 'Leave project' }).click()
  await owners.getByText('You have left the project.').waitFor()
})

test('The audit log has a row for each thing that was done, in this order, and none besides', async () => {
  expect(changesByPeople(await auditIn(site.server.databaseUrl))).toEqual([
    'owner@example.org edit account owner@example.org: has_password, password_changed',
    'owner@example.org create session owner@example.org: password',
    'owner@example.org create invitation a link',
    'new@example.org create account new@example.org',
    'new@example.org delete invitation a link',
    'new@example.org create member new@example.org',
    'new@example.org create session new@example.org: password',
    'new@example.org create check Backup',
    'known@example.org edit account known@example.org: has_password, password_changed',
    'known@example.org create session known@example.org: password',
    'owner@example.org create invitation a link',
    'known@example.org create session known@example.org: password',
    'known@example.org delete invitation a link',
    'known@example.org create member known@example.org',
    'owner@example.org edit member new@example.org: role',
    'owner@example.org create ownership-offer new@example.org',
    'new@example.org delete ownership-offer new@example.org',
    'new@example.org edit member new@example.org: role',
    'new@example.org edit member owner@example.org: role',
    'owner@example.org delete member owner@example.org',
  ])
})
