/** Project members as other members see them, invitations, ownership offers, and accounts that users create themselves. */
import type { Account } from '../../domain/account/account.ts'
import type { Invitation } from '../../domain/account/invitation.ts'
import type { OwnershipOffer } from '../../domain/account/ownership-offer.ts'
import type { Role } from '../../domain/account/role.ts'
import type { Project } from '../../domain/project.ts'
import type { Instant } from '../../lib/time.ts'
import type { MemberWithEmail } from './accounts.ts'

export interface TeamMember extends MemberWithEmail {
  /** when the member was last seen, accurate to five minutes; null if never */
  readonly lastSeenAt: Instant | null
  readonly isSuspended: boolean
}

export interface InvitationToProject {
  readonly invitation: Invitation
  readonly project: Project
}

export interface OfferOfProject {
  readonly offer: OwnershipOffer
  readonly project: Project
}

/** The account of the user who accepts an invitation. */
export type Joining = { readonly accountId: string } | { readonly newAccount: Account }

/** The result of accepting an invitation. */
export interface Joined {
  readonly project: Project
  /** role after accepting the invitation */
  readonly role: Role
  /** true if the account already had that role or a better one; the invitation then remains valid */
  readonly isUnchanged: boolean
}
