/** Accounts, members of projects, sessions and one-time links. */

import type { Account, Member } from '../../domain/account/account.ts'
import type { OneTimeLink } from '../../domain/account/one-time-link.ts'
import type { Role } from '../../domain/account/role.ts'
import type { Session } from '../../domain/account/session.ts'
import type { Instant } from '../../lib/time.ts'

export interface FirstAccount {
  readonly account: Account
  /** the ownerless project of the first name gets the second */
  readonly rename: { readonly from: string; readonly to: string } | null
}

export interface MemberWithEmail extends Member {
  readonly email: string
}

/** Called in the transaction of a change. @param before the role of the account; null: none @throws to refuse the change */
export type AllowMember = (before: Role | null) => void

export interface SignedIn {
  readonly session: Session
  readonly account: Account
}

export interface AccountStore {
  /** By email. */
  listMembers(projectId: string): Promise<MemberWithEmail[]>
  hasAccounts(): Promise<boolean>
  /** By id, else by email. */
  findAccount(idOrEmail: string): Promise<Account | null>
  /** By email. */
  listAccounts(): Promise<Account[]>
  /**
   * @param passwordHash of the password by which the session begins; null for another way
   * @returns false if the account was deleted meanwhile, or its password was changed
   */
  createSession(session: Session, passwordHash: string | null): Promise<boolean>
  /** Also one that has expired. */
  findSession(lookup: string): Promise<SignedIn | null>
  /** Does nothing if it was seen later. */
  touchSession(lookup: string, at: Instant, address: string | null): Promise<void>
  /** Last seen first; also those that have expired. */
  listSessions(accountId: string): Promise<Session[]>
  /** @returns false if the account has no such session */
  endSession(accountId: string, lookup: string): Promise<boolean>
  /** @param kept the lookup of a session that stays; null ends all @returns how many ended */
  endSessions(accountId: string, kept: string | null): Promise<number>
  /** A link to choose a password ends the earlier ones of the account. */
  createLink(link: OneTimeLink): Promise<void>
  /** Also one that has expired. */
  findLink(lookup: string): Promise<OneTimeLink | null>
  /** Ends the link, and all of the same purpose and account. @returns false if somebody has used it already */
  useLink(lookup: string): Promise<boolean>
}

/** Changes that have an author: see `AuthoredWrites`. */
export interface AccountWrites {
  /** @throws Refusal `account-exists` if there is one with that email */
  createAccount(account: Account): Promise<void>
  /**
   * Creates an account that owns every project without an owner, and ends the links for a first account.
   * @throws Refusal `project-name-taken` @returns null if there is an account already; nothing is written then
   */
  createFirstAccount(first: FirstAccount): Promise<Account | null>
  /**
   * Replaces the stored account by what `change` returns, except its id and `createdAt`. If the email or the password changes,
   * its sessions and links end.
   * @param keptSession the lookup of a session that stays; null ends all
   * @param link the lookup of the account's link that allows the change, and ends with it
   * @throws Refusal `account-exists` @returns null if there is no such account, or no such link
   */
  changeAccount(
    id: string,
    change: (account: Account) => Account,
    keptSession: string | null,
    link?: string,
  ): Promise<Account | null>
  /** Also deletes its places in projects, its sessions and links. @returns the account; null if there is none */
  deleteAccount(id: string): Promise<Account | null>
  /**
   * Adds a member, or changes the role; `createdAt` stays then.
   * @returns the member as stored; null if there is no such account @throws what `allow` throws
   */
  setMember(member: Member, allow?: AllowMember): Promise<MemberWithEmail | null>
  /** @returns the member as it was; null if the account has no place in the project @throws what `allow` throws */
  removeMember(accountId: string, projectId: string, allow?: AllowMember): Promise<MemberWithEmail | null>
}
