/** Who accounts are at OpenID providers. */
import type { Account } from '../../domain/account/account.ts'
import type { Identity, IdentityKey } from '../../domain/account/identity.ts'
import type { Instant } from '../../lib/time.ts'

export interface IdentityStore {
  /** @returns the account of an identity; null if it is linked to none */
  findAccountOf(identity: IdentityKey): Promise<Account | null>
  /** Oldest first. */
  listIdentities(accountId: string): Promise<Identity[]>
  /** Does nothing if it was used later. */
  touchIdentity(identity: IdentityKey, at: Instant): Promise<void>
}

/** Changes that have an author: see `AuthoredWrites`. */
export interface IdentityWrites {
  /** Creates the account and links the identity to it. @throws Refusal `account-exists`; `identity-taken` if it is linked already */
  createAccountOf(identity: Identity, account: Account): Promise<void>
  /**
   * Ends the other sessions and the links of the account, as each new way in does. Changes nothing if it is linked to this account already.
   * @param kept the lookup of a session that stays; null ends all
   * @throws Refusal `identity-taken` if it is linked to another account, `account-not-found`
   */
  linkIdentity(identity: Identity, kept: string | null): Promise<void>
  /**
   * Ends the sessions and links of the account, since whoever has the identity may have begun them.
   * @param allow gets the identities that the account keeps, and throws to refuse @param kept the lookup of a session that stays; null ends all
   * @returns what was unlinked; null if the account has no such identity
   */
  unlinkIdentity(
    accountId: string,
    identity: IdentityKey,
    allow: (kept: readonly Identity[]) => void,
    kept: string | null,
  ): Promise<Identity | null>
  /**
   * Makes an account an administrator, or takes that away. The last administrator who is not suspended stays one.
   * @returns the account as it is then; null if there is none
   */
  setAdministrator(accountId: string, isAdministrator: boolean): Promise<Account | null>
}
