/** Every page with axe-core, in both themes and two widths; nothing scrolls sideways; no motion for who wants none. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { become } from './support/site.ts'
import { openViews, VIEWS, type Views } from './support/views.ts'

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

let views: Views
let page: Page

beforeAll(async () => {
  views = await openViews()
  page = await views.site.tab({ viewport: DESKTOP })
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

describe.each(VIEWS)('%s', (name) => {
  test('breaks no rule of axe-core, light and dark, on a desk and on a phone', async () => {
    await page.setViewportSize(DESKTOP)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
    await open(name)
    await page.evaluate(axe.source)
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        // A theme changes nothing but colours.
        const found = await violations(colorScheme === 'light' ? null : COLOUR_RULES)
        expect([viewport.width, colorScheme, found]).toEqual([viewport.width, colorScheme, []])
      }
    }
  })

  test('does not scroll sideways at 320 px, at 200 % zoom, or with text twice as large', async () => {
    for (const width of [320, 640, 1280]) {
      await page.setViewportSize({ width, height: 400 })
      expect([width, await overflowing()]).toEqual([width, []])
    }
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    expect(['large text', await overflowing()]).toEqual(['large text', []])
  })

  test('moves nothing for who wants no motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await running()).toEqual([])
  })
})

test('without that wish, the page that waits for the first ping shows that it lives', async () => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await open('first ping, waiting')
  expect(await running()).not.toEqual([])
})

/** Each broken rule with the elements that break it. @param rules null: all */
async function violations(rules: readonly string[] | null): Promise<readonly string[]> {
  // Colours that are on their way to another theme are nobody's.
  await page.evaluate('document.getAnimations().forEach((one) => one instanceof CSSTransition && one.finish())')
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  return page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target + ': ' + failureSummary)))`)
}

/** What reaches beyond the window; empty when nothing scrolls sideways. */
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
    // What stands far off the screen is not drawn, so it does not learn of the wish before it comes near.
    `document.getAnimations().filter(({ playState, effect }) =>
      playState === 'running' && effect.target.checkVisibility({ contentVisibilityAuto: true })
    ).map(({ animationName }) => animationName)`,
  )
}
