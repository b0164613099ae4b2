import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Rules whose results differ between the themes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** All rules of axe-core; those about colours; or all others. */
type Rules = 'all' | 'colours' | 'others'

const OPTIONS: Readonly<Record<Rules, object>> = {
  all: {},
  colours: { runOnly: COLOUR_RULES },
  others: { rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) },
}

/** Lists each rule of axe-core that the open page breaks, with the elements that break it. */
export async function brokenRules(page: Page, rules: Rules = 'all'): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  // Colours during a transition belong to neither theme.
  await page.evaluate('document.getAnimations().forEach((one) => one instanceof CSSTransition && one.finish())')
  const options = JSON.stringify({ resultTypes: ['violations'], ...OPTIONS[rules] })
  return page.evaluate(`axe.run(${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target + ': ' + failureSummary)))`)
}
