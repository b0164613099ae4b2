/** Every page with axe-core, in both themes and two widths; nothing scrolls sideways. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { brokenRules } from './support/axe.ts'
import { become } from './support/site.ts'
import { openViews, VIEWS, type Views } from './support/views.ts'

const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

let views: Views
let page: Page

beforeAll(async () => {
  views = await openViews()
  page = await views.site.tab({ viewport: DESK })
})
afterEach(() => expect(views.site.troubles()).toEqual([]))
afterAll(() => views.close())

async function open(name: string): Promise<void> {
  const view = views.list.find((each) => each.name === name)
  if (!view) throw new Error(`there is no view "${name}"`)
  await page.context().clearCookies()
  if (view.as) await become(page, views.site, view.as)
  await view.open(page)
}

test.each(VIEWS)('%s: no rule of axe-core is broken, and nothing scrolls sideways at 320 px', async (name) => {
  await page.setViewportSize(DESK)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
  await open(name)
  expect(['light', await brokenRules(page)]).toEqual(['light', []])
  // A theme changes only colours, whose names are the same at every width. Without transitions, no colour is between two themes.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect(['dark', await brokenRules(page, 'colours')]).toEqual(['dark', []])
  // A phone shows other parts, in the same colours.
  await page.setViewportSize(PHONE)
  expect(['on a phone', await brokenRules(page, 'others')]).toEqual(['on a phone', []])
  // A window of 1280 px at 400 % zoom is as wide (WCAG 1.4.10).
  await page.setViewportSize({ width: 320, height: 400 })
  expect(await overflowing()).toEqual([])
})

test.each(['GET /', 'checks in every state'])('%s: a phone has its own bar and rows in good colours', async (name) => {
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'light' })
  await open(name)
  expect(['light', await brokenRules(page, 'colours')]).toEqual(['light', []])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(['dark', await brokenRules(page, 'colours')]).toEqual(['dark', []])
})

test.each(['light', 'dark'] as const)(
  'in the %s theme the rows that fit the filter no longer, and those that are selected, have good colours',
  async (colorScheme) => {
    await page.setViewportSize(DESK)
    await page.emulateMedia({ colorScheme })
    await open('checks in every state')
    for (const change of [
      "row.classList.add('unlisted')",
      "row.classList.add('gone')",
      "row.style.background = 'var(--accent-tint)'",
    ]) {
      await page.evaluate(`for (const row of document.querySelectorAll('#list tr[id]')) ${change}`)
      expect([change, await brokenRules(page, 'colours')]).toEqual([change, []])
    }
  },
)

test('the page that waits for the first ping shows by a motion that it lives, but not to who wants no motion', async () => {
  await page.setViewportSize(DESK)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await open('first ping, waiting')
  expect(await running()).not.toEqual([])
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await running()).toEqual([])
})

/** Lists elements that reach beyond the window; empty when nothing scrolls sideways. */
async function overflowing(): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.querySelectorAll('body *')]
      .filter((one) => one.getBoundingClientRect().right > clientWidth + 0.5)
      .map((one) => one.outerHTML.slice(0, 80))
  })()`)
}

function running(): Promise<readonly string[]> {
  return page.evaluate(
    `document.getAnimations().filter(({ playState }) => playState === 'running').map(({ animationName }) => animationName)`,
  )
}
