/** Planned maintenance, as people plan it: next Saturday's restore, what it holds, and what is sent when it ends. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Temporal } from '../../src/lib/time.ts'
import { eventually } from '../support/eventually.ts'
import { openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'

let site: SiteWithFakeClock
let page: Page

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  page = await site.tab({ as: await site.person('owner'), viewport: { width: 1280, height: 900 } })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

/** Winds the clock to a time of that day. */
async function windTo(day: Temporal.PlainDate, time: string): Promise<void> {
  const now = site.t.clock.now()
  const seconds = now.until(day.toZonedDateTime({ timeZone: 'UTC', plainTime: time }).toInstant()).total('seconds')
  await site.wind({ seconds: Math.ceil(seconds) })
}

test('next Saturday’s restore is planned on the page, held while it lasts, and alerted when it ends', async () => {
  const check = await site.check('db-backup', { timeout: 20 * 86_400, grace: 3_600 })
  const soon = site.t.clock.now().toZonedDateTimeISO('UTC').toPlainDate().add({ days: 1 })
  const day = soon.add({ days: (13 - soon.dayOfWeek) % 7 })
  await fetch(check.pingUrl)
  await site.wind({ seconds: 1 })

  await page.goto(`/p/tests/checks/${check.publicId}`)
  await press('Mute until…')
  await page.getByRole('link', { name: 'Plan a window…' }).click()
  await page.getByRole('heading', { name: 'Plan a window for db-backup' }).waitFor()
  await page.getByLabel('Ends on').fill(String(day))
  await page.getByLabel('Starts on').fill(String(day))
  const means = page.locator('#window-means')
  await means.getByText(/^Sat .*, 22:00 to 24:00, 2 hours\.$/).waitFor()
  await page.getByLabel('Starts at, 24 hours').fill('half past ten')
  await page.getByText('Choose a day, and type a time such as 22:00.').waitFor()
  await page.getByLabel('Starts at, 24 hours').fill('22:00')
  await page.getByLabel('Reason').fill('Restore of the database')
  await press('Plan window')
  await page.getByText('Window planned. Nobody is alerted during it.').waitFor()
  await page.getByText(/22:00 to 24:00\s*db-backup\. ‘Restore of the database’/).waitFor()

  await windTo(day, '22:10')
  await fetch(`${check.pingUrl}/fail`)
  await site.wind({ seconds: 1 })
  await site.t.app.settle('incidents')
  await site.wind({ seconds: 1 })
  expect(site.alerts).toEqual([])
  await page.goto(`/p/tests/checks/${check.publicId}`)
  await page
    .locator('#now')
    .getByText(/Muted until .*00:00: ‘Restore of the database’/)
    .waitFor()
  await page.getByRole('link', { name: 'Open the incident' }).click()
  await page.getByText(/No alert: muted until .*00:00\. ‘Restore of the database’/).waitFor()

  await windTo(day.add({ days: 1 }), '00:00')
  await site.wind({ seconds: 1 })
  await site.t.app.settle('incidents')
  await site.wind({ seconds: 1 })
  await eventually('the alert is sent', async () => site.alerts.length === 1)
  expect(site.alerts[0]).toContain(
    'Held until 00:00 UTC by silence ‘Restore of the database’, down since yesterday 22:10.',
  )
  await page.reload()
  for (const words of ['No longer muted, still down.', 'Night shift was alerted.']) {
    await page.locator('#timeline').getByText(words).waitFor()
  }
})
