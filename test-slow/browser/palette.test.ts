/** The palette: opened by key or by its field, it finds checks, commands and output, and opens them. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Person } from './support/site.ts'
import { type MadeCheck, openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'
import { smallTargets } from './support/small-targets.ts'

let site: SiteWithFakeClock
let owner: Person
let reader: Person
let backup: MadeCheck
let broken: MadeCheck

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  owner = await site.person('owner')
  reader = await site.person('read-only')
  backup = await site.check('Nightly database backup', { tags: 'db' })
  broken = await site.check('Offsite copy of nightly backup', { tags: 'db offsite' })
  await site.check('<b>Bold</b> export')
  await fetch(backup.pingUrl, { method: 'POST', body: 'backlog of 214 files <img src=x onerror=alert(1)>' })
  await fetch(`${broken.pingUrl}/fail`)
  for (let round = 0; round < 3; round++) {
    await site.t.app.settle('search')
    await site.wind({ seconds: 1 })
  }
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or do' })
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
const group = (page: Page, name: string) => palette(page).getByRole('group', { name }).getByRole('option')
const pathOf = (page: Page) => new URL(page.url()).pathname

/** Returns the option that Enter selects. */
const chosen = (page: Page) => palette(page).locator('[aria-selected="true"]').textContent()

async function openByKey(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await palette(page).getByRole('option').first().waitFor()
}

async function openOn(path: string, as = owner): Promise<Page> {
  const page = await site.tab({ as })
  await page.goto(path)
  await openByKey(page)
  return page
}

describe('with the keyboard', () => {
  test('Ctrl K opens it with the checks that need attention and five commands, and Escape gives the focus back', async () => {
    const page = await site.tab({ as: owner })
    await page.goto('/projects')
    await page.getByRole('link', { name: 'New project' }).focus()
    await openByKey(page)
    expect(await page.evaluate('document.activeElement.name')).toBe('q')
    expect(await group(page, 'Needs attention').allTextContents()).toEqual([
      expect.stringMatching(/^Offsite copy of nightly backupDown for .* · Tests$/),
    ])
    expect(await group(page, 'Commands').count()).toBe(5)
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'hidden' })
    expect(await page.evaluate('document.activeElement.textContent')).toContain('New project')
  })

  test('what is typed finds checks, what can be done with the chosen one, output and places; the first hit is chosen', async () => {
    const page = await openOn('/')
    await page.keyboard.type('back')
    await group(page, 'Job output').first().waitFor()
    expect(await group(page, 'Checks').locator('mark').allTextContents()).toEqual(['back', 'back'])
    expect(await chosen(page)).toContain('Offsite copy of nightly backup')
    expect(await group(page, 'Do with Offsite copy of nightly backup').count()).toBe(5)
    expect(await group(page, 'Job output').first().textContent()).toMatch(
      /^Nightly database backup, at .*backlog of 214 files <img/,
    )
    expect(await palette(page).locator('img').count()).toBe(0)
    const input = palette(page).getByRole('combobox')
    const active = await input.getAttribute('aria-activedescendant')
    expect(await page.locator(`#${active}`).textContent()).toContain('Offsite copy of nightly backup')
    expect(await input.getAttribute('aria-expanded')).toBe('true')
    expect(await palette(page).getByRole('status').textContent()).toMatch(/^\d+ results$/)
    await page.keyboard.press('ArrowUp')
    expect(await chosen(page)).not.toContain('nightly')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page)).toContain('Nightly database backup')
    expect(await group(page, 'Do with Nightly database backup').count()).toBe(5)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/p/tests/checks/${backup.publicId}`)
  })

  test('Tab leads to all commands of the chosen check, and one pauses it', async () => {
    const page = await openOn('/')
    await page.keyboard.type('bold')
    await option(page, /Bold/).waitFor()
    await page.keyboard.press('Tab')
    expect(await chosen(page)).toMatch(/^Pause/)
    expect(await group(page, 'Do with <b>Bold</b> export').last().textContent()).toBe('Delete check…')
    await page.keyboard.press('Shift+Tab')
    expect(await chosen(page)).toContain('<b>Bold</b> export')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Paused.').waitFor()
    await openByKey(page)
    await page.keyboard.type('bold')
    await group(page, 'Do with <b>Bold</b> export').first().waitFor()
    expect(await group(page, 'Do with <b>Bold</b> export').first().textContent()).toMatch(/^Resume/)
  })

  test('after > there are commands only, those for the check of the page among them', async () => {
    const page = await openOn(`/p/tests/checks/${backup.publicId}/log`)
    await page.keyboard.type('>delete')
    await group(page, 'Do with Nightly database backup').first().waitFor()
    expect(await palette(page).getByRole('option').allTextContents()).toEqual([expect.stringMatching(/^Delete check…/)])
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/p/tests/checks/${backup.publicId}/delete`)
  })

  test('Ctrl Enter opens a new tab, and the palette stays', async () => {
    const page = await openOn('/')
    await page.keyboard.type('offsite')
    await option(page, /Offsite/)
      .first()
      .waitFor()
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Control+Enter')])
    await tab.waitForURL(`**/p/tests/checks/${broken.publicId}`)
    expect(pathOf(page)).toBe('/')
    expect(await palette(page).isVisible()).toBe(true)
  })

  test('the checks opened last come first when it is empty, and the sign-in forgets them', async () => {
    const page = await site.tab({ as: await site.person('member') })
    for (const id of [broken.publicId, backup.publicId]) await page.goto(`/p/tests/checks/${id}`)
    await openByKey(page)
    expect(await group(page, 'Last visited').locator('span > bdi').allTextContents()).toEqual([
      'Nightly database backup',
      'Offsite copy of nightly backup',
    ])
    await page.keyboard.type('>sign out')
    await option(page, 'Sign out').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sign-in*')
    expect(await page.evaluate('localStorage.length')).toBe(0)
  })

  test('a slash opens it where the page has no search of its own, and nothing does where keys are off', async () => {
    const page = await site.tab({ as: owner })
    await page.goto('/')
    await page.keyboard.press('/')
    await palette(page).waitFor()
    const other = await site.tab({ as: await site.person('member') })
    await other.goto('/account')
    await other.getByLabel('Keyboard shortcuts').uncheck()
    await other.getByRole('button', { name: 'Save settings' }).click()
    await other.getByText('Saved.').waitFor()
    await other.locator('body').press('Control+k')
    expect(await palette(other).isVisible()).toBe(false)
    await other.getByRole('link', { name: 'Search or do' }).click()
    await option(other, /New check/).waitFor()
  })
})

test('it copies a ping URL', async () => {
  const page = await site.tab({ as: owner, permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/')
  await openByKey(page)
  await page.keyboard.type('database')
  await option(page, 'Copy the ping URL').click()
  await palette(page).getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(backup.pingUrl)
})

test('who may only read gets the log of a check, and no command that changes something', async () => {
  const page = await openOn('/p/tests/checks', reader)
  await page.keyboard.type('database')
  await group(page, 'Do with Nightly database backup').first().waitFor()
  expect(await group(page, 'Do with Nightly database backup').allTextContents()).toEqual([
    expect.stringMatching(/^Open the log/),
  ])
  await page.keyboard.press('Control+a')
  await page.keyboard.type('>')
  await option(page, 'Sign out').waitFor()
  expect(await group(page, 'Commands').allTextContents()).toEqual(['New project', 'Sign out'])
})

test('what has no hit says so, and Enter leads to the page of the search', async () => {
  const page = await openOn('/')
  await page.keyboard.type('zzz')
  await option(page, 'All results for “zzz”').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?q=zzz')
})

test('on a phone it fills the screen, and a thumb opens, uses and closes it', async () => {
  const page = await site.tab({ as: owner, viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })
  await page.goto('/p/tests/checks')
  await page.getByRole('link', { name: 'Search or do' }).tap()
  await option(page, /Offsite/).waitFor()
  expect(await palette(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 320, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  expect(await smallTargets(page)).toEqual([])
  await palette(page).getByRole('button', { name: 'Close' }).tap()
  await palette(page).waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Search or do' }).tap()
  await option(page, /Offsite/).tap()
  await page.waitForURL(`**/p/tests/checks/${broken.publicId}`)
})

test('without a script the field leads to the search', async () => {
  const page = await site.tab({ as: owner, javaScriptEnabled: false })
  await page.goto('/p/tests/checks')
  await page.getByRole('link', { name: 'Search or do' }).click()
  await page.waitForURL('**/search')
})
