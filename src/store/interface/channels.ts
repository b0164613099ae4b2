/** Channels. */

import type { Channel } from '../../domain/channel/channel.ts'
import type { WantedMailings } from '../../domain/mail/mailing.ts'

/** The result of an edit, a test, or a link in an email. */
export interface ChannelChange {
  readonly channel: Channel
  /** if omitted, all dates stay */
  readonly mailings?: WantedMailings
}
