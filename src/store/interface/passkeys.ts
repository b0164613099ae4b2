/** Passkeys of accounts. */
import type { Account } from '../../domain/account/account.ts'
import type { Passkey, PasskeyUse } from '../../domain/account/passkey.ts'
import type { Instant } from '../../lib/time.ts'

export interface PasskeyStore {
  /** By age, oldest first. */
  listPasskeys(accountId: string): Promise<Passkey[]>
  findPasskey(id: string): Promise<Passkey | null>
  /**
   * Notes a signature.
   * @returns false if its counter may not follow the last one, as of two at once with the same number, or there is no such passkey
   */
  usePasskey(use: Pick<PasskeyUse, 'id' | 'counter'>, at: Instant): Promise<boolean>
}

/** Changes that have an author: see `AuthoredWrites`. */
export interface PasskeyWrites {
  /**
   * Also ends the sessions and links of the account, as each new way in does.
   * @param keptSession the lookup of one that stays; null ends all
   * @throws Refusal `passkey-exists` if any account has it; `passkey-limit` if the account has `PASSKEY_LIMIT`; `account-not-found`
   */
  addPasskey(passkey: Passkey, keptSession: string | null): Promise<void>
  /** @returns the passkey as it is now; null if the account has no such passkey */
  renamePasskey(accountId: string, id: string, name: string): Promise<Passkey | null>
  /**
   * Also ends the sessions of the account, since one may have begun by it.
   * @param keptSession the lookup of one that stays; null ends all @returns the passkey; null if the account has no such passkey
   */
  removePasskey(accountId: string, id: string, keptSession: string | null): Promise<Passkey | null>
  /**
   * Removes what the account has beside its password: the authenticator app, recovery codes and passkeys. Ends its sessions and links.
   * @returns the account as it is now; null if there is none
   */
  removeFactors(accountId: string): Promise<Account | null>
}
