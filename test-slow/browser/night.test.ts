/** The page of a night: its keys, and dragging its axis. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { Temporal } from '../../src/lib/time.ts'
import { openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'

let site: SiteWithFakeClock
let page: Page
let evening: Temporal.PlainDate

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  const backup = await site.check('Backup', { schedule: '0 2 * * *', tz: 'UTC' })
  await fetch(backup.pingUrl)
  await site.wind({ hours: 20 })
  page = await site.tab({ as: await site.person('member'), viewport: { width: 1280, height: 900 } })
  await page.goto('/night')
  const before = await page.locator('[data-key="["]').getAttribute('href')
  evening = Temporal.PlainDate.from(before?.split('=')[1] ?? '').add({ days: 1 })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const shows = (search: string) => page.waitForURL((url) => decodeURIComponent(url.search) === search)
const nightBefore = (days: number) => `?night=${evening.subtract({ days })}`
const from = (hour: string) => `?view=night&from=${evening}T${hour}:00Z`

test('keys lead to the night before, to the one after, and to the last one', async () => {
  await page.keyboard.press('[')
  await shows(nightBefore(1))
  await page.keyboard.press('[')
  await shows(nightBefore(2))
  await page.keyboard.press(']')
  await shows(nightBefore(1))
  await page.keyboard.press('t')
  await shows('')
})

test('Shift and an arrow move it by an hour, and an arrow alone does not', async () => {
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await shows(from('17'))
  await page.getByRole('heading', { level: 1, name: /^14 hours from .* 17:00$/ }).waitFor()
  await page.keyboard.press('Shift+ArrowRight')
  await shows(from('18'))
})

test('the axis is dragged by as many hours as it is wide', async () => {
  const axis = await page.locator('.night thead .pt').first().boundingBox()
  if (axis === null) throw new Error('the night has no axis')
  const hour = axis.width / 14
  const y = axis.y + axis.height / 2
  await page.mouse.move(axis.x + 2 * hour, y)
  await page.mouse.down()
  await page.mouse.move(axis.x + 5.2 * hour, y, { steps: 5 })
  await page.mouse.up()
  await shows(from('15'))
})

test('at 320 px the switches are on one line, and so are the nights', async () => {
  const phone = await site.tab({ as: await site.person('member'), viewport: { width: 320, height: 700 } })
  await phone.goto('/night')
  const lines = (selector: string) =>
    phone.locator(selector).evaluateAll((all) => {
      const middles = all.map((one) => one.getBoundingClientRect()).map(({ y, height }) => Math.round(y + height / 2))
      return new Set(middles).size
    })
  expect(await lines('nav.seg, .btn.icon[data-key]')).toBe(1)
  expect(await lines('.nights li:nth-child(n + 8)')).toBe(1)
})

test('the keys stand in the help', async () => {
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard' })
  await help.getByText('previous night, next night').waitFor()
  await help.getByText('shift the night by an hour').waitFor()
})
