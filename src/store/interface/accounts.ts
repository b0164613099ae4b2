/** Accounts, members of projects, sessions, and the tokens of links and challenges. */

import type { Account, Member, Totp } from '../../domain/account/account.ts'
import type { Role } from '../../domain/account/role.ts'
import type { Session } from '../../domain/account/session.ts'
import type { PlannedMorningMail } from '../../domain/morning/morning-mail.ts'
import type { Project } from '../../domain/project.ts'

export interface FirstAccount {
  readonly account: Account
  /** the ownerless project with the first name is renamed to the second, and gets the slug */
  readonly rename: { readonly from: string; readonly to: string; readonly slug: string } | null
}

export interface MemberWithEmail extends Member {
  readonly email: string
}

/**
 * Called in the transaction of a change.
 * @param before the role of the account; null: none
 * @param isOnlyOwner true: the project has no other owner who is not suspended
 * @throws to refuse the change
 */
export type AllowMember = (before: Role | null, isOnlyOwner: boolean) => void

/**
 * Called in the transaction of a change.
 * @param hasOtherAdministrator whether another account that is not suspended is an administrator
 * @throws to refuse the change
 */
export type AllowAccount = (before: Account, hasOtherAdministrator: boolean) => void

/** A claimed morning mail, and its account. */
export interface MorningOrder {
  readonly mail: PlannedMorningMail
  readonly account: Account
}

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

/**
 * The projects and the server that closing an account would leave without an owner or an administrator. Projects are in order of creation.
 */
export interface Closing {
  readonly isLastAdministrator: boolean
  /** projects without another owner, but with other members */
  readonly shared: readonly Project[]
  /** projects without any other member */
  readonly alone: readonly Project[]
}
