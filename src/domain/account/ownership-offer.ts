/** Ownership offers: a project's owner offers ownership to another member, and that member can accept or decline. */
import type { Instant } from '../../lib/time.ts'

/**
 * An offer of ownership. A project has at most one open offer. The offer ends when its author is no longer an owner, or when the recipient
 * leaves the project.
 */
export interface OwnershipOffer {
  readonly projectId: string
  /** account of the owner who made the offer */
  readonly fromId: string
  readonly fromEmail: string
  /** account of the member who may accept the offer */
  readonly toId: string
  readonly toEmail: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

export const OFFER_SECONDS = 7 * 86_400

/** How an offer ended: the recipient accepted or declined it, or an owner withdrew it. Expiry is not recorded. */
export type OfferEnd = 'accepted' | 'declined' | 'withdrawn'
