/** An invitation by keyboard alone. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openSiteWithAdministrator, PASSWORD, plainSlugs, type Site } from './support/site.ts'

const TEAM = '/p/harbour-books/team'

let site: Site
let owners: Page

beforeAll(async () => {
  site = await openSiteWithAdministrator()
  const owner = await site.person('owner@example.org')
  await site.server.overdue('project', 'create', 'Harbour Books')
  await plainSlugs(site.server)
  await site.server.overdue('project', 'member', 'add', 'Harbour Books', owner.email, '--role', 'owner')
  owners = await site.tab({ as: owner })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Creates an invitation in the browser of the owner. @returns its link */
async function invite(role: string): Promise<string> {
  await owners.goto(TEAM)
  await owners.getByLabel('Role').selectOption(role)
  await owners.getByRole('button', { name: 'Create invitation' }).click()
  await title(owners, 'New invitation')
  return (await owners.locator('[data-copy]').textContent()) ?? ''
}

test('Who is invited makes an account and a first check by keyboard alone, in less than a minute of typing', async () => {
  const news = await site.tab()
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
  await news.getByText('You have joined this project.').waitFor()
  await press('n')
  await news.locator('#name:focus').waitFor()
  await type('Backup')
  await press('Enter')
  await title(news, 'Backup')
  await news.getByText('Check created.').waitFor()
  // A slow typist has 40 words, which is 200 keys, a minute.
  expect(keys).toBeLessThan(100)
})
