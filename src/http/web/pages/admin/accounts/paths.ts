/** Paths of account pages, below SITE_ROOT. */
import { ADMIN_TABS } from '../tabs.ts'

export const NEW_ACCOUNT = `${ADMIN_TABS.accounts.path}/new`
export const ACCOUNT = `${ADMIN_TABS.accounts.path}/:account`

/** @param page path below the account, such as `delete`; '' for the account's own page */
export function accountPath(id: string, page: 'delete' | 'link' | '' = ''): string {
  return `${ADMIN_TABS.accounts.path}/${id}${page === '' ? '' : `/${page}`}`
}
