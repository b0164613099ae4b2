import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The rules whose results differ between the themes. */
export const COLOUR_RULES: readonly string[] = ['color-contrast', 'link-in-text-block']

/** Each rule of axe-core that the open page breaks, with the elements that break it. @param rules all by default */
export async function brokenRules(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  // Colours that are on their way to another theme are nobody's.
  await page.evaluate('document.getAnimations().forEach((one) => one instanceof CSSTransition && one.finish())')
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  return page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target + ': ' + failureSummary)))`)
}
