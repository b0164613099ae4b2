/** A button that opens a list of links. It works without scripts. */
import { type Html, html } from '../html.ts'
import { icon } from './icons.ts'

interface MenuLink {
  readonly text: string
  /** the link's path, including SITE_ROOT's path */
  readonly href: string
  readonly isDanger?: boolean
}

/** @param label the button's text for screen readers @param first a form with a single button, shown above the links */
export function moreMenu(label: string, links: readonly MenuLink[], first: Html | null = null): Html {
  const items = links.map(
    ({ text, href, isDanger }) => html`<li><a href="${href}"${isDanger && html` class="danger"`}>${text}</a></li>`,
  )
  return html`<details class="menu"><summary class="btn icon" aria-label="${label}">${icon('dots')}</summary><ul>${first && html`<li>${first}</li>`}${items}</ul></details>`
}
