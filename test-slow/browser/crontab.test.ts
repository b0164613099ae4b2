/** A pasted crontab: its jobs and the crontab with their pings, while typing, by keyboard, without a script, on a phone. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { brokenRules } from './support/axe.ts'
import type { Person } from './support/site.ts'
import { openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'
import { smallTargets } from './support/small-targets.ts'

const PATH = '/p/tests/checks/new/crontab'
const TEXT = `CRON_TZ=Europe/Riga
0 2 * * * /opt/backup/db.sh
*/90 * * * * /opt/shop/feeds.sh
@reboot /opt/shop/worker
0 25 * * * /opt/never
`

let site: SiteWithFakeClock
let owner: Person
beforeAll(async () => {
  site = await openSiteWithFakeClock()
  owner = await site.person('owner')
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const crontab = (page: Page) => page.getByLabel('Crontab', { exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const words = (page: Page, text: string) => page.locator('#jobs-words', { hasText: text }).waitFor()

test('as one types, the jobs and the crontab follow; a name keeps its field while the crontab changes with it', async () => {
  const page = await site.tab({ as: owner })
  await page.goto(PATH)
  await words(page, 'Nothing has been pasted yet.')
  await crontab(page).fill(TEXT)
  await words(page, '4 jobs: 2 new, 2 cannot be monitored.')
  expect(await page.locator('#jobs .caret').textContent()).toContain('^^')
  await page.locator('#tz-below', { hasText: 'The crontab sets CRON_TZ' }).waitFor()
  const name = page.getByLabel('Name of the check for line 2')
  await name.fill('Nightly backup')
  await page.locator('#crontab-back', { hasText: '/nightly-backup -- /opt/backup/db.sh' }).waitFor()
  expect(await page.evaluate<string>('document.activeElement.value')).toBe('Nightly backup')
  await page.getByLabel('Jobs ping with').selectOption('curl')
  await page.locator('#crontab-back', { hasText: '/nightly-backup/start' }).waitFor()
  await page.getByLabel('Create the check of line 3').uncheck()
  await page.getByRole('button', { name: 'Create 1 check', exact: true }).waitFor()
  expect(await page.locator('#crontab-back b').count()).toBe(1)
  expect(await brokenRules(page)).toEqual([])
  await press(page, 'Create 1 check')
  await page.getByText('Choose the time zone of the machine').waitFor()
  await page.getByLabel('The machine’s cron runs in').fill('Europe/Riga')
  await press(page, 'Create 1 check')
  await page.getByText('1 check created.').waitFor()
  await page.getByText('Nightly backup').waitFor()
  await press(page, 'Undo')
  await page.getByText('Undone: 1 check deleted.').waitFor()
  await page.context().close()
})

test('without a script the buttons do the same, and one line opens the form of a check', async () => {
  const page = await site.tab({ as: owner, javaScriptEnabled: false })
  await page.goto(PATH)
  await crontab(page).fill(TEXT)
  await press(page, 'Preview the jobs')
  await page.getByText('4 jobs: 2 new, 2 cannot be monitored.').waitFor()
  await crontab(page).fill('30 3 * * * /opt/backup/db.sh')
  await press(page, 'Preview the jobs')
  await page.getByRole('heading', { name: 'New check' }).waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('db.sh')
  await press(page, 'Save and add another')
  await page.getByText('Check created.').waitFor()
  expect(await page.getByLabel('Cron expression').inputValue()).toBe('30 3 * * *')
  await page.context().close()
})

test('it fits on the narrowest phone', async () => {
  const page = await site.tab({ as: owner, viewport: { width: 320, height: 640 }, hasTouch: true })
  await page.goto(PATH)
  await crontab(page).fill(TEXT)
  await words(page, '4 jobs')
  expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await smallTargets(page)).toEqual([])
  await page.context().close()
})
