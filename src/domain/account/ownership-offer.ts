/** Offers of ownership: an owner offers a project to another member, who accepts or declines. */
import type { Instant } from '../../lib/time.ts'

/** An offer. A project has one at most. It ends when its owner loses that role, or the recipient leaves the project. */
export interface OwnershipOffer {
  readonly projectId: string
  /** account of the owner who gives the project away */
  readonly fromId: string
  readonly fromEmail: string
  /** account of the member who may accept it */
  readonly toId: string
  readonly toEmail: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

export const OFFER_SECONDS = 7 * 86_400

/** `declined` by the recipient, `withdrawn` by an owner. Expiry is not recorded. */
export type OfferEnd = 'accepted' | 'declined' | 'withdrawn'
