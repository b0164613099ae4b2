/** Channels, and the receivers of reports and reminders. */
import type { Channel } from '../../domain/channel/channel.ts'
import type { WantedMailings } from '../../domain/mail/mailing.ts'

/** The result of an edit, a test, or a link in an email. */
export interface ChannelChange {
  readonly channel: Channel
  /** if omitted, all dates are unchanged */
  readonly mailings?: WantedMailings
}

/** The address of an email channel, if its settings fit one. */
export interface MailTarget {
  /** id of the channel */
  readonly id: string
  readonly projectId: string
  readonly settings: unknown
}

/** The place up to which a list of {@link MailTargets} was read. */
export interface MailTargetMark {
  readonly projectId: string
  readonly createdAt: number
}

export interface MailTargets {
  /** ordered by project, then by creation; may be empty */
  readonly items: readonly MailTarget[]
  /** mark for the next part; null after the last one */
  readonly next: MailTargetMark | null
}
