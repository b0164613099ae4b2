/** An email, and the mail server's response. `delivery/mail.ts` sends the email. */

export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
}

export interface Mail {
  /** a UUID that is part of the Message-ID and is the same for each attempt */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /**
   * URL for the `List-Unsubscribe` header (RFC 8058); a POST request to it unsubscribes the address; null for emails that a person
   * requested
   */
  readonly unsubscribeUrl: string | null
  readonly attachments?: readonly Attachment[]
  /** true: the email is composed but not sent, so that the response time does not reveal that nothing was sent */
  readonly goesNowhere?: boolean
}

/** The mail server's response, or the reason why there was no response. */
export type MailAnswer =
  | { readonly kind: 'accepted'; readonly response: string }
  | {
      readonly kind: 'refused'
      /** SMTP command that the server rejected */
      readonly stage: 'login' | 'sender' | 'recipient' | 'message'
      /** SMTP reply code (RFC 5321), from 400 to 599 */
      readonly status: number
      /** server's reply line */
      readonly response: string
    }
  | {
      readonly kind: 'unreachable'
      /** a sentence for the channel's owner */
      readonly error: string
    }

/** Sends an email to a mail server. Failures are returned, never thrown. */
export type MailSender = (mail: Mail) => Promise<MailAnswer>
