/** What administrators do with accounts. */
import type { Account } from '../../domain/account/account.ts'
import type { OneTimeLink } from '../../domain/account/one-time-link.ts'
import { auditedAccount } from '../../domain/audit/subjects.ts'
import type { AuditTrail } from '../audit.ts'
import type { Sql } from '../sql/database.ts'
import type { AllowAccount, ListedAccount } from '../store.ts'
import { type AccountRow, toAccount } from './account-rows.ts'
import { changeAccount, deleteAccount, findAccount } from './accounts.ts'
import { hasOtherAdministrator } from './administrators.ts'
import { createToken } from './tokens.ts'

const LIST = `
  SELECT accounts.*, (SELECT COUNT(*) FROM members WHERE members.account_id = accounts.id) AS places
  FROM accounts WHERE email > $1 AND email LIKE $2 ESCAPE '\\' ORDER BY email LIMIT $3`

export async function listAccountPage(
  sql: Sql,
  text: string,
  after: string | null,
  limit: number,
): Promise<ListedAccount[]> {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  const rows = await sql.all<AccountRow & { places: number }>(LIST, [after ?? '', pattern, limit])
  return rows.map((row) => ({ account: toAccount(row), places: row.places }))
}

/** Locks who administers until the transaction ends. @throws what `allow` throws */
async function requireAllowed(sql: Sql, id: string, allow: AllowAccount): Promise<void> {
  await sql.lock('administrators')
  await sql.lock('account', [id])
  const account = await findAccount(sql, id)
  if (account) allow(account, await hasOtherAdministrator(sql, id))
}

export async function administerAccount(
  sql: Sql,
  id: string,
  change: (account: Account) => Account,
  allow: AllowAccount,
  trail: AuditTrail,
): Promise<Account | null> {
  await requireAllowed(sql, id, allow)
  return changeAccount(sql, id, change, { kept: null, link: null }, trail)
}

export async function removeAccount(
  sql: Sql,
  id: string,
  allow: AllowAccount,
  trail: AuditTrail,
): Promise<Account | null> {
  await requireAllowed(sql, id, allow)
  return deleteAccount(sql, id, trail)
}

/** The link itself is not in the audit log. */
export async function issueLink(sql: Sql, link: OneTimeLink, trail: AuditTrail): Promise<void> {
  await createToken(sql, link)
  const account = link.accountId === null ? null : await findAccount(sql, link.accountId)
  if (!account) return
  const audited = auditedAccount(account)
  await trail.note(audited, { ...audited, values: { ...audited.values, [`${link.purpose}_link`]: true } })
}
