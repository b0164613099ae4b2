/** A signal: what reaches a check, by HTTP or by mail, before the check's settings give it a meaning. */

export type Action = 'success' | 'start' | 'fail' | 'log'

/** What a signal turns out to be; 'ign' was received and counted but has no effect. */
export type PingKind = Action | 'ign'

export interface Signal {
  readonly action: Action
  /** 0…255 from `/ping/…/<exit status>`, null elsewhere */
  readonly exitStatus: number | null
  /** run id, lower-case UUID */
  readonly rid: string | null
  readonly scheme: string
  readonly method: string
  /** user agent, at most 200 characters */
  readonly ua: string
  readonly remoteAddr: string | null
  /** already cut to the body limit, if there is one for it; null when empty */
  readonly body: Uint8Array | null
  /**
   * the first bytes of an HTTP body as it was sent, to be searched for keywords: `SEARCHED_BYTES` of them or more; null
   * when it was empty, and for a mail
   */
  readonly searched: Uint8Array | null
  /**
   * what a mail says, to be searched for keywords; `unread` when its check searched no mails as it came in; null for all
   * that is no mail
   */
  readonly mail: MailText | 'unread' | null
}

/** A mail as text: decoded, without markup, without attachments. */
export interface MailText {
  readonly subject: string
  readonly body: string
}

/** The URL or the mail address of a ping says it in two ways: by the check's UUID, or by the project's ping key and the check's slug. */
export type SignalTarget =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'slug'; readonly pingKey: string; readonly slug: string; readonly create: boolean }
