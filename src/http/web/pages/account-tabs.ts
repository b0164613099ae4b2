/** The pages of an account, as tabs. */
import type { Href } from '../href.ts'
import { type Html, html } from '../html.ts'

export const ACCOUNT_PATHS = {
  settings: '/account',
  password: '/account/security',
  sessions: '/account/sessions',
} as const

const TABS = [
  [ACCOUNT_PATHS.settings, 'Settings'],
  [ACCOUNT_PATHS.password, 'Password'],
  [ACCOUNT_PATHS.sessions, 'Sessions'],
] as const

/** @param here the path of this page */
export function accountTabs(href: Href, here: string): Html {
  const links = TABS.map(
    ([path, text]) => html`<a href="${href(path)}"${path === here && html` aria-current="page"`}>${text}</a>`,
  )
  return html`<nav class="seg" aria-label="Account">${links}</nav>`
}
