/** Tabs: links to related pages, one of which is open. */
import type { Href } from '../href.ts'
import { type Html, html } from '../html.ts'

/** @param tabs each tab's path and text @param here this page's path */
export function pageTabs(
  href: Href,
  name: string,
  tabs: readonly (readonly [path: string, text: string])[],
  here: string,
): Html {
  const links = tabs.map(
    ([path, text]) => html`<a href="${href(path)}"${path === here && html` aria-current="page"`}>${text}</a>`,
  )
  return html`<nav class="seg" aria-label="${name}">${links}</nav>`
}
