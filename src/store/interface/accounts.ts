/** Accounts, members of projects, sessions, and the tokens of links and challenges. */

import type { Account, Member, Totp } from '../../domain/account/account.ts'
import type { OneTimeLink } from '../../domain/account/one-time-link.ts'
import type { Role } from '../../domain/account/role.ts'
import type { SecondFactor, Session } from '../../domain/account/session.ts'
import type { Token, TokenFor, TokenPurpose } from '../../domain/account/token.ts'
import type { Project } from '../../domain/project.ts'
import type { Instant } from '../../lib/time.ts'

export interface FirstAccount {
  readonly account: Account
  /** the ownerless project of the first name gets the second, and the slug */
  readonly rename: { readonly from: string; readonly to: string; readonly slug: string } | null
}

export interface MemberWithEmail extends Member {
  readonly email: string
}

/**
 * Called in the transaction of a change.
 * @param before the role of the account; null: none @param isOnlyOwner true: the project has no other owner who is not suspended @throws to refuse the change
 */
export type AllowMember = (before: Role | null, isOnlyOwner: boolean) => void

/**
 * Called in the transaction of a change.
 * @param hasOtherAdministrator whether another account that is not suspended administers the server @throws to refuse the change
 */
export type AllowAccount = (before: Account, hasOtherAdministrator: boolean) => void

export interface ListedAccount {
  readonly account: Account
  /** number of projects in which it has a role */
  readonly places: number
}

export interface NewSecondFactor {
  readonly totp: Totp
  /** see `recoveryLookup` */
  readonly recoveryLookups: readonly string[]
}

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
  /** By email. @param text part of the email; '' for all @param after the email before the first one; null: none */
  listAccountPage(text: string, after: string | null, limit: number): Promise<ListedAccount[]>
  /** Also one that has expired. */
  findSession(lookup: string): Promise<SignedIn | null>
  /** Does nothing if it was seen later. */
  touchSession(lookup: string, at: Instant, address: string | null): Promise<void>
  /** Last seen first; also those that have expired. */
  listSessions(accountId: string): Promise<Session[]>
  /** Ends the oldest of its purpose and account beyond `mostAtOnce`. */
  createToken(token: Token): Promise<void>
  /** Also one that has expired. */
  findToken<Purpose extends TokenPurpose>(lookup: string, purpose: Purpose): Promise<TokenFor<Purpose> | null>
  /**
   * Removes it, so that it is taken once; also one that has expired. A link ends all of the same purpose and account with it; to sign
   * up, of the same email.
   */
  takeToken<Purpose extends TokenPurpose>(lookup: string, purpose: Purpose): Promise<TokenFor<Purpose> | null>
  /**
   * Uses up a code of the authenticator app, and with it the challenge of the sign-in: both or none.
   * @param secret that has made it @param signIn the lookup of that challenge; null: the code is for none
   * @returns false if it or a later one was used already, or the sign-in has ended
   */
  useTotpStep(accountId: string, secret: string, step: number, signIn: string | null): Promise<boolean>
  /**
   * Uses it up, and with it the challenge of the sign-in: both or none.
   * @param lookup see `recoveryLookup` @param signIn the lookup of that challenge
   * @returns false if the account has no such code, or the sign-in has ended
   */
  useRecoveryCode(accountId: string, lookup: string, signIn: string): Promise<boolean>
  countRecoveryCodes(accountId: string): Promise<number>
  /** What stands in the way of closing the account, and what would go with it. */
  readClosing(accountId: string): Promise<Closing>
  /** Notes that the person was here, for who has no session. Does nothing if they were seen later. */
  seeAccount(id: string, at: Instant): Promise<void>
  /** Replaces the hash of a password that stays as it is, so sessions and links stay too. @returns false if the account has another hash */
  renewPasswordHash(id: string, hash: string, renewed: string): Promise<boolean>
  /** Notes that the person proved again who they are. @returns false if there is no such session */
  confirmSession(lookup: string, at: Instant): Promise<boolean>
}

/** What closing an account would leave without an owner or an administrator. Projects are in order of creation. */
export interface Closing {
  readonly isLastAdministrator: boolean
  /** owned by nobody else, with other members */
  readonly shared: readonly Project[]
  /** without any other member */
  readonly alone: readonly Project[]
}

/** Changes that have an author: see `AuthoredWrites`. */
export interface AccountWrites {
  /**
   * @param passwordHash of the password by which the session begins; null for another way
   * @param secondFactor that was asked for besides
   * @returns false if the account was deleted or suspended meanwhile, its password was changed, or it has a second factor that was not asked for
   */
  createSession(session: Session, passwordHash: string | null, secondFactor?: SecondFactor): Promise<boolean>
  /** @returns false if the account has no such session */
  endSession(accountId: string, lookup: string): Promise<boolean>
  /** @param kept the lookup of a session that stays; null ends all @returns how many ended */
  endSessions(accountId: string, kept: string | null): Promise<number>
  /**
   * Sets the authenticator app, and the recovery codes in place of the earlier ones; null removes both. Ends sessions and links, as
   * {@link changeAccount} does.
   * @returns null if there is no such account
   */
  setSecondFactor(id: string, factor: NewSecondFactor | null, keptSession: string | null): Promise<Account | null>
  /** Replaces them all. @param lookups see `recoveryLookup` @returns false if the account has no authenticator app */
  replaceRecoveryCodes(id: string, lookups: readonly string[]): Promise<boolean>
  /**
   * Deletes the account of a person who leaves.
   * @param allow is called in the transaction @throws what `allow` throws @returns null if there is no such account
   */
  closeAccount(id: string, allow: (closing: Closing) => void): Promise<Account | null>
  /** @throws Refusal `account-exists` if there is one with that email */
  createAccount(account: Account): Promise<void>
  /**
   * Creates an account that owns every project without an owner, and ends the links for a first account.
   * @throws Refusal `project-name-taken` @returns null if there is an account already; nothing is written then
   */
  createFirstAccount(first: FirstAccount): Promise<Account | null>
  /**
   * Replaces the stored account by what `change` returns, except its id, `createdAt` and `lastSeenAt`. Its sessions and links end
   * if the email, the password or the secret of the second factor changes, or if it is suspended.
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
  /**
   * As {@link changeAccount}, for who has opened a mailed link. If the address was not confirmed, passkeys, recovery codes and
   * identities go, and all sessions end: they may be a stranger's.
   * @param change returns a confirmed account
   */
  proveEmail(id: string, change: (account: Account) => Account, link: string): Promise<Account | null>
  /** As {@link changeAccount}, by somebody else. @throws what `allow` throws @returns null if there is no such account */
  administerAccount(id: string, change: (account: Account) => Account, allow: AllowAccount): Promise<Account | null>
  /**
   * Also deletes its places in projects, its sessions and links.
   * @returns the account; null if there is none @throws what `allow` throws
   */
  deleteAccount(id: string, allow?: AllowAccount): Promise<Account | null>
  /** As `createToken`, for another one's account. */
  issueLink(link: OneTimeLink): Promise<void>
  /**
   * Adds a member, or changes the role; `createdAt` stays then.
   * @returns the member as stored; null if there is no such account @throws what `allow` throws
   */
  setMember(member: Member, allow?: AllowMember): Promise<MemberWithEmail | null>
  /** @returns the member as it was; null if the account has no place in the project @throws what `allow` throws */
  removeMember(accountId: string, projectId: string, allow?: AllowMember): Promise<MemberWithEmail | null>
}
