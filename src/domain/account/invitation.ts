/** Invitations: links with which a person joins a project. Each works once. */
import { type Instant, isBefore } from '../../lib/time.ts'
import { Refusal } from '../errors.ts'
import { includes, type Role, rightOfRole, rightToGive } from './role.ts'

export interface Invitation {
  /** `tokenLookup` of the invitation's token */
  readonly lookup: string
  readonly projectId: string
  /** the only address to which the link was mailed, so that anyone who opens it owns the address; null: the link was not mailed */
  readonly email: string | null
  readonly role: Role
  /** the account that created it, with its current email; null: a command */
  readonly invitedBy: { readonly id: string; readonly email: string } | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** `used`: a person joined with it. Expiry is not recorded. */
export type InvitationEnd = 'used' | 'revoked'

export const INVITATION_SECONDS = 7 * 86_400
/** Maximum number of open invitations of a project. */
export const INVITATIONS_LIMIT = 100

/** @param open number of the project's open invitations @throws Refusal `invitations-full` */
export function requireRoom(open: number): void {
  if (open < INVITATIONS_LIMIT) return
  const message = `a project has at most ${INVITATIONS_LIMIT} open invitations; revoke one first`
  throw new Refusal('invitations-full', message, { limit: INVITATIONS_LIMIT })
}

/** The current state of the account that created an invitation. */
export interface Inviter {
  readonly isAdministrator: boolean
  readonly isSuspended: boolean
  /** role in the project; null: none */
  readonly role: Role | null
}

/**
 * Whether an invitation works. It ends when its creator loses the right to invite, so that a removed member can't come back by a link.
 * @param inviter null: the account is gone, or a command created the invitation
 */
export function isOpen({ role, invitedBy, expiresAt }: Invitation, inviter: Inviter | null, now: Instant): boolean {
  if (!isBefore(now, expiresAt)) return false
  return invitedBy === null || (inviter !== null && mayInvite(inviter, role))
}

function mayInvite({ isAdministrator, isSuspended, role }: Inviter, as: Role): boolean {
  const held = isAdministrator ? 'owner' : role
  return !isSuspended && held !== null && includes(rightOfRole(held), rightToGive(as))
}
