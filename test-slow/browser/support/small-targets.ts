import type { Page } from 'playwright-core'

/**
 * Lists buttons, fields and links of menus that are lower or narrower than 40 px. Links within a text are not counted, nor are elements for
 * the keyboard only, which are cut off until they have the focus.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('button, input, select, summary, nav.tabbar a, .plist a, .seg a, .btn')]
    .filter((one) => one.checkVisibility())
    .filter((one) => { while (one && getComputedStyle(one).clipPath === 'none') one = one.parentElement; return !one })
    .map((one) => ({ one: one.closest('label') ?? one, box: (one.closest('label') ?? one).getBoundingClientRect() }))
    .filter(({ box }) => box.height > 0 && (box.height < 40 || box.width < 40))
    .map(({ one, box }) => one.outerHTML.slice(0, 80) + ' ' + box.width + ' x ' + box.height)`)
}
