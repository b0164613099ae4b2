/** Changes accounts whose user has proved ownership of the email address by opening a mailed link. */
import type { Account } from '../../domain/account/account.ts'
import type { AuditTrail } from '../audit.ts'
import type { Sql } from '../sql/database.ts'
import { changeAccount, findAccount } from './accounts.ts'
import { listIdentities, unlinkIdentity } from './identities.ts'
import { removeFactors } from './second-factors.ts'
import { endAccess } from './sessions.ts'

/**
 * Changes an account like {@link changeAccount}, after its user has opened a mailed link. If the address was not confirmed before, removes
 * passkeys, recovery codes and identities and ends all sessions, because they may have been created by someone else.
 * @param change returns a confirmed account
 */
export async function proveEmail(
  sql: Sql,
  trail: AuditTrail,
  id: string,
  change: (account: Account) => Account,
  link: string,
): Promise<Account | null> {
  await sql.lock('account', [id])
  const before = await findAccount(sql, id)
  const proven = await changeAccount(sql, trail, id, change, null, link)
  if (proven === null || before?.isEmailConfirmed !== false) return proven
  // Also ends the sessions of an account that had neither a password nor an authenticator app.
  await endAccess(sql, id, null)
  await removeFactors(sql, trail, id)
  for (const identity of await listIdentities(sql, id)) await unlinkIdentity(sql, trail, id, identity, () => {}, null)
  return proven
}
