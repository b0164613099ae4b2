/** Changing the settings of several checks at once: from the list, with a preview while typing, and undo. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { brokenRules } from './support/axe.ts'
import type { Person } from './support/site.ts'
import { type MadeCheck, openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'
import { smallTargets } from './support/small-targets.ts'

const LIST = '/p/tests/checks'

let site: SiteWithFakeClock
let owner: Person
let page: Page
let late: MadeCheck
let nightly: MadeCheck

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  nightly = await site.check('Nightly', { schedule: '20 4 * * *', tz: 'Europe/Riga', grace: 3600, channels: '' })
  late = await site.check('Late', { timeout: 3600, grace: 60, channels: '' })
  await site.check('Other', { timeout: 86_400, channels: '' })
  // Each run is ten minutes later than the hour.
  for (let run = 0; run < 5; run++) {
    await fetch(late.pingUrl)
    site.t.clock.advance({ minutes: 70 })
  }
  await fetch(late.pingUrl)
  owner = await site.person('owner')
  page = await site.tab({ as: owner })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const press = (name: string, where = page) => where.getByRole('button', { name, exact: true }).click()
const said = (words: string, where = page) => where.locator('.toast', { hasText: words }).waitFor()
const question = (name: string, where = page) => where.getByRole('group', { name, exact: true })
const row = (name: string, where = page) => where.locator('#changes tbody tr').filter({ hasText: name })
const stored = async ({ uuid }: MadeCheck) => (await site.t.app.deps.store.checks.find(uuid))?.check

async function openForm(where = page): Promise<void> {
  await where.goto(LIST)
  for (const name of ['Nightly', 'Late'])
    await where.locator('#list tr[id]').filter({ hasText: name }).getByRole('checkbox').check()
  await press('Change schedule or grace…', where)
  await where.getByRole('heading', { name: 'Change schedule or grace of 2 checks' }).waitFor()
}

describe('several checks', () => {
  beforeEach(() => openForm())

  test('show what would change and what it would have alerted, as one types, and are changed and put back', async () => {
    await page.locator('#changes', { hasText: 'Nothing would change.' }).waitFor()
    await question('Grace').getByLabel('Set to').fill('15')
    await page.getByLabel('Unit of: Grace time').selectOption('minutes')
    await row('Late').filter({ hasText: '15 minutes' }).waitFor()
    expect(await row('Late').locator('td').allTextContents()).toEqual([
      'Every hour',
      '1 minute becomes 15 minutes',
      '5, would be 0',
    ])
    await question('Schedule').getByLabel('Move all by').fill('15')
    await row('Nightly').filter({ hasText: 'Daily at 04:35' }).waitFor()
    await row('Late').filter({ hasText: 'Not moved: an interval has no time of day.' }).waitFor()
    expect((await stored(late))?.graceSeconds).toBe(60)
    await press('Change 2 checks')
    await said('2 checks changed.')
    expect(await stored(nightly)).toMatchObject({ schedule: '35 4 * * *', graceSeconds: 900, tz: 'Europe/Riga' })
    expect(await stored(late)).toMatchObject({ timeoutSeconds: 3600, graceSeconds: 900 })
    await press('Undo')
    await said('Undone: 2 checks restored.')
    expect(await stored(nightly)).toMatchObject({ schedule: '20 4 * * *', graceSeconds: 3600 })
    expect(await stored(late)).toMatchObject({ graceSeconds: 60 })
  })

  test('keep what was typed beside a mistake, which is named at once and at its field', async () => {
    await question('Schedule').getByLabel('Set all to').fill('0 25 * * *')
    await page.locator('#changes', { hasText: 'Schedule: ' }).waitFor()
    await press('Change 2 checks')
    await page.locator('#expression-error').waitFor()
    expect(await page.locator('#expression').inputValue()).toBe('0 25 * * *')
    expect(await page.evaluate('document.activeElement.id')).toBe('expression')
  })

  test('that somebody else has changed meanwhile are named, and stay until the form is sent again', async () => {
    const other = await site.tab({ as: await site.person('member') })
    await openForm(other)
    await other.getByLabel('Add tags').fill('theirs')
    await press('Change 2 checks', other)
    await said('2 checks changed.', other)
    await other.close()
    await page.getByLabel('Add tags').fill('mine')
    await press('Change 2 checks')
    await page.getByRole('alert').filter({ hasText: 'Somebody has changed ‘Nightly’.' }).waitFor()
    expect((await stored(nightly))?.tags).toBe('theirs')
    await press('Change 2 checks')
    await said('2 checks changed.')
    expect((await stored(nightly))?.tags).toBe('theirs mine')
  })

  test('can be left by keyboard, and the form is sent by it', async () => {
    await page.getByLabel('Remove tags').fill('theirs mine')
    await page.keyboard.press('Enter')
    await said('2 checks changed.')
    expect((await stored(nightly))?.tags).toBe('')
    await openForm()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL(`**${LIST}`)
  })
})

test('without script the bar stands below the table, and a button shows what would change', async () => {
  const plain = await site.tab({ as: owner, javaScriptEnabled: false })
  await openForm(plain)
  await question('Grace', plain).getByLabel('Set to').fill('2')
  await press('Preview changes', plain)
  expect(await row('Nightly', plain).textContent()).toContain('2 hours')
  expect(await question('Grace', plain).getByLabel('Set to').inputValue()).toBe('2')
  await press('Change 2 checks', plain)
  await said('2 checks changed.', plain)
  await press('Undo', plain)
  await said('Undone: 2 checks restored.', plain)
  await plain.close()
})

test('the form fits a narrow phone, with targets for thumbs, and keeps the rules of accessibility in both looks', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const phone = await site.tab({
      as: owner,
      viewport: { width: 320, height: 700 },
      hasTouch: true,
      isMobile: true,
      colorScheme,
    })
    await phone.goto(`${LIST}/bulk/schedule?c=${nightly.publicId}&c=${late.publicId}`)
    await question('Schedule', phone).getByLabel('Move all by').fill('15')
    await row('Late', phone).filter({ hasText: 'Not moved' }).waitFor()
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(320)
    expect(await brokenRules(phone)).toEqual([])
    expect(await smallTargets(phone)).toEqual([])
    await phone.close()
  }
})
