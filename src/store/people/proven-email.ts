/** Accounts whose address is proved by a mailed link. */
import type { Account } from '../../domain/account/account.ts'
import type { AuditTrail } from '../audit.ts'
import type { Sql } from '../sql/database.ts'
import { changeAccount, findAccount } from './accounts.ts'
import { listIdentities, unlinkIdentity } from './identities.ts'
import { removeFactors } from './second-factors.ts'
import { endAccess } from './sessions.ts'

/**
 * Changes an account as {@link changeAccount} does, for a person who has opened a mailed link. If the address was not confirmed, passkeys,
 * recovery codes and identities are removed, and all sessions end: they may be a stranger's.
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
  // Ends the sessions of an account that had neither password nor app, too.
  await endAccess(sql, id, null)
  await removeFactors(sql, trail, id)
  for (const identity of await listIdentities(sql, id)) await unlinkIdentity(sql, trail, id, identity, () => {}, null)
  return proven
}
