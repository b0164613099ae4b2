/** Channels, and where reports and reminders are sent. */
import type { Channel } from '../../domain/channel/channel.ts'
import type { WantedMailings } from '../../domain/mail/mailing.ts'

/** The result of an edit, a test, or a link in an email. */
export interface ChannelChange {
  readonly channel: Channel
  /** if omitted, all dates stay */
  readonly mailings?: WantedMailings
}

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
