/** A button that opens a list of links, with or without the script. */
import { type Html, html } from '../html.ts'
import { icon } from './icons.ts'

interface MenuLink {
  readonly text: string
  /** includes the path of SITE_ROOT */
  readonly href: string
  readonly isDanger?: boolean
}

/** @param label meaning of the button @param first a form with one button, above the links */
export function moreMenu(label: string, links: readonly MenuLink[], first: Html | null = null): Html {
  const items = links.map(
    ({ text, href, isDanger }) => html`<li><a href="${href}"${isDanger && html` class="danger"`}>${text}</a></li>`,
  )
  return html`<details class="menu"><summary class="btn icon" aria-label="${label}">${icon('dots')}</summary><ul>${first && html`<li>${first}</li>`}${items}</ul></details>`
}
