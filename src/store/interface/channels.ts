/** Channels, and the recipients of reports and reminders. */
import type { Channel } from '../../domain/channel/channel.ts'
import type { WantedMailings } from '../../domain/mail/mailing.ts'

/** The result of an edit, a test, or opening a link in an email. */
export interface ChannelChange {
  readonly channel: Channel
  /** dates to set; if omitted, no date changes */
  readonly mailings?: WantedMailings
}

/** An email channel with its settings, which may lack a valid address. */
export interface MailTarget {
  /** channel id */
  readonly id: string
  readonly projectId: string
  readonly settings: unknown
}

/** Position up to which a list of {@link MailTargets} was read. */
export interface MailTargetMark {
  readonly projectId: string
  readonly createdAt: number
}

export interface MailTargets {
  /** sorted by project, then by creation; may be empty */
  readonly items: readonly MailTarget[]
  /** mark for the next part; null after the last one */
  readonly next: MailTargetMark | null
}
