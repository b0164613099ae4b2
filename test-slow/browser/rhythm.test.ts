/** The read-out of the rhythm of a check: by keys, by pointer, and while a new run arrives on the page. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Temporal } from '../../src/lib/time.ts'
import { brokenRules } from './support/axe.ts'
import { type MadeCheck, openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'

let site: SiteWithFakeClock
let page: Page
let backup: MadeCheck
/** day of the last run */
let today: Temporal.PlainDate

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  backup = await site.check('Backup', { schedule: '0 2 * * *', tz: 'UTC', grace: 3600 })
  const now = site.t.clock.now().toZonedDateTimeISO('UTC')
  const first = now.add({ days: 1 }).startOfDay().add({ hours: 2, minutes: 5, seconds: 30 })
  await site.wind({ seconds: Math.round(now.until(first).total('seconds')) })
  for (let day = 0; day < 5; day++) {
    // The job did not run on the third day.
    if (day !== 2) await fetch(backup.pingUrl)
    if (day < 4) await site.wind({ hours: 24 })
  }
  today = first.add({ days: 4 }).toPlainDate()
  page = await site.tab({ as: await site.person('member'), viewport: { width: 1280, height: 900 } })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const open = (where = page) => where.goto(`/p/tests/checks/${backup.publicId}`)
const plot = (where = page) => where.getByRole('group', { name: 'Rhythm' })
const caption = (where = page) => where.locator('#chart figcaption')
const dayName = (ago: number) => {
  const day = today.subtract({ days: ago })
  return new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
    .format(day.toZonedDateTime('UTC').epochMilliseconds)
    .replace(',', '')
}
const reads = (words: string, where = page) => where.locator('.read-out', { hasText: words }).waitFor()

test('arrows, Home and End move by day, and the table tells what stands in place of the caption', async () => {
  await open()
  await caption().waitFor()
  await plot().focus()
  await page.keyboard.press('ArrowLeft')
  await reads(`${dayName(0)}: `)
  expect(await page.locator('.read-out').textContent()).toBe(`${dayName(0)}: ran, 02:05`)
  expect(await caption().isVisible()).toBe(false)
  expect(await page.locator('.read-out').getAttribute('aria-live')).toBe('polite')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await reads(`${dayName(2)}: missing, due 02:00`)
  await page.keyboard.press('Home')
  await reads(`${dayName(29)}: no run`)
  await page.keyboard.press('ArrowLeft')
  await reads(`${dayName(29)}: no run`)
  await page.keyboard.press('End')
  await reads(`${dayName(0)}: ran`)
  expect(await brokenRules(page)).toEqual([])
})

test('the read-out stays when news of the page bring a new chart', async () => {
  await page.keyboard.press('ArrowLeft')
  await reads(`${dayName(1)}: ran`)
  await fetch(backup.pingUrl)
  await site.wind({ seconds: 5 })
  await page.locator('#chart tbody tr').nth(5).waitFor({ state: 'attached' })
  await reads(`${dayName(1)}: ran`)
  expect(await page.locator('.hair').count()).toBe(1)
})

test('Enter opens the day in the log, and without the focus the caption is back', async () => {
  await page.keyboard.press('ArrowLeft')
  await reads(`${dayName(2)}: missing`)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('until') === `${today.subtract({ days: 1 })}T00:00`)
  await open()
  await plot().focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Tab')
  await caption().waitFor()
})

test('the pointer reads a day, and a click opens it', async () => {
  await open()
  await caption().waitFor()
  const box = await page.locator('#chart svg.rhythm').first().boundingBox()
  if (box === null) throw new Error('there is no plot')
  const x = box.x + (box.width * ((27.5 * 536) / 30)) / 580
  await page.mouse.move(x, box.y + box.height / 2)
  await reads(`${dayName(2)}: missing`)
  await page.mouse.move(x, box.y + box.height + 60)
  await caption().waitFor()
  await page.mouse.move(x, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.up()
  await page.waitForURL((url) => url.searchParams.has('until'))
})

test('on a phone the hairline comes into sight, and nothing scrolls sideways', async () => {
  const phone = await site.tab({ as: await site.person('member'), viewport: { width: 320, height: 700 } })
  await open(phone)
  await plot(phone).focus()
  await phone.keyboard.press('Home')
  await reads(`${dayName(29)}: no run`, phone)
  const hair = await phone.locator('.hair').boundingBox()
  expect(hair !== null && hair.x >= 0 && hair.x <= 320).toBe(true)
  expect(await phone.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})
