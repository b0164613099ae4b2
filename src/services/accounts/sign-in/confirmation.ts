/** Decides whether a signed-in person must prove their identity again, and how they can do so. */
import type { Account } from '../../../domain/account/account.ts'
import { type ConfirmationMeans, isConfirmed } from '../../../domain/account/confirmation.ts'
import type { Session } from '../../../domain/account/session.ts'
import type { Person } from '../../../domain/actor.ts'
import type { Deps } from '../../common/deps.ts'
import { accountTurn } from './hash-turns.ts'
import { hasIdentity } from './identities.ts'
import { passkeyRules } from './passkeys.ts'
import { verifyPassword } from './passwords.ts'
import { verifyTotp } from './second-factor.ts'

type MeansDeps = Pick<Deps, 'store' | 'signInRules'>

/** Lists the ways in which the account's owner can prove their identity, in display order. */
export async function listMeans(deps: MeansDeps, account: Account): Promise<readonly ConfirmationMeans[]> {
  const { hasLocalSignIn } = deps.signInRules
  const hasPasskey = passkeyRules(deps) !== null && (await deps.store.passkeys.list(account.id)).length > 0
  return [
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(hasLocalSignIn && account.passwordHash !== null ? (['password'] as const) : []),
    ...(hasLocalSignIn && account.totp !== null ? (['totp'] as const) : []),
    ...((await hasIdentity(deps, account)) ? (['oidc'] as const) : []),
  ]
}

/** @param session null if a proxy signs the person in, in which case no confirmation is needed */
export async function needsConfirmation(
  deps: MeansDeps & Pick<Deps, 'now'>,
  account: Account,
  session: Session | null,
): Promise<boolean> {
  if (session === null) return false
  return !isConfirmed(session, await listMeans(deps, account), deps.now())
}

/** @throws Refusal `sign-in-failed`, `over-limit`, `busy` */
export async function confirmByPassword(
  deps: Pick<Deps, 'store' | 'now' | 'passwords' | 'signInLimits'>,
  { address }: Person,
  account: Account,
  session: Session,
  password: string,
): Promise<void> {
  await verifyPassword(deps, account, password, address, accountTurn(account.id))
  await deps.store.sessions.confirm(session.lookup, deps.now())
}

/** @throws Refusal `sign-in-failed`, `over-limit` */
export async function confirmByCode(
  deps: Pick<Deps, 'store' | 'now' | 'signInLimits'>,
  { address }: Person,
  account: Account,
  session: Session,
  code: string,
): Promise<void> {
  await verifyTotp(deps, account, code, address)
  await deps.store.sessions.confirm(session.lookup, deps.now())
}
