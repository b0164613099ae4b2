/** An email and the mail server's answer; `delivery/mail.ts` sends it. */

export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
}

export interface Mail {
  /** a UUID, the same for all attempts; the Message-ID contains it */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** URL for `List-Unsubscribe` (RFC 8058): a POST to it unsubscribes the address; null for requested emails */
  readonly unsubscribeUrl: string | null
  readonly attachments?: readonly Attachment[]
  /** true: built like any other email, so that the work is the same, but never sent */
  readonly goesNowhere?: boolean
}

/** The mail server's answer, or the reason why there is none. */
export type MailAnswer =
  | { readonly kind: 'accepted'; readonly response: string }
  | {
      readonly kind: 'refused'
      /** the command that the server refused */
      readonly stage: 'login' | 'sender' | 'recipient' | 'message'
      /** reply code of RFC 5321, 400…599 */
      readonly status: number
      /** the server's own reply line */
      readonly response: string
    }
  | {
      readonly kind: 'unreachable'
      /** a sentence for the owner of the channel */
      readonly error: string
    }

/** Hands an email to a mail server. Never throws, and always settles. */
export type MailSender = (mail: Mail) => Promise<MailAnswer>
