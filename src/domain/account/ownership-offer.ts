/** Offers of ownership: the owner of a project offers it to another member, who accepts or declines. */
import type { Instant } from '../../lib/time.ts'

/** An offer. A project has at most one. An offer ends when its author is no longer an owner, or when the recipient leaves the project. */
export interface OwnershipOffer {
  readonly projectId: string
  /** account of the owner who offers the project */
  readonly fromId: string
  readonly fromEmail: string
  /** account of the member who may accept it */
  readonly toId: string
  readonly toEmail: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

export const OFFER_SECONDS = 7 * 86_400

/** The way in which an offer ended: the recipient accepted or declined it, or an owner withdrew it. Expiry is not recorded. */
export type OfferEnd = 'accepted' | 'declined' | 'withdrawn'
