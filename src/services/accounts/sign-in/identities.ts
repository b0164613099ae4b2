/** Lists and unlinks the identities that users have at OpenID providers. */
import type { Account } from '../../../domain/account/account.ts'
import type { Identity, IdentityKey } from '../../../domain/account/identity.ts'
import type { Person } from '../../../domain/actor.ts'
import { Refusal } from '../../../domain/errors.ts'
import { authorOf } from '../../common/author.ts'
import type { Deps } from '../../common/deps.ts'
import { canMailLinks } from '../mailed-links.ts'

export type { Identity, IdentityKey } from '../../../domain/account/identity.ts'

/** Lists identities, oldest first. */
export function listIdentities({ store }: Pick<Deps, 'store'>, person: Person): Promise<Identity[]> {
  return store.identities.list(person.accountId)
}

/** Returns true if the person has an identity at the OpenID provider that they can use to prove who they are. */
export async function hasIdentity(
  { store, signInRules: { oidc } }: Pick<Deps, 'store' | 'signInRules'>,
  { id }: Account,
): Promise<boolean> {
  if (oidc === null) return false
  return (await store.identities.list(id)).some(({ issuer }) => isOf(issuer, oidc.issuer))
}

/**
 * Unlinks an identity, and ends the other sessions. Does nothing if the person does not have that identity.
 * @param session token hash of the session to keep
 * @throws Refusal `identity-needed` if the account would have no way to sign in
 */
export async function unlinkIdentity(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'signInRules' | 'operator'>,
  person: Person,
  account: Account,
  identity: IdentityKey,
  session: string | null,
): Promise<void> {
  const { store, signInRules } = deps
  const passkeys = signInRules.passkeys === null ? [] : await store.passkeys.list(account.id)
  const hasLocalWay =
    signInRules.hasLocalSignIn && (account.passwordHash !== null || passkeys.length > 0 || canMailLinks(deps))
  const { oidc } = signInRules
  const allow = (kept: readonly Identity[]): void => {
    if (hasLocalWay || kept.some(({ issuer }) => oidc !== null && isOf(issuer, oidc.issuer))) return
    throw new Refusal('identity-needed', 'this is the only way into your account; choose a password first')
  }
  await store.by(authorOf(deps, person)).identities.unlink(account.id, identity, allow, session)
}

/** @param configured the issuer without a trailing slash; the actual issuer may have a trailing slash */
function isOf(issuer: string, configured: string): boolean {
  return issuer === configured || issuer === `${configured}/`
}
