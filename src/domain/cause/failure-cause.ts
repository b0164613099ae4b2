/** The reason why a ping is a failure, as far as its log entry and the rules of its check show it. */
import { oneLine, within } from '../../lib/text/text.ts'
import { classify, type PingRules, SEARCHED_BYTES } from '../ping/classify.ts'
import type { MailText } from '../ping/signal.ts'
import { withoutPingSecrets } from '../redaction.ts'

export interface FailureCause {
  /**
   * decoded subject of an email, at most 80 characters on one line, without ping secrets, not escaped; null for other pings, and without
   * one
   */
  readonly subject: string | null
  /** null: the end of the URL signals the failure, or the rule is unknown */
  readonly rule: FailureRule | null
}

/** `text` is the text of an email, `body` the body of a request. */
export type FailureRule =
  | { readonly name: 'keyword'; readonly word: string; readonly part: 'subject' | 'text' | 'body' }
  | { readonly name: 'no-keyword'; readonly searched: 'subject' | 'text' | 'subject or the text' | 'body' }

/** A logged ping that reported a failure. */
export interface LoggedFailure {
  readonly method: string
  /** the email's text, as far as it was read; null for a request */
  readonly mail: MailText | null
  /** the request's body, as far as it is searched or logged; null without one */
  readonly body: Uint8Array | null
  /** see `readingType` */
  readonly contentType: string | null
  /** false: the email or the body was longer than `mail` or `body` */
  readonly isWhole: boolean
}

const TEXT_LIMIT = 80

/** Whether the rules can make a failure of a ping whose URL does not signal one. */
export function canFailByRule({ filterSubject, filterBody, filterHttpBody }: PingRules): boolean {
  return filterSubject || filterBody || filterHttpBody
}

/** @param rules the current rules of the check; one that was changed and decides differently now is not named */
export function causeOf(rules: PingRules, failure: LoggedFailure): FailureCause {
  const { mail } = failure
  const subject = mail === null ? '' : oneLine(withoutPingSecrets(mail.subject)).trim()
  return { subject: subject === '' ? null : within(subject, TEXT_LIMIT), rule: ruleOf(rules, failure) }
}

/** Bytes of a request's body that {@link causeOf} needs. */
export const CAUSE_BYTES = SEARCHED_BYTES

function ruleOf(rules: PingRules, { method, mail, body, contentType, isWhole }: LoggedFailure): FailureRule | null {
  // The check may have been paused since.
  const { kind, by } = classify(
    { ...rules, status: 'up' },
    { action: 'fail', method, mail, searched: body, contentType },
  )
  if (kind !== 'fail') return null
  if (by.name === 'keyword') {
    const text = mail === null ? 'body' : 'text'
    return {
      name: 'keyword',
      word: within(oneLine(by.word), TEXT_LIMIT),
      part: by.part === 'subject' ? 'subject' : text,
    }
  }
  if (by.name !== 'no-keyword' || !isWhole) return null
  return { name: 'no-keyword', searched: mail === null ? 'body' : searchedOf(rules) }
}

function searchedOf({ filterSubject, filterBody }: PingRules): 'subject' | 'text' | 'subject or the text' {
  if (filterSubject && filterBody) return 'subject or the text'
  return filterSubject ? 'subject' : 'text'
}
