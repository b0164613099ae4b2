/** Reports and reminders. */

import type { Mailing, MailingEntry, MailingOrder, MailingResult } from '../../domain/mail/mailing.ts'
import type { DownCandidate } from '../../domain/mail/reminder.ts'
import type { Instant } from '../../lib/time.ts'

/** Where an email channel sends, if its settings fit one. */
export interface MailTarget {
  /** of the channel */
  readonly id: string
  readonly projectId: string
  readonly settings: unknown
}

/** How far a list of {@link MailTargets} was read. */
export interface MailTargetMark {
  readonly projectId: string
  readonly createdAt: number
}

export interface MailTargets {
  /** by project, in each in order of creation; perhaps none */
  readonly items: readonly MailTarget[]
  /** for the next part; null after the last one */
  readonly next: MailTargetMark | null
}

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
  /** As `listMailings`, of these channels only; channels that do not exist are left out. Give few ids at a time. */
  listMailingsOf(channelIds: readonly string[]): Promise<MailingEntry[]>
  /**
   * The email channels in all projects of an account, in parts of at most a thousand channels of any kind.
   * @param all true: also in projects that the account has no place in
   */
  listMailTargets(accountId: string, all: boolean, after: MailTargetMark | null): Promise<MailTargets>
  /** Checks that are or may be down at `now`, in order of creation. */
  listDownCandidates(projectId: string, now: Instant): Promise<DownCandidate[]>
}
