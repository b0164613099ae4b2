/** How people come into projects: members as the others see them, invitations, offers of ownership, accounts that people make themselves. */
import type { Account } from '../../domain/account/account.ts'
import type { Invitation } from '../../domain/account/invitation.ts'
import type { OwnershipOffer } from '../../domain/account/ownership-offer.ts'
import type { Role } from '../../domain/account/role.ts'
import type { Project } from '../../domain/project.ts'
import type { Instant } from '../../lib/time.ts'
import type { MemberWithEmail } from './accounts.ts'

export interface TeamMember extends MemberWithEmail {
  /** exact to five minutes; null: never */
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

/** Who accepts an invitation. */
export type Joining = { readonly accountId: string } | { readonly newAccount: Account }

/** What became of an invitation. */
export interface Joined {
  readonly project: Project
  /** after it */
  readonly role: Role
  /** true: the account had that role or a better one before, and the invitation goes on working */
  readonly isUnchanged: boolean
}
