/** The pages of an account, as tabs. */
import type { Href } from '../href.ts'
import { type Html, html } from '../html.ts'

export const ACCOUNT_PATHS = {
  settings: '/account',
  reports: '/account/reports',
  password: '/account/security',
  sessions: '/account/sessions',
} as const

const TABS = [
  [ACCOUNT_PATHS.settings, 'Settings'],
  [ACCOUNT_PATHS.reports, 'Reports'],
] as const
const SIGN_IN_TABS = [
  [ACCOUNT_PATHS.password, 'Password'],
  [ACCOUNT_PATHS.sessions, 'Sessions'],
] as const

/** @param here the path of this page @param hasSignIn false: a proxy signs people in */
export function accountTabs(href: Href, here: string, hasSignIn = true): Html {
  const links = [...TABS, ...(hasSignIn ? SIGN_IN_TABS : [])].map(
    ([path, text]) => html`<a href="${href(path)}"${path === here && html` aria-current="page"`}>${text}</a>`,
  )
  return html`<nav class="seg" aria-label="Account">${links}</nav>`
}
