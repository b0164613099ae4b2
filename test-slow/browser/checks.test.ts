/** The list of checks: filters, many changes at once, keys, a phone. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { giveAdvice, UNTOLD } from '../../test/support/advice.ts'
import type { Person } from './support/site.ts'
import { type MadeCheck, openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'
import { smallTargets } from './support/small-targets.ts'

const LIST = '/p/tests/checks'

let site: SiteWithFakeClock
let owner: Person
let page: Page
let backup: MadeCheck
let report: MadeCheck

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  owner = await site.person('owner')
  backup = await site.check('Backup', { tags: 'db prod', timeout: 3600, grace: 3600, channels: '' })
  report = await site.check('Report', { tags: 'web prod', channels: '' })
  await site.check('Sync', { tags: 'web' })
  await site.check('Zip')
  for (const { pingUrl, uuid } of [backup, report]) {
    await fetch(pingUrl)
    await giveAdvice(site.t.app.deps, uuid, UNTOLD)
  }
  page = await site.tab({ as: owner })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const rows = (where = page) => where.locator('#list tr[id]')
const row = (name: string, where = page) => rows(where).filter({ hasText: name })
const box = (name: string, where = page) => row(name, where).getByRole('checkbox')
const names = () => page.locator('#list tr[id] th > a:first-child').allTextContents()
const press = (name: string, where = page) => where.getByRole('button', { name, exact: true }).click()
const said = (words: string, where = page) => where.locator('.toast', { hasText: words }).waitFor()
/** Looks at the check again. A pause withdraws advice about missing integrations, and the next look restores it. */
const lookAgain = () => giveAdvice(site.t.app.deps, backup.uuid, UNTOLD)
/** Returns the status of a check, the first class of its row. */
const state = async (name: string) => (await row(name).getAttribute('class'))?.split(' ')[0] ?? ''
const search = () => new URL(page.url()).search

describe('filters', () => {
  beforeEach(() => page.goto(LIST))

  test('typing filters the list in its place, and its address can be sent to others', async () => {
    await page.getByRole('searchbox').pressSequentially('back')
    await row('Report').waitFor({ state: 'detached' })
    expect(await names()).toEqual(['Backup'])
    await page.waitForURL('**/checks?q=back')
    await page.reload()
    expect(await names()).toEqual(['Backup'])
    await page.getByRole('searchbox').fill('nothing like it')
    await page.getByText('No checks match').first().waitFor()
    await page.getByRole('link', { name: 'Clear' }).first().click()
    await row('Report').waitFor()
  })

  test('states and tags narrow it down, and the back button widens it again', async () => {
    await page.getByRole('link', { name: /^Up / }).click()
    await row('Sync').waitFor({ state: 'detached' })
    expect(await names()).toEqual(['Backup', 'Report'])
    await page.setViewportSize({ width: 1440, height: 900 })
    await row('Report').getByRole('link', { name: 'web' }).click()
    await page.waitForURL((url) => url.search.includes('tag=web'))
    await page.goBack()
    expect(search()).toBe('?status=up')
    expect(await names()).toEqual(['Backup', 'Report'])
    await page.goBack()
    expect(search()).toBe('')
    expect(await names()).toEqual(['Backup', 'Report', 'Sync', 'Zip'])
    await page.goForward()
    expect(await names()).toEqual(['Backup', 'Report'])
  })

  test('a heading sorts, and sorts the other way the second time', async () => {
    await page.getByRole('columnheader', { name: 'Check' }).getByRole('link').click()
    await page.waitForURL('**/checks?sort=-name')
    // Checks that alert no one are a group of their own, above the others.
    expect(await names()).toEqual(['Report', 'Backup', 'Zip', 'Sync'])
    await page.getByRole('columnheader', { name: 'Check' }).getByRole('link').click()
    await page.waitForURL('**/checks')
    expect(await names()).toEqual(['Backup', 'Report', 'Sync', 'Zip'])
  })
})

test('a check that alerts no one needs somebody until it has an integration, also on a page that is open', async () => {
  await page.goto(LIST)
  await page.locator('#live', { hasText: 'Live' }).waitFor()
  const assign = (channels: string) =>
    fetch(`${site.baseUrl}/api/v3/checks/${backup.uuid}`, {
      method: 'POST',
      headers: { 'X-Api-Key': site.t.keys.apiKey },
      body: JSON.stringify({ channels }),
    })
  // A row in an update may be newer than its numbers: the next update has the others. A group that is empty is hidden.
  const showsNumbers = async (needs: number, expected: number) => {
    await page.locator('#n-needs', { hasText: `${needs}` }).waitFor({ state: 'attached' })
    await page.locator('#n-expected', { hasText: `${expected}` }).waitFor({ state: 'attached' })
  }
  await showsNumbers(2, 0)
  await assign('*')
  await giveAdvice(site.t.app.deps, backup.uuid)
  await page.locator(`#expected #c${backup.publicId}.up:not(.untold)`).waitFor()
  await showsNumbers(1, 1)
  await page.getByText('1 alerts no one. 1 as expected, 2 not pinged yet.').waitFor()
  await assign('')
  await giveAdvice(site.t.app.deps, backup.uuid, UNTOLD)
  await page.locator(`#needs #c${backup.publicId}.up.untold`).waitFor()
  await showsNumbers(2, 0)
})

describe('many changes at once', () => {
  beforeEach(() => page.goto(LIST))

  test('pause and resume, and undo brings back what was before', async () => {
    await box('Backup').check()
    await box('Zip').check()
    await page.getByText('2 selected').waitFor()
    await press('Pause')
    await said('2 checks paused.')
    expect([await state('Backup'), await state('Zip')]).toEqual(['paused', 'paused'])
    await press('Undo')
    await said('Undone: 2 checks restored.')
    expect([await state('Backup'), await state('Zip')]).toEqual(['up', 'new'])
    await box('Backup').check()
    await press('Pause')
    await said('1 check paused.')
    await box('Backup').check()
    await press('Resume')
    await said('1 check resumed.')
    expect(await state('Backup')).toBe('new')
    await press('Undo')
    await said('Undone: 1 check restored.')
    expect(await state('Backup')).toBe('paused')
    await fetch(backup.pingUrl)
    await page.locator(`#c${backup.publicId}.up`).waitFor()
    await lookAgain()
  })

  test('a tag is added to a range of rows, and taken away by undo', async () => {
    await box('Backup').click()
    await box('Sync').click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await page.locator('#bulk summary', { hasText: 'Tag…' }).click()
    await page.getByLabel('Tag', { exact: true }).fill('nightly')
    await press('Add tag')
    await said('3 checks tagged.')
    expect(await rows().filter({ hasText: 'nightly' }).count()).toBe(3)
    await press('Undo')
    await said('Undone: 3 checks restored.')
    expect(await rows().filter({ hasText: 'nightly' }).count()).toBe(0)
  })

  test('delete asks with the number, and can be left', async () => {
    const doomed = ['Doomed 1', 'Doomed 2']
    for (const name of doomed) await site.check(name)
    await page.goto(`${LIST}?q=doomed`)
    await page.getByLabel('Select all shown').check()
    await press('Delete…')
    await page.getByRole('heading', { name: 'Delete 2 checks?' }).waitFor()
    for (const name of doomed) expect(await page.getByText(name).count()).toBe(1)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL('**/checks?q=doomed')
    expect(await names()).toEqual(doomed)
    await page.getByLabel('Select all shown').check()
    await press('Delete…')
    await press('Delete 2 checks')
    await said('2 checks deleted.')
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    expect(await rows().count()).toBe(0)
  })

  test('a row that another reader deletes says so and stays', async () => {
    const { uuid, publicId } = await site.check('Leaves soon')
    await page.reload()
    await page.locator('#live', { hasText: 'Live' }).waitFor({ state: 'attached' })
    await site.t.call('DELETE', `/api/v3/checks/${uuid}`, { key: site.t.keys.apiKey })
    await page.locator(`#c${publicId}.gone`).waitFor()
  })
})

describe('keys', () => {
  const focusedRow = () =>
    page.evaluate<string>(`document.activeElement.closest('tr')?.querySelector('th > a').textContent ?? ''`)
  const ticked = () =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('#list input[name=c]:checked')].map((box) => box.closest('tr').querySelector('th > a').textContent)`,
    )
  const keys = async (...all: string[]) => {
    for (const key of all) await page.keyboard.press(key)
  }

  beforeEach(async () => {
    await page.goto(LIST)
    await page.getByText('0 selected').waitFor({ state: 'attached' })
  })

  test('j and k go from row to row, x and Shift-x select, Escape clears', async () => {
    await keys('j', 'j')
    expect(await focusedRow()).toBe('Report')
    await keys('k')
    expect(await focusedRow()).toBe('Backup')
    await keys('x', 'j', 'j', 'Shift+X')
    expect(await ticked()).toEqual(['Backup', 'Report', 'Sync'])
    await keys('x')
    expect(await ticked()).toEqual(['Backup', 'Report'])
    await keys('Escape')
    expect(await ticked()).toEqual([])
  })

  test('o opens a check, l its log, e its schedule, n makes one', async () => {
    for (const [key, suffix] of [
      ['o', ''],
      ['Enter', ''],
      ['l', '/log'],
      ['e', '/edit?tab=schedule'],
    ] as const) {
      await page.goto(LIST)
      await keys('j', key)
      await page.waitForURL(`**/checks/${backup.publicId}${suffix}`)
    }
    await page.goto(LIST)
    await keys('n')
    await page.waitForURL('**/checks/new')
    await page.locator('#name:focus').waitFor()
  })

  test('p pauses the row, and resumes it', async () => {
    await keys('j', 'p')
    await said('1 check paused.')
    expect(await state('Backup')).toBe('paused')
    await page.goto(LIST)
    await page.locator(`#c${backup.publicId} th > a:first-child`).focus()
    await keys('p')
    await said('1 check resumed.')
    await fetch(backup.pingUrl)
    await lookAgain()
  })

  test('/ goes to the search, and Escape clears it', async () => {
    await keys('/')
    await page.keyboard.type('zip')
    await row('Backup').waitFor({ state: 'detached' })
    await keys('Escape')
    await row('Backup').waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
  })

  test('on the page of a check, l, e, p and c work, and in its log [ and ]', async () => {
    const own = `${LIST}/${backup.publicId}`
    await page.goto(own)
    await keys('p')
    await said('paused.')
    await press('Undo')
    await said('restored.')
    await keys('c')
    await page.getByRole('button', { name: 'Copy: Ping URL' }).filter({ hasText: 'Copied' }).waitFor()
    await keys('e')
    await page.waitForURL('**/edit?tab=schedule')
    await page.goto(own)
    await keys('l')
    await page.waitForURL('**/log')
    await page.getByRole('link', { name: 'OK #1', exact: true }).press('Enter')
    await page.waitForURL('**/log/1')
    await keys('[')
    await page.waitForURL('**/log/2')
    await keys(']')
    await page.waitForURL('**/log/1')
    await keys('Escape')
    await page.waitForURL('**/log')
  })

  test('g and a letter go to the pages', async () => {
    await keys('g', 'w')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.goto(`${LIST}/${backup.publicId}`)
    await keys('g', 'c')
    await page.getByRole('heading', { level: 1, name: 'Checks' }).waitFor()
  })
})

describe('the last 24 hours', () => {
  const shown = () => page.locator('#list.day td[data-q] svg.nt')
  const look = async () => (await page.locator('#list').getAttribute('class'))?.split(' ').includes('day')

  test('come by a click and by v, stay after a reload and for another device, and go again', async () => {
    await page.goto(LIST)
    await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: '24 h' }).click()
    await shown().first().waitFor()
    await page.reload()
    await shown().first().waitFor()
    const device = await site.tab({ as: owner })
    await device.goto(LIST)
    await device.locator('#list.day td[data-q] svg.nt').first().waitFor()
    await device.close()
    await page.locator('#main').focus()
    await page.keyboard.press('v')
    await page.locator('#list:not(.day) svg.strip').first().waitFor()
    await page.locator('#main').focus()
    await page.keyboard.press('v')
    await shown().first().waitFor()
    expect(await look()).toBe(true)
  })

  test('have words, follow a ping, and move with the hour without their rows being sent', async () => {
    const cell = () => row('Zip').locator('td[data-q]')
    await shown().first().waitFor()
    expect(await cell().getAttribute('title')).toBe('nothing was due')
    const { minute } = site.t.clock.now().toZonedDateTimeISO('UTC')
    await site.wind({ minutes: (55 - minute + 60) % 60 })
    const name = `Pinged ${minute}`
    await fetch((await site.check(name)).pingUrl)
    await page.goto(LIST)
    await page.locator('#live', { hasText: 'Live' }).waitFor({ state: 'attached' })
    const pinged = row(name).locator('td[data-q]')
    // The first tick may still send the row because of its ping.
    await site.wind({ minutes: 1 })
    const bar = pinged.locator('svg .ok')
    const [before, letters] = [await bar.getAttribute('d'), await pinged.getAttribute('data-r')]
    await site.wind({ minutes: 15 })
    // A line has no height, so it does not count as visible.
    await pinged.locator(`svg .ok:not([d="${before}"])`).waitFor({ state: 'attached' })
    expect(await pinged.getAttribute('data-r')).toBe(letters)
    expect(await page.locator('#hours').getAttribute('role')).toBe('columnheader')
  })

  test('fit every width, and a phone has them in the menu', async () => {
    for (const width of [320, 360, 390, 768, 1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await shown().first().waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
    await page.setViewportSize({ width: 390, height: 800 })
    await page.locator('summary', { hasText: 'View' }).click()
    await press('30 runs')
    await page.locator('#list:not(.day) svg.strip').first().waitFor()
    await page.setViewportSize({ width: 1280, height: 720 })
  })
})

describe('on a phone of 390 px', () => {
  let phone: Page

  beforeAll(async () => {
    const viewport = { width: 390, height: 844 }
    phone = await site.tab({ as: owner, viewport, hasTouch: true, isMobile: true, deviceScaleFactor: 2 })
  })

  test('a thumb goes from what is wrong to a check, its log and a ping, and hits everything', async () => {
    await fetch(`${report.pingUrl}/fail`, { method: 'POST', body: 'disk full' })
    await phone.goto('/')
    expect(await smallTargets(phone)).toEqual([])
    await phone.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Checks' }).tap()
    await row('Report', phone).getByText('disk full').waitFor()
    expect(await smallTargets(phone)).toEqual([])
    await row('Report', phone).getByRole('link', { name: 'Report' }).tap()
    await phone.getByRole('heading', { level: 1, name: 'Report' }).waitFor()
    expect(await smallTargets(phone)).toEqual([])
    await phone.getByRole('link', { name: 'Open the log' }).tap()
    await phone.waitForURL('**/log')
    expect(await smallTargets(phone)).toEqual([])
    await phone
      .getByRole('link', { name: /^Failed #/ })
      .first()
      .tap()
    await phone.getByLabel('Ping body').getByText('disk full').waitFor()
    expect(await phone.locator('#log').isVisible()).toBe(false)
    expect(await smallTargets(phone)).toEqual([])
    await phone.locator('.back').tap()
    await phone.locator('#log').waitFor()
  })

  test('the boxes come with "Select", and the bar with a tick', async () => {
    await phone.goto(LIST)
    expect(await box('Zip', phone).isVisible()).toBe(false)
    await phone.getByText('Select', { exact: true }).tap()
    await box('Zip', phone).check()
    await press('Pause', phone)
    await said('1 check paused.', phone)
    await press('Undo', phone)
    await said('Undone', phone)
  })

  test('a new check is made', async () => {
    await phone.goto(LIST)
    await phone.getByRole('link', { name: 'New check' }).tap()
    await phone.getByLabel('Name', { exact: true }).fill('Made on the road')
    expect(await smallTargets(phone)).toEqual([])
    await phone.getByRole('button', { name: 'Create check' }).tap()
    await phone.getByRole('heading', { level: 1, name: 'Made on the road' }).waitFor()
  })
})
