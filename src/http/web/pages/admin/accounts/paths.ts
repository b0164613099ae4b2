/** The addresses of accounts, below SITE_ROOT. */
import { ADMIN_PATHS } from '../tabs.ts'

export const NEW_ACCOUNT = `${ADMIN_PATHS.accounts}/new`
export const ACCOUNT = `${ADMIN_PATHS.accounts}/:account`

/** @param page such as `delete`; '' for the page of the account */
export function accountPath(id: string, page: 'delete' | 'link' | '' = ''): string {
  return `${ADMIN_PATHS.accounts}/${id}${page === '' ? '' : `/${page}`}`
}
