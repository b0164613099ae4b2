/** Reports and reminders. */

import type { Mailing, MailingEntry, MailingOrder, MailingResult } from '../../domain/mail/mailing.ts'
import type { DownCandidate } from '../../domain/mail/reminder.ts'
import type { Instant } from '../../lib/time.ts'

export interface MailingStore {
  /** When the next report or reminder is due; null if none is planned. */
  nextMailingAt(): Promise<Instant | null>
  /** Claims due mailings, longest due first, with a lease as in `claimDeliveries`. */
  claimMailings(now: Instant, leaseEndsAt: Instant, limit: number): Promise<MailingOrder[]>
  /**
   * Ends an attempt. Does nothing if the mailing was claimed again or got another date since. If no check of the project is
   * stored as down any more, a reminder gets no next date, whatever the result says.
   */
  recordMailing(mailing: Mailing, result: MailingResult): Promise<void>
  /** By channel in order of creation, the report of each before its reminder. */
  listMailings(projectId: string): Promise<MailingEntry[]>
  /** Checks that are or may be down at `now`, in order of creation. */
  listDownCandidates(projectId: string, now: Instant): Promise<DownCandidate[]>
}
