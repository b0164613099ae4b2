/** Tabs for the account pages. */
import type { Href } from '../../href.ts'
import type { Html } from '../../html.ts'
import { pageTabs } from '../../parts/tabs.ts'

export const ACCOUNT_PATHS = {
  account: '/account',
  email: '/account/email',
  close: '/account/close',
  reports: '/account/reports',
  security: '/account/security',
  sessions: '/account/sessions',
} as const

const TABS = [
  [ACCOUNT_PATHS.account, 'Account'],
  [ACCOUNT_PATHS.reports, 'Reports'],
] as const
const SIGN_IN_TABS = [
  [ACCOUNT_PATHS.security, 'Security'],
  [ACCOUNT_PATHS.sessions, 'Sessions'],
] as const

/**
 * @param here this page's path
 * @param hasSignIn false if a proxy signs users in
 */
export function accountTabs(href: Href, here: string, hasSignIn = true): Html {
  return pageTabs(href, 'Account', [...TABS, ...(hasSignIn ? SIGN_IN_TABS : [])], here)
}
