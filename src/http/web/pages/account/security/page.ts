/** Components that the pages below `/account/security` share. */
import { ACCOUNT_PATHS } from '../tabs.ts'

export const SECURITY_CRUMBS = [
  { path: ACCOUNT_PATHS.account, text: 'Account' },
  { path: ACCOUNT_PATHS.security, text: 'Security' },
] as const
