/** Accounts whose address is proven by a mailed link. */
import type { Account } from '../../domain/account/account.ts'
import type { AuditTrail } from '../audit.ts'
import type { Sql } from '../sql/database.ts'
import { changeAccount, findAccount } from './accounts.ts'
import { listIdentities, unlinkIdentity } from './identities.ts'
import { removeFactors } from './second-factors.ts'
import { endAccess } from './sessions.ts'

export async function proveEmail(
  sql: Sql,
  id: string,
  change: (account: Account) => Account,
  link: string,
  trail: AuditTrail,
): Promise<Account | null> {
  await sql.lock('account', [id])
  const before = await findAccount(sql, id)
  const proven = await changeAccount(sql, id, change, { kept: null, link }, trail)
  if (proven === null || before?.isEmailConfirmed !== false) return proven
  // Also the sessions of an account that had neither password nor app.
  await endAccess(sql, id, null)
  await removeFactors(sql, id, trail)
  for (const identity of await listIdentities(sql, id)) await unlinkIdentity(sql, id, identity, () => {}, null, trail)
  return proven
}
