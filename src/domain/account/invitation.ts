/** Invitations: links that let a person join a project. Each link works once. */
import { type Instant, isBefore } from '../../lib/time.ts'
import { Refusal } from '../errors.ts'
import { includes, type Role, rightOfRole, rightToGive } from './role.ts'

export interface Invitation {
  /** hash of the invitation's token; see `tokenLookup` */
  readonly lookup: string
  readonly projectId: string
  /** address that the link was emailed to; opening the link proves ownership of the address. null: the link was not emailed */
  readonly email: string | null
  readonly role: Role
  /** account that created the invitation, with its current email; null: a command created the invitation */
  readonly invitedBy: { readonly id: string; readonly email: string } | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** How an invitation ended. `used`: a person used it to join the project. Expiry is not recorded. */
export type InvitationEnd = 'used' | 'revoked'

export const INVITATION_SECONDS = 7 * 86_400
/** Maximum number of open invitations per project. */
export const INVITATIONS_LIMIT = 100

/**
 * Rejects a new invitation if the project already has too many.
 * @param open number of open invitations that the project already has
 * @throws Refusal `invitations-full`
 */
export function requireRoom(open: number): void {
  if (open < INVITATIONS_LIMIT) return
  const message = `a project has at most ${INVITATIONS_LIMIT} open invitations; revoke one first`
  throw new Refusal('invitations-full', message, { limit: INVITATIONS_LIMIT })
}

/** The current state of the account that created an invitation. */
export interface Inviter {
  readonly isAdministrator: boolean
  readonly isSuspended: boolean
  /** role in the project; null: no longer a member */
  readonly role: Role | null
}

/**
 * Whether an invitation still works. It stops working when its creator loses the right to invite, because a removed member could otherwise
 * rejoin through the link.
 * @param inviter null: the account was deleted, or a command created the invitation
 */
export function isOpen({ role, invitedBy, expiresAt }: Invitation, inviter: Inviter | null, now: Instant): boolean {
  if (!isBefore(now, expiresAt)) return false
  return invitedBy === null || (inviter !== null && mayInvite(inviter, role))
}

function mayInvite({ isAdministrator, isSuspended, role }: Inviter, as: Role): boolean {
  const held = isAdministrator ? 'owner' : role
  return !isSuspended && held !== null && includes(rightOfRole(held), rightToGive(as))
}
