/** Reads and changes which accounts are administrators. */
import type { Account } from '../../domain/account/account.ts'
import { auditedAccount } from '../../domain/audit/subjects.ts'
import type { AuditTrail } from '../audit.ts'
import type { Sql } from '../sql/database.ts'
import { findAccount } from './accounts.ts'

const OTHER = 'SELECT 1 FROM accounts WHERE is_administrator = 1 AND is_suspended = 0 AND id <> $1 LIMIT 1'

/** Returns whether another account is an administrator. The caller must have locked the administrators. */
export async function hasOtherAdministrator(sql: Sql, accountId: string): Promise<boolean> {
  return (await sql.get(OTHER, [accountId])) !== null
}

const UPDATE = 'UPDATE accounts SET is_administrator = $2 WHERE id = $1'

/**
 * Makes an account an administrator, or an ordinary account again. The last administrator who is not suspended cannot be changed.
 * @returns the changed account; null if there is none
 */
export async function setAdministrator(
  sql: Sql,
  trail: AuditTrail,
  id: string,
  isAdministrator: boolean,
): Promise<Account | null> {
  await sql.lock('administrators')
  await sql.lock('account', [id])
  const before = await findAccount(sql, id)
  if (!before || before.isAdministrator === isAdministrator) return before
  if (!isAdministrator && !(await hasOtherAdministrator(sql, id))) return before
  const after = { ...before, isAdministrator }
  await sql.run(UPDATE, [id, Number(isAdministrator)])
  await trail.note(auditedAccount(before), auditedAccount(after, before))
  return after
}
