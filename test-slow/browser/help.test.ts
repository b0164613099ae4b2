/** The way back from the help, which the browser knows. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { administrator, openSiteWithAdministrator, type Site } from './support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSiteWithAdministrator()
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

test('Help leads back to the page before, also after several documents', async () => {
  const admin = await site.tab({ as: await administrator(site) })
  await admin.goto('/admin/accounts')
  await admin.locator('.side').getByRole('link', { name: 'Help' }).click()
  await admin.locator('nav.documents').getByRole('link', { name: 'Schedules' }).click()
  await admin.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor()
  await admin.getByRole('link', { name: 'Back to the previous page' }).click()
  await admin.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
})
