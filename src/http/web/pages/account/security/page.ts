/** What the pages of `/account/security` share. */
import type { AccountVisit, PageAnswer, Route } from '../../../route.ts'
import { ACCOUNT_PATHS } from '../tabs.ts'

export const SECURITY_CRUMBS = [
  { path: ACCOUNT_PATHS.account, text: 'Account' },
  { path: ACCOUNT_PATHS.security, text: 'Security' },
] as const

/** For who has proved lately who it is. */
export function sensitiveRoute(
  method: Route['method'],
  path: string,
  answer: (visit: AccountVisit) => PageAnswer | Promise<PageAnswer>,
): Route {
  return { method, path, access: 'account', cache: 'no-store', isSensitive: true, answer }
}
