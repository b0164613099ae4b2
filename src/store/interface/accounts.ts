/** Accounts, project members, sessions, and the tokens for links and challenges. */

import type { Account, Member, Totp } from '../../domain/account/account.ts'
import type { Role } from '../../domain/account/role.ts'
import type { Session } from '../../domain/account/session.ts'
import type { PlannedMorningMail } from '../../domain/morning/morning-mail.ts'
import type { Project } from '../../domain/project.ts'

export interface FirstAccount {
  readonly account: Account
  /** renames the project called `from`, which has no owner, and sets its slug; null to rename none */
  readonly rename: { readonly from: string; readonly to: string; readonly slug: string } | null
}

export interface MemberWithEmail extends Member {
  readonly email: string
}

/**
 * Called inside the transaction that makes the change.
 * @param before the account's role; null if it has none
 * @param isOnlyOwner true if the project has no other owner who is not suspended
 * @throws to reject the change
 */
export type AllowMember = (before: Role | null, isOnlyOwner: boolean) => void

/**
 * Called inside the transaction that makes the change.
 * @param hasOtherAdministrator true if another account that is not suspended is an administrator
 * @throws to reject the change
 */
export type AllowAccount = (before: Account, hasOtherAdministrator: boolean) => void

/** A claimed morning mail and its account. */
export interface MorningOrder {
  readonly mail: PlannedMorningMail
  readonly account: Account
}

export interface ListedAccount {
  readonly account: Account
  /** number of projects in which the account has a role */
  readonly places: number
}

export interface NewSecondFactor {
  readonly totp: Totp
  /** lookups of the recovery codes, see `recoveryLookup` */
  readonly recoveryLookups: readonly string[]
}

export interface SignedIn {
  readonly session: Session
  readonly account: Account
}

/**
 * Consequences of closing an account: the projects that would lose their last owner, in order of creation, and whether the server would
 * lose its last administrator.
 */
export interface Closing {
  readonly isLastAdministrator: boolean
  /** projects that have other members but no other owner */
  readonly shared: readonly Project[]
  /** projects that have no other members */
  readonly alone: readonly Project[]
}
