/** Offers of ownership: an owner offers a project to another member, who accepts or declines. */
import type { Instant } from '../../lib/time.ts'

/** A project has one at most. It ends when its owner stops being one, or the other leaves the project. */
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

/** `declined` by who might have accepted it, `withdrawn` by an owner. One that expires ends without a trace. */
export type OfferEnd = 'accepted' | 'declined' | 'withdrawn'
