/** Operations that administrators perform on accounts. */
import type { Account } from '../../domain/account/account.ts'
import type { OneTimeLink } from '../../domain/account/one-time-link.ts'
import { auditedAccount } from '../../domain/audit/subjects.ts'
import type { AuditTrail } from '../audit.ts'
import type { AllowAccount, ListedAccount } from '../interface/accounts.ts'
import { columns, number } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { ACCOUNTS } from '../tables/people.ts'
import { changeAccount, deleteAccount, findAccount } from './accounts.ts'
import { hasOtherAdministrator } from './administrators.ts'
import { createToken } from './tokens.ts'

const LIST = `
  SELECT accounts.*, (SELECT COUNT(*) FROM members WHERE members.account_id = accounts.id) AS places
  FROM accounts WHERE email > $1 AND email LIKE $2 ESCAPE '\\' ORDER BY email LIMIT $3`

const LISTED = columns<ListedAccount>({ account: ACCOUNTS, places: number })

/**
 * Lists accounts by email, one page at a time.
 * @param text part of the email; '' for all
 * @param after email after which to start; null to start at the beginning
 */
export function listAccountPage(sql: Sql, text: string, after: string | null, limit: number): Promise<ListedAccount[]> {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  return LISTED.all(sql, LIST, [after ?? '', pattern, limit])
}

/** Locks the administrators until the end of the transaction. @throws any error thrown by `allow` */
async function requireAllowed(sql: Sql, id: string, allow: AllowAccount): Promise<void> {
  await sql.lock('administrators')
  await sql.lock('account', [id])
  const account = await findAccount(sql, id)
  if (account) allow(account, await hasOtherAdministrator(sql, id))
}

/**
 * Changes another user's account, like {@link changeAccount}.
 * @throws any error thrown by `allow`
 * @returns null if there is no such account
 */
export async function administerAccount(
  sql: Sql,
  trail: AuditTrail,
  id: string,
  change: (account: Account) => Account,
  allow: AllowAccount,
): Promise<Account | null> {
  await requireAllowed(sql, id, allow)
  return changeAccount(sql, trail, id, change, null)
}

/**
 * Deletes an account with its memberships, sessions and links.
 * @returns the account; null if there is none
 * @throws any error thrown by `allow`
 */
export async function removeAccount(
  sql: Sql,
  trail: AuditTrail,
  id: string,
  allow: AllowAccount = () => {},
): Promise<Account | null> {
  await requireAllowed(sql, id, allow)
  return deleteAccount(sql, trail, id)
}

/** Creates a link for another user's account, like {@link createToken}. The audit log contains the link's purpose but not the link. */
export async function issueLink(sql: Sql, trail: AuditTrail, link: OneTimeLink): Promise<void> {
  await createToken(sql, link)
  const account = link.accountId === null ? null : await findAccount(sql, link.accountId)
  if (!account) return
  const audited = auditedAccount(account)
  await trail.note(audited, { ...audited, values: { ...audited.values, [`${link.purpose}_link`]: true } })
}
