/** The words in which a mail and its fate are told; handing it to a mail server is `delivery/smtp.ts`. */

export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
}

export interface Mail {
  /** a UUID that stays the same over attempts; the Message-ID is made from it */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** for `List-Unsubscribe` (RFC 8058): a POST to it ends mails to this address; null for mails that were asked for */
  readonly unsubscribeUrl: string | null
  readonly attachments?: readonly Attachment[]
}

/** What a mail server said, or why there was none to say anything. */
export type MailAnswer =
  | { readonly kind: 'accepted'; readonly response: string }
  | {
      readonly kind: 'refused'
      /** the command that the server refused */
      readonly stage: 'login' | 'sender' | 'recipient' | 'message'
      /** reply code of RFC 5321, 400…599 */
      readonly status: number
      /** the server's own line */
      readonly response: string
    }
  | {
      readonly kind: 'unreachable'
      /** a sentence fit to be shown to the owner of the channel */
      readonly error: string
    }

/** Hands a mail over. Never throws, and has an end. */
export type MailSender = (mail: Mail) => Promise<MailAnswer>
