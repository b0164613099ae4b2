/** Invitations: links by which somebody joins a project. Each works once. */
import { type Instant, isBefore } from '../../lib/time.ts'
import { Refusal } from '../errors.ts'
import { includes, type Role, rightOfRole, rightToGive } from './role.ts'

export interface Invitation {
  /** `tokenLookup` of its token */
  readonly lookup: string
  readonly projectId: string
  /** to which the link was mailed, and to nobody else, so that whoever opens it has the address; null: it was mailed to nobody */
  readonly email: string | null
  readonly role: Role
  /** the account that made it, with its email of now; null: a command */
  readonly invitedBy: { readonly id: string; readonly email: string } | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** `used`: somebody joined by it. One that expires ends without a trace. */
export type InvitationEnd = 'used' | 'revoked'

export const INVITATION_SECONDS = 7 * 86_400
/** How many a project has at once. */
export const INVITATIONS_LIMIT = 100

/** @param open how many the project has @throws Refusal `invitations-full` */
export function requireRoom(open: number): void {
  if (open < INVITATIONS_LIMIT) return
  const message = `a project has at most ${INVITATIONS_LIMIT} open invitations; revoke one first`
  throw new Refusal('invitations-full', message, { limit: INVITATIONS_LIMIT })
}

/** Who made an invitation, as they are now. */
export interface Inviter {
  readonly isAdministrator: boolean
  readonly isSuspended: boolean
  /** in the project; null: none */
  readonly role: Role | null
}

/**
 * Whether it works. An invitation ends with the right of who made it, so that somebody who is removed can't come back by a link.
 * @param inviter null: the account is gone, or a command made it
 */
export function isOpen({ role, invitedBy, expiresAt }: Invitation, inviter: Inviter | null, now: Instant): boolean {
  if (!isBefore(now, expiresAt)) return false
  return invitedBy === null || (inviter !== null && mayInvite(inviter, role))
}

function mayInvite({ isAdministrator, isSuspended, role }: Inviter, as: Role): boolean {
  const held = isAdministrator ? 'owner' : role
  return !isSuspended && held !== null && includes(rightOfRole(held), rightToGive(as))
}
