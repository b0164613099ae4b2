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

export interface TeamReads {
  /** By email, at most `limit`. */
  listTeam(projectId: string, limit: number): Promise<TeamMember[]>
  findTeamMember(projectId: string, accountId: string): Promise<TeamMember | null>
  /** Those that work, newest first. */
  listInvitations(projectId: string, now: Instant): Promise<Invitation[]>
  /** @returns null if there is none that works */
  findInvitation(lookup: string, now: Instant): Promise<InvitationToProject | null>
  /** Whether an invitation that works was mailed to the address. */
  isInvited(email: string, now: Instant): Promise<boolean>
  /** @returns null if there is none that can be accepted */
  findOffer(projectId: string, now: Instant): Promise<OwnershipOffer | null>
  /** Those that the account can accept, oldest first. */
  listOffersTo(accountId: string, now: Instant): Promise<OfferOfProject[]>
}

/** Changes that have an author: see `AuthoredWrites`. */
export interface TeamWrites {
  /** @throws Refusal `invitations-full` if the project has too many already that have not expired */
  createInvitation(invitation: Invitation): Promise<void>
  /** @returns false if the project has no such invitation */
  deleteInvitation(projectId: string, lookup: string): Promise<boolean>
  /**
   * Ends all invitations of the project, so that nobody joins by one any more.
   * @param allow gets how many members the project has, and refuses by throwing
   */
  endInvitations(projectId: string, allow: (people: number) => void): Promise<void>
  /**
   * Gives the role of the invitation, which ends with that, unless the account has a better one.
   * @throws Refusal `link-ended` if the invitation does not work, or the account is gone; `account-exists` for a new account
   */
  joinByInvitation(lookup: string, joining: Joining, now: Instant): Promise<Joined>
  /**
   * Replaces an earlier offer of the project.
   * @throws Refusal `forbidden` if the giver does not own the project; `member-not-found` if the taker is not in it or is suspended
   */
  offerOwnership(offer: OwnershipOffer): Promise<void>
  /** The taker becomes an owner, and the giver a member. @throws Refusal `offer-ended`, also for somebody else's */
  acceptOffer(projectId: string, accountId: string, now: Instant): Promise<void>
  /**
   * Declines the offer, or withdraws it.
   * @param allow gets the offer, and refuses by throwing @throws Refusal `offer-ended`
   */
  endOffer(projectId: string, now: Instant, allow: (offer: OwnershipOffer) => void): Promise<OwnershipOffer>
  /** Creates an account by a link, which ends. @throws Refusal `link-ended`, `account-exists` */
  signUp(account: Account, link: string): Promise<void>
}
