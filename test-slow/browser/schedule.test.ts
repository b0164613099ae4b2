/** The tab Schedule of a check: typed settings are explained and tried on the past before they are saved. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Temporal } from '../../src/lib/time.ts'
import { brokenRules } from './support/axe.ts'
import type { Person } from './support/site.ts'
import { type MadeCheck, openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'
import { smallTargets } from './support/small-targets.ts'

let site: SiteWithFakeClock
let owner: Person
let page: Page
/** a check whose job runs at 02:00 in Riga, at weekends too */
let backup: MadeCheck
/** a check that is pinged every 30 minutes, and expected once a day */
let sync: MadeCheck

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  backup = await site.check('Backup', { schedule: '0 2 * * *', tz: 'Europe/Riga', grace: 1800, channels: '' })
  sync = await site.check('Sync', { timeout: 86_400, grace: 3600, channels: '' })
  const today = site.t.clock.now().toZonedDateTimeISO('Europe/Riga').startOfDay()
  // Three weeks from a Friday on, whatever day it is: the first run of a log is not judged, and three weekends follow.
  const first = today.add({ days: 12 - today.dayOfWeek, hours: 2, minutes: 4 })
  for (let day = 0; day < 21; day++) await pingAt(backup, first.add({ days: day }).toInstant())
  for (let run = 0; run < 20; run++) await pingAt(sync, site.t.clock.now().add({ minutes: 30 }))
  owner = await site.person('owner')
  page = await site.tab({ as: owner })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

async function pingAt({ pingUrl }: MadeCheck, at: Temporal.Instant): Promise<void> {
  site.t.clock.advance({ milliseconds: at.epochMilliseconds - site.t.clock.now().epochMilliseconds })
  await fetch(pingUrl)
}

const pathOf = ({ publicId }: MadeCheck) => `/p/tests/checks/${publicId}/edit?tab=schedule`
const colorOf = (selector: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).color`)
const stored = async ({ uuid }: MadeCheck) => (await site.t.app.deps.store.checks.find(uuid))?.check
const expression = (where = page) => where.getByLabel('Cron expression')
const means = (words: string, where = page) => where.locator('#means', { hasText: words }).waitFor()
const mistaken = (words: string, where = page) => where.locator('#mistake', { hasText: words }).waitFor()
const press = (name: string, where = page) => where.getByRole('button', { name }).click()

describe('as one types', () => {
  beforeEach(() => page.goto(pathOf(backup)))

  test('the sentence, the next runs and the past follow, and nothing is saved', async () => {
    await means('Daily at 02:00, Europe/Riga. Alerts are sent at 02:30.')
    await page.locator('#judged', { hasText: 'went as expected' }).waitFor()
    await expression().pressSequentially('x')
    await expression().fill('0 2 * * 1-5')
    await means('Weekdays at 02:00, Europe/Riga. Alerts are sent at 02:30.')
    await page
      .locator('#judged', { hasText: '6 weekend pings would be extra: does the job really stop at weekends?' })
      .waitFor()
    expect(await page.locator('#next-runs tbody tr').count()).toBe(7)
    expect(await page.locator('#cron-below .five b').allTextContents()).toEqual(['0', '2', '*', '*', '1-5'])
    await page.getByLabel('Time zone').fill('Asia/Tokyo')
    await means('Weekdays at 02:00, Asia/Tokyo.')
    await page.getByRole('columnheader', { name: 'Tokyo', exact: true }).waitFor()
    await page.getByLabel('Grace time', { exact: true }).fill('45')
    await means('Alerts are sent at 02:45.')
    await page.locator('fieldset').getByText('Interval', { exact: true }).click()
    await means('Every day. Alerts are sent if no ping arrives for 1 day 45 minutes.')
    expect(await stored(backup)).toMatchObject({ schedule: '0 2 * * *', tz: 'Europe/Riga', graceSeconds: 1800 })
  })

  test('a mistake is marked by carets, described to who cannot see, and goes when it is mended', async () => {
    await expression().fill('0 25 * * *')
    await page.locator('.caret', { hasText: '^^' }).waitFor()
    expect(await page.locator('.caret').textContent()).toBe('0 25 * * *\n  ^^')
    expect(await expression().getAttribute('aria-invalid')).toBe('true')
    const described = String(await expression().getAttribute('aria-describedby'))
    expect(await page.locator(`#${described}`).textContent()).toContain(
      '"25" is not valid for the hour; allowed: 0-23.',
    )
    await mistaken('Cron expression: "25" is not valid for the hour; allowed: 0-23.')
    await page.locator('#cron:focus').waitFor()
    await expression().fill('0 5 * * *')
    await means('Daily at 05:00')
    expect(await page.locator('.caret').count()).toBe(0)
    expect(await expression().getAttribute('aria-invalid')).toBe('false')
  })

  test('the last good preview stays beside a mistake, as out of date, and moves nothing below the fields', async () => {
    const parts = ['#mistake', '#means', '#next-runs', '#judged']
    const busy = () => Promise.all(parts.map((part) => page.locator(part).getAttribute('aria-busy')))
    const zoneTop = async () => (await page.getByLabel('Time zone').boundingBox())?.y
    await page.getByText('systemd OnCalendar', { exact: true }).click()
    await mistaken('OnCalendar expressions: Type an expression')
    await means('Daily at 02:00')
    const calendar = page.getByLabel('OnCalendar expressions')
    await calendar.fill('Mon..Fri 02:00')
    await means('Weekdays at 02:00')
    expect(await page.locator('#mistake').textContent()).toBe('')
    const [top, look] = [await zoneTop(), await colorOf('#means .lead')]
    await calendar.fill('Mon..Fri 02:0x')
    await mistaken('OnCalendar expressions: ')
    await means('Weekdays at 02:00')
    expect(await page.locator('#next-runs tbody tr').count()).toBe(7)
    await page.locator('#judged', { hasText: '6 weekend pings' }).waitFor()
    expect(await busy()).toEqual([null, 'true', 'true', 'true'])
    expect(await zoneTop()).toBe(top)
    expect(await colorOf('#means .lead')).not.toBe(look)
    await calendar.fill('Mon..Fri 03:00')
    await means('Weekdays at 03:00')
    expect(await busy()).toEqual([null, null, null, null])
    expect(await colorOf('#means .lead')).toBe(look)
  })

  test('only the newest answer is shown', async () => {
    let asked = 0
    await page.route('**/schedule/preview', async (route) => {
      asked += 1
      // The first answer is late; by then the script has given up its request.
      if (asked === 1) await page.locator('#means', { hasText: 'Daily at 07:00' }).waitFor()
      await route.continue().catch(() => {})
    })
    const first = page.waitForRequest('**/schedule/preview')
    await expression().fill('0 6 * * *')
    await first
    await expression().fill('0 7 * * *')
    await means('Daily at 07:00')
    await page.unroute('**/schedule/preview')
    await expression().fill('0 8 * * *')
    await means('Daily at 08:00')
    expect(asked).toBe(2)
  })

  test('a server that is away is named, and the next change asks again', async () => {
    await page.route('**/schedule/preview', (route) => route.abort())
    await expression().fill('0 6 * * *')
    await mistaken('The server did not answer.')
    await means('Daily at 02:00')
    await page.unroute('**/schedule/preview')
    await expression().fill('0 7 * * *')
    await means('Daily at 07:00')
  })
})

test('A pasted crontab line is filled in at once, and a typed one by its button', async () => {
  await page.goto(pathOf(backup))
  await expression().fill('')
  // Dispatches the event of a paste.
  await page.evaluate(`{
    const field = document.querySelector('#cron')
    field.value = '*/5 * * * * /usr/local/bin/backup.sh --all'
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }))
  }`)
  await means('Every 5 minutes, Europe/Riga.')
  await page.waitForFunction('document.querySelector("#cron").value === "*/5 * * * *"')
  await page.locator('#cron:focus').waitFor()
  await expression().fill('@daily root /usr/local/bin/backup.sh')
  await page.locator('#cron-below', { hasText: 'with the schedule @daily' }).waitFor()
  await press('Fill in the values from the crontab line')
  expect(await expression().inputValue()).toBe('@daily')
  await means('Daily at 00:00, Europe/Riga.')
  expect(await stored(backup)).toMatchObject({ name: 'Backup', schedule: '0 2 * * *' })
})

test('Leaving asks only when something would be lost', async () => {
  const tab = await site.tab({ as: owner })
  const asked: string[] = []
  tab.on('dialog', (dialog) => asked.push(dialog.type()))
  const follow = (name: string) => tab.getByRole('navigation', { name: 'Edit' }).getByRole('link', { name }).click()
  await tab.goto(pathOf(backup))
  await follow('Details')
  await tab.getByLabel('Description').waitFor()
  expect(asked).toEqual([])
  await tab.getByLabel('Description').pressSequentially('x')
  await follow('Rules')
  await tab.getByText('Try it').waitFor()
  expect(asked).toEqual(['beforeunload'])
  await tab.getByRole('textbox', { name: 'Body of the request' }).pressSequentially('only tried')
  await follow('Details')
  await tab.getByLabel('Tags').pressSequentially('db')
  await tab.getByRole('button', { name: 'Save details' }).click()
  await tab.getByText('Saved.').waitFor()
  expect(asked).toEqual(['beforeunload'])
})

test('The proposal fills in the fields, and is saved by keyboard alone', async () => {
  await page.goto(pathOf(sync))
  await page.locator('.proposal', { hasText: 'Every 30 minutes, with' }).waitFor()
  await page.getByRole('button', { name: 'Use it' }).press('Enter')
  await means('Every 30 minutes.')
  await page.locator('.proposal').waitFor({ state: 'detached' })
  expect(await page.evaluate<string>('document.activeElement.value')).toBe('simple')
  expect(await page.getByRole('textbox', { name: 'Interval' }).inputValue()).toBe('30')
  expect(await page.getByLabel('Unit of: Interval').inputValue()).toBe('minutes')
  expect(await stored(sync)).toMatchObject({ timeoutSeconds: 86_400 })
  await page.keyboard.press('Control+Enter')
  await page.getByText('Schedule saved.').waitFor()
  expect(await stored(sync)).toMatchObject({ kind: 'simple', timeoutSeconds: 1_800 })
})

test('A proposal and a mistake break no rule of axe-core, light and dark', async () => {
  for (const [colorScheme, rules] of [
    ['light', 'all'],
    ['dark', 'colours'],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto(pathOf(sync))
    await page.getByText('Cron', { exact: true }).click()
    await expression().fill('0 2 * * *')
    await page.locator('.proposal').waitFor()
    expect([colorScheme, await brokenRules(page, rules)]).toEqual([colorScheme, []])
    await expression().fill('0 25 * * *')
    await page.locator('.caret').waitFor()
    expect([colorScheme, await brokenRules(page, rules)]).toEqual([colorScheme, []])
  }
})

test('A new check is explained while its schedule is typed, not while its name is', async () => {
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/new/preview')) asked += 1
  })
  await page.goto('/p/tests/checks/new')
  await means('Every day. Alerts are sent if no ping arrives for 1 day 1 hour.')
  await page.getByLabel('Name', { exact: true }).fill('Cleaning')
  await page.getByText('systemd OnCalendar', { exact: true }).click()
  await mistaken('OnCalendar expressions: Type an expression')
  await page.getByLabel('OnCalendar expressions').fill('Sat,Sun 04:00')
  await means('Weekends at 04:00')
  await page.getByText('Cron', { exact: true }).click()
  await page.getByLabel('Cron expression').fill('0 4 * * 0')
  await means('Sundays at 04:00')
  expect(asked).toBeLessThanOrEqual(4)
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Cleaning' }).waitFor()
  await page.goto('/p/tests/checks/new')
  await page.getByLabel('Name', { exact: true }).fill('Sweeping')
  await page.getByLabel('Description').press('Control+Enter')
  await page.getByRole('heading', { level: 1, name: 'Sweeping' }).waitFor()
})

describe('on a phone of 320 px', () => {
  test('everything fits, a thumb hits it, and the preview is below the fields', async () => {
    const viewport = { width: 320, height: 640 }
    const phone = await site.tab({ as: owner, viewport, hasTouch: true, isMobile: true })
    await phone.goto(pathOf(backup))
    await expression(phone).fill('0 2 * * 1-5')
    await means('Weekdays at 02:00', phone)
    expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).toBe(320)
    expect(await smallTargets(phone)).toEqual([])
    await expression(phone).fill(`${'0,'.repeat(30)}99 2 * * 1-5`)
    await phone.locator('.caret', { hasText: '^^' }).waitFor()
    expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).toBe(320)
    const box = await phone.locator('.caret b').boundingBox()
    expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThan(320)
  })
})

describe('without a script', () => {
  let bare: Page

  beforeAll(async () => {
    bare = await site.tab({ as: owner, javaScriptEnabled: false })
  })

  test('Enter makes a new check, and a button explains its schedule', async () => {
    await bare.goto('/p/tests/checks/new')
    await bare.getByLabel('Name', { exact: true }).fill('Bare')
    await bare.getByText('Cron', { exact: true }).click()
    await expression(bare).fill('0 4 * * 0')
    await press('Preview', bare)
    await means('Sundays at 04:00', bare)
    await bare.getByLabel('Name', { exact: true }).press('Enter')
    await bare.getByRole('heading', { level: 1, name: 'Bare' }).waitFor()
  })
})
