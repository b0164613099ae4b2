/** Pages on a phone of 390 px, and with the keyboard alone. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  administrator,
  openSiteWithAdministrator,
  PASSWORD,
  type Person,
  plainSlugs,
  type Site,
} from './support/site.ts'
import { smallTargets } from './support/small-targets.ts'

let site: Site
let owner: Person

beforeAll(async () => {
  site = await openSiteWithAdministrator()
  owner = await administrator(site)
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Lists choices beyond the edge, and texts to copy that are wider than their box or under their button. */
const cutOrCovered = (page: Page) =>
  page.evaluate<string[]>(`[
    ...[...document.querySelectorAll('.seg label')].filter((one) => one.getBoundingClientRect().right > innerWidth),
    ...[...document.querySelectorAll('[data-copy]')].filter((one) => one.checkVisibility()).filter((one) => {
      const button = one.parentElement.querySelector('.btn').getBoundingClientRect()
      const range = document.createRange()
      range.selectNodeContents(one)
      const isUnder = [...range.getClientRects()].some((line) =>
        line.right > button.left && line.left < button.right && line.bottom > button.top && line.top < button.bottom)
      return isUnder || one.scrollWidth > one.clientWidth
    }),
  ].map((one) => one.textContent)`)

describe('on a phone', () => {
  test('the bar at the bottom leads to the pages, and a thumb hits everything that it needs', async () => {
    const page = await site.tab({
      as: owner,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
    })
    await page.goto('/projects')
    await page.getByRole('link', { name: 'Default' }).tap()
    await title(page, 'Checks')
    const bar = page.getByRole('navigation', { name: 'Sections' })
    const more = async (name: string) => {
      await bar.getByText('More').tap()
      await bar.getByRole('link', { name, exact: true }).tap()
    }
    await more('Project settings')
    await title(page, 'Project settings')
    expect(await smallTargets(page)).toEqual([])
    await page.getByLabel('Name', { exact: true }).fill('On the road')
    await page.getByRole('button', { name: 'Save settings' }).tap()
    await page.getByText('Saved.').waitFor()
    await bar.getByRole('link', { name: 'Alerts' }).tap()
    await title(page, 'Alerts')
    expect(await smallTargets(page)).toEqual([])
    for (const name of ['Badges', 'Reports']) {
      await more(name)
      await title(page, name)
      expect([name, await smallTargets(page)]).toEqual([name, []])
    }
    await more('Account')
    await title(page, 'Account')
    expect(await smallTargets(page)).toEqual([])
    await bar.getByRole('link', { name: 'Overview' }).tap()
    await title(page, 'Overview')
    expect(await smallTargets(page)).toEqual([])
    await page.locator('.switcher summary').tap()
    await page.locator('.switcher').getByRole('link', { name: 'Projects' }).tap()
    await title(page, 'Projects')
    expect(await smallTargets(page)).toEqual([])
  })

  test('keys are told apart, ended and copied at 320 px, and no snippet is cut or covered', async () => {
    const page = await site.tab({ as: owner, viewport: { width: 320, height: 700 }, permissions: ['clipboard-write'] })
    for (const name of ['Laptop', 'Of the warehouse, for its screen']) {
      await page.goto('/p/default/settings')
      await page.getByLabel('Name of a new key').fill(name)
      await page.getByRole('button', { name: 'Create API key' }).click()
      await title(page, 'New API key')
    }
    await page.goto('/p/default/settings')
    const row = page.getByRole('row', { name: 'Laptop' })
    await row.getByText('odr_').waitFor()
    const revoke = await row.getByRole('link', { name: 'Revoke' }).boundingBox()
    expect(revoke && revoke.x + revoke.width).toBeLessThan(320)
    await page.goto('/p/default/checks/new')
    await page.getByLabel('Name', { exact: true }).fill('Backup')
    await page.getByRole('button', { name: 'Create check' }).click()
    await title(page, 'Backup')
    expect(await cutOrCovered(page)).toEqual([])
    await page.context().close()
  })

  test('the text of a field is large enough that the phone does not zoom in', async () => {
    const page = await site.tab({ viewport: { width: 390, height: 844 } })
    await page.goto('/sign-in')
    const sizes = await page.evaluate(
      `[...document.querySelectorAll('input:not([type=hidden])')].map((one) => getComputedStyle(one).fontSize)`,
    )
    expect(sizes).toEqual(['16px', '16px'])
  })
})

describe('by keyboard alone', () => {
  let page: Page

  beforeAll(async () => {
    page = await site.tab()
  })

  test('one goes from the sign-in to a new project and to its new name', async () => {
    await page.goto('/sign-in')
    await page.locator('#email:focus').waitFor()
    await page.keyboard.type('ops@example.org')
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await title(page, 'Overview')
    await tabTo(page, 'New project')
    await page.keyboard.press('Enter')
    await page.locator('#name:focus').waitFor()
    await page.keyboard.type('Keys only')
    await tabTo(page, 'Create project')
    await page.keyboard.press('Space')
    await title(page, 'Checks')
    await tabTo(page, 'Project settings')
    await page.keyboard.press('Enter')
    await title(page, 'Project settings')
    await tabTo(page, 'Name')
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Keys only!')
    await plainSlugs(site.server)
  })

  test('the first stop of a page skips its menu', async () => {
    await page.goto('/projects')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('New project')
  })

  test('every stop of a page shows that it has the focus', async () => {
    for (const path of [
      '/',
      '/projects',
      '/account',
      '/account/security',
      '/p/keys-only/checks',
      '/p/keys-only/alerts',
      '/p/keys-only/badges',
      '/p/keys-only/reports',
      '/p/keys-only/settings',
      '/p/keys-only/status-page',
      '/docs/api',
      '/docs/api/overdue',
      '/docs/backup',
    ]) {
      await page.goto(path)
      const seen = new Set<string>()
      for (let stops = 0; stops < 40; stops++) {
        await page.keyboard.press('Tab')
        const [name, isShown] = await page.evaluate<[string, boolean]>(`(() => {
          const one = document.activeElement
          const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
          const shown = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
          return [one.outerHTML.slice(0, 100), shown && one.checkVisibility()]
        })()`)
        if (seen.has(name) || name.startsWith('<body')) break
        seen.add(name)
        expect([path, name, isShown]).toEqual([path, name, true])
      }
      expect(seen.size).toBeGreaterThan(5)
    }
  })

  test('the switcher opens with Enter, and Escape closes it and gives the focus back', async () => {
    await page.goto('/projects')
    await tabTo(page, 'Choose a project')
    await page.keyboard.press('Enter')
    const list = page.locator('details.switcher')
    expect(await list.getAttribute('open')).toBe('')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    expect(await list.getAttribute('open')).toBeNull()
    expect(await focused(page)).toBe('Choose a project')
  })

  test('? shows the keys, Escape closes them, and g with p or w goes to a page', async () => {
    await page.goto('/account')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard' })
    await help.waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'hidden' })
    await page.keyboard.press('?')
    await help.getByRole('button', { name: 'Close' }).press('Enter')
    await help.waitFor({ state: 'hidden' })
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await title(page, 'Projects')
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await title(page, 'Overview')
  })

  test('keys in a field are text', async () => {
    await page.goto('/projects/new')
    await page.locator('#name:focus').waitFor()
    await page.keyboard.type('gp?')
    expect(await page.getByLabel('Name').inputValue()).toBe('gp?')
    expect(await page.locator('dialog[open]').count()).toBe(0)
  })

  test('the account turns the keys off', async () => {
    await page.goto('/account')
    await tabTo(page, 'Keyboard shortcuts')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    await page.locator('h1').click()
    for (const key of ['?', 'g', 'p']) await page.keyboard.press(key)
    expect(await page.locator('dialog[open]').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/account')
  })
})

/** Returns the name of the focused element: its label, or its text. */
function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const one = document.activeElement
    return (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent).trim()
  })()`)
}

/** Presses Tab until an element with that name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  for (let stops = 0; stops < 40; stops++) {
    await page.keyboard.press('Tab')
    const here = await focused(page)
    if (here === name) return
    passed.push(here)
  }
  throw new Error(`Tab does not lead to "${name}", only to ${passed.join(', ')}`)
}
