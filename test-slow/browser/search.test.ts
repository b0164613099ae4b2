/** The search over everything: by key, and on a phone. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Person } from './support/site.ts'
import { type MadeCheck, openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'
import { smallTargets } from './support/small-targets.ts'

let site: SiteWithFakeClock
let owner: Person
let backup: MadeCheck

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  owner = await site.person('owner')
  backup = await site.check('Nightly backup', { tags: 'db prod' })
  await site.check('<b>Bold</b> export')
  const body = `pg_dump: wrote 12 GB <img src=x onerror=alert(1)>\ncurl ${backup.pingUrl} ${'x'.repeat(500)}`
  await fetch(backup.pingUrl, { method: 'POST', body })
  await readAll()
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

async function readAll(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await site.t.app.settle('search')
    await site.wind({ seconds: 1 })
  }
}

const hits = (page: Page, group: string) => page.getByRole('region', { name: group }).getByRole('listitem')

describe('with the keyboard', () => {
  test('g and f lead to the search, and a hit to its ping', async () => {
    const page = await site.tab({ as: owner })
    await page.goto('/')
    for (const key of ['g', 'f']) await page.keyboard.press(key)
    await page.waitForURL('**/search')
    // The browser focuses the field with its next frame.
    await page.locator('input[name="q"]:focus').waitFor()
    await page.keyboard.type('dump wrote')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=dump+wrote')
    expect(await hits(page, 'Pings').locator('mark').allTextContents()).toEqual(['dump', 'wrote'])
    expect(await page.locator('main img').count()).toBe(0)
    await hits(page, 'Pings').getByRole('link').press('Enter')
    await page.waitForURL(`**/p/tests/checks/${backup.publicId}/log/1`)
    await page.goBack()
    for (const key of ['g', 'f']) await page.locator('body').press(key)
    await page.locator('input[name="q"]:focus').waitFor()
    await page.keyboard.type('bold')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=bold')
    expect(await hits(page, 'Checks').getByRole('link').allTextContents()).toEqual(['<b>Bold</b> export'])
  })

  test('a slash stays in a list that has a field of its own', async () => {
    const page = await site.tab({ as: owner })
    await page.goto('/p/tests/checks')
    await page.keyboard.press('/')
    await page.keyboard.type('bold')
    await page.waitForURL('**/checks?q=bold')
  })
})

test('on a phone of 320 px nothing is wider than the screen, and a thumb hits everything', async () => {
  const page = await site.tab({ as: owner, viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })
  for (const path of ['/search', '/search?q=dump', '/search?q=nothing']) {
    await page.goto(path)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    expect(await smallTargets(page)).toEqual([])
  }
})
