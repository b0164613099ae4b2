/** Signing in and out, and sessions, in a browser. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { fillSignIn, openSiteWithAdministrator, type Person, type Site } from './support/site.ts'

let site: Site
let jane: Person

beforeAll(async () => {
  site = await openSiteWithAdministrator()
  jane = await site.person('jane@example.org')
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

test('The cookie of a session is out of reach of scripts and of other sites', async () => {
  const page = await site.tab()
  await page.goto('/sign-in')
  await fillSignIn(page, jane.email)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const [cookie, ...others] = await page.context().cookies()
  expect(others).toEqual([])
  expect(cookie).toMatchObject({ name: 'overdue_session', path: '/', httpOnly: true, sameSite: 'Lax', secure: false })
  expect(await page.evaluate('document.cookie')).toBe('')
})

test('A sign-out ends the session, for every window and for a copy of its cookie', async () => {
  const person = await site.person('out@example.org')
  const page = await site.tab({ as: person })
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  expect(await page.context().cookies()).toEqual([])
  await page.goBack()
  await page.waitForURL(/\/sign-in/)
  const copy = await site.tab({ as: person })
  await copy.goto('/projects')
  expect(copy.url()).toContain('/sign-in?next=%2Fprojects')
})

test('Times are in the zone of the account, wherever the browser is', async () => {
  const page = await site.tab({ as: await site.person('far@example.org'), timezoneId: 'America/New_York' })
  await page.goto('/account')
  await page.getByLabel('Time zone').fill('Asia/Kathmandu')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Saved.').waitFor()
  await page.goto('/account/sessions')
  // The script rewrites each time when it starts.
  expect(await page.locator('time').first().getAttribute('title')).toContain('GMT+5:45')
})
